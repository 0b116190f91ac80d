# The leaf protocol: which numbers of a leaf are free, and how a leaf is put together again. And the context that every call is given.

# The package whose functions of the same names speak for leaves that have no methods here; an extension puts it in.
const PROTOCOL = Ref{Union{Module,Nothing}}(nothing)

"""
    freeparameters(leaf)

The numbers of a leaf that are free: the leaf itself, or of a structured one its storage: an array, a number, or a tuple or named tuple
of blocks. Add a method for a type of your own, with one of [`rebuild`](@ref), and of [`parameter_metadata`](@ref) if it needs sizes.
"""
freeparameters(leaf) = PROTOCOL[] === nothing ? leaf : PROTOCOL[].freeparameters(leaf)

"""
    rebuild(prototype, storage)

A leaf of the prototype's type with another storage, which may have another element type.
"""
rebuild(prototype, storage) = PROTOCOL[] === nothing ? storage : PROTOCOL[].rebuild(prototype, storage)

"    parameter_metadata(leaf)\n\nWhat a structured leaf needs besides its storage: whole numbers by name."
parameter_metadata(leaf) = PROTOCOL[] === nothing ? NamedTuple() : PROTOCOL[].parameter_metadata(leaf)

"    parameter_type_name(leaf)\n\nThe name a structured leaf is saved under: that of its type, without module and parameters."
parameter_type_name(leaf) = String(nameof(typeof(leaf)))

"A structured leaf of a type that Julia does not have here: name, storage, metadata. [`dense`](@ref) knows the built-in types."
struct Structured{S,M<:NamedTuple}
    type::String
    storage::S
    metadata::M
end
Base.:(==)(a::Structured, b::Structured) = a.type == b.type && a.storage == b.storage && a.metadata == b.metadata
freeparameters(leaf::Structured) = leaf.storage
rebuild(prototype::Structured, storage) = Structured(prototype.type, storage, prototype.metadata)
parameter_metadata(leaf::Structured) = leaf.metadata
parameter_type_name(leaf::Structured) = leaf.type

"A parameter set: a named tuple that is the root of one; its fields are those of the named tuple."
struct Parameters{T<:NamedTuple}
    params::T
end
fields(set::Parameters) = getfield(set, :params)
Base.getproperty(set::Parameters, name::Symbol) = name === :params ? fields(set) : getproperty(fields(set), name)
Base.propertynames(set::Parameters) = propertynames(fields(set))
Base.getindex(set::Parameters, key) = fields(set)[key]
Base.keys(set::Parameters) = keys(fields(set))
Base.values(set::Parameters) = values(fields(set))
Base.length(set::Parameters) = length(fields(set))
Base.iterate(set::Parameters, state...) = iterate(fields(set), state...)
Base.:(==)(a::Parameters, b::Parameters) = fields(a) == fields(b)

# Whether something is the root of a set, and how a set of its kind is made of a named tuple; other packages add methods.
isset(_) = false
isset(::Parameters) = true
set_like(::Parameters, inner::NamedTuple) = Parameters(inner)

const REGISTRY = Dict{String,Any}()
const CONTEXT = Ref{Union{Context,Nothing}}(nothing)
const MAKING = ReentrantLock()

forget_context!() = (CONTEXT[] = nothing)

function default_context()
    lock(MAKING) do
        found = CONTEXT[]
        found === nothing || return found
        out = Ref{Ptr{Cvoid}}(C_NULL)
        demand(pon_context_new(C_NULL, out))
        context = Context(out[])
        for name in keys(REGISTRY)
            name in BUILT_IN && continue
            register_in(context, name)
        end
        CONTEXT[] = context
        return context
    end
end

leaf_fits(::Ptr{Cvoid}, ::Ptr{Cvoid}, ::UInt32, ::Ptr{Cvoid})::Int32 = PON_OK

function register_in(context, name)
    type = Ref(filled(pon_leaf_type; check = @cfunction(leaf_fits, Int32, (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}))))
    demand(pon_context_register_leaf(context, name, sizeof(name), type))
    return nothing
end

"""
    register_parameter_type!(make, name)

Says how structured leaves saved under `name` are made: `make(storage, metadata)`. Registering a name again replaces it.
"""
function register_parameter_type!(make, name::AbstractString)
    lock(MAKING) do
        # The built-in types stay known to the library, with their rules for matrices and gradients.
        known = haskey(REGISTRY, name) || name in BUILT_IN
        REGISTRY[String(name)] = make
        CONTEXT[] === nothing || known || register_in(CONTEXT[], String(name))
    end
    return nothing
end

const BUILT_IN = (
    "StiefelManifold", "GrassmannManifold", "SymmetricMatrix", "SkewSymMatrix", "LowerTriangular", "UpperTriangular",
    "StiefelLieAlgHorMatrix", "GrassmannLieAlgHorMatrix",
)
