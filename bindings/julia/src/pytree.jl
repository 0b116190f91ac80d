# Nested Python values, as Jaxon keeps them: objects of Python, and what a host says about such a file.

"""
    PythonObject(type, fields)

An object of Python: its type or the hint of its marshaler, e.g. `dclass[module.Class]`, and its fields in order, `name => value`;
`object["name"]` is one of them. What is not a dictionary stands under the name `""`.
"""
struct PythonObject
    type::String
    fields::Vector{Pair{String,Any}}
end
PythonObject(type::AbstractString, fields::Pair...) = PythonObject(type, Pair{String,Any}[fields...])
Base.:(==)(a::PythonObject, b::PythonObject) = a.type == b.type && a.fields == b.fields
function Base.getindex(object::PythonObject, name::AbstractString)
    at = findfirst(one -> one.first == name, object.fields)
    return at === nothing ? throw(KeyError(name)) : object.fields[at].second
end

"""
    Pytree(; prefixes, filter, unmarshal, schema, allow_missing_fields, allow_unknown_fields, allow_dill, slots)

How a file of nested Python values is read: `load(file; pytree = Pytree(prefixes = ["/layers/0"]))`.

- `prefixes`: only what stands at or below one of these paths is read; all else is `missing`.
- `filter(path)`: whether a node is read, asked from the root (`""`) down.
- `unmarshal(object)` makes something of a [`PythonObject`](@ref): `nothing` if it does not know it, the object itself to keep it, else
  what takes its place (`Some(nothing)` for Python's `None`).
- `schema`: a list of `PythonObject`s, the classes that are known (`module.Class`) and their fields with defaults, `missing` for none.
- `allow_missing_fields`, `allow_unknown_fields`: whether fields too many are left out, and fields too few take their defaults.
- `allow_dill`: whether data of dill are given as bytes; they are never run.
- `slots`: for `network`, which leaf fills which slot: `["0.weight" => "/layers/0/weight"]`.
"""
Base.@kwdef struct Pytree
    prefixes::Vector{String} = String[]
    filter::Any = nothing
    unmarshal::Any = nothing
    schema::Any = ()
    allow_missing_fields::Bool = false
    allow_unknown_fields::Bool = false
    allow_dill::Bool = false
    slots::Vector{Pair{String,String}} = Pair{String,String}[]
end

# A filter has no way to end the call: after an exception all is left out.
function wanted(userdata::Ptr{Cvoid}, path::Ptr{UInt8}, length::Csize_t)::Int32
    box = unsafe_pointer_to_objref(userdata)::Box
    thrown_here()[] === nothing || return Int32(0)
    try
        return Int32((box.call::Pytree).filter(unsafe_string(path, length))::Bool)
    catch thrown
        keep_thrown(thrown)
        return Int32(0)
    end
end

function unmarshaled(userdata::Ptr{Cvoid}, object::Ptr{Cvoid}, made::Ptr{Cvoid})::Int32
    box = unsafe_pointer_to_objref(userdata)::Box
    try
        whole = tree_of(object)
        answer = (box.call::Pytree).unmarshal(whole)
        answer === nothing && return PON_UNMARSHAL_UNKNOWN
        answer === whole && return PON_UNMARSHAL_KEEP
        add!(made, 0, "", answer isa Some ? something(answer) : answer, "")
        return PON_UNMARSHAL_REPLACE
    catch thrown
        keep_thrown(thrown)
        return Int32(-1)
    end
end

# Calls with the options as the library takes them; nothing without any.
told(call, ::Nothing, box) = call(C_NULL)
function told(call, pytree::Pytree, box)
    schema = params_of(Tuple(pytree.schema))
    prefixes = pon_str[lent(prefix) for prefix in pytree.prefixes]
    slots = pon_slot_source[pon_slot_source(lent(path), lent(slot)) for (slot, path) in pytree.slots]
    GC.@preserve pytree box schema prefixes slots begin
        options = Ref(filled(pon_pytree_options;
            prefixes = pointer(prefixes), prefixes_count = length(prefixes),
            filter = pytree.filter === nothing ? C_NULL : @cfunction(wanted, Int32, (Ptr{Cvoid}, Ptr{UInt8}, Csize_t)),
            filter_userdata = pointer_from_objref(box),
            unmarshal = pytree.unmarshal === nothing ? C_NULL : @cfunction(unmarshaled, Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid})),
            unmarshal_userdata = pointer_from_objref(box),
            schema = Base.unsafe_convert(Ptr{Cvoid}, schema),
            allow_missing_fields = pytree.allow_missing_fields, allow_unknown_fields = pytree.allow_unknown_fields,
            allow_dill = pytree.allow_dill,
            slots = pointer(slots), slots_count = length(slots)))
        return GC.@preserve options call(Base.unsafe_convert(Ptr{pon_pytree_options}, options))
    end
end
