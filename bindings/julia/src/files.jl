# Files in and out.

const Readable = Union{AbstractString,Vector{UInt8},IO,Source}
source_of(file::Source) = file
source_of(file) = Source(file)

const LAYOUTS = Dict(:channels_last => 0, :channels_first => 1, :as_file => 2)

function progress_told(userdata::Ptr{Cvoid}, done::UInt64, total::UInt64)::Int32
    box = unsafe_pointer_to_objref(userdata)::Box
    try
        return box.call(done, total) === false ? Int32(1) : Int32(0)
    catch thrown
        keep_thrown(thrown)
        return Int32(1)
    end
end

lent(text::String) = isempty(text) ? pon_str(C_NULL, 0) : pon_str(pointer(text), sizeof(text))

# Opens a file, lets `call(import)` ask it, and closes it.
function opened(call, file::Readable;
    format = "", loss = "", strip_prefix = "", key = "", network = nothing, layout = :channels_first, example = (),
    flattened = Dict{String,Tuple}(), fold_weight_norm = false, unknown = :refuse, prototype = nothing, progress = nothing,
    cancel = nothing, lift_loss = false, stack = false, pytree = nothing)
    haskey(LAYOUTS, layout) || throw(ArgumentError("layout is one of $(join(keys(LAYOUTS), ", "))"))
    unknown in (:refuse, :keep) || throw(ArgumentError("unknown is :refuse or :keep"))
    source = source_of(file)
    words = network === nothing ? nothing : network isa Description ? network : parse_description(network)
    progress_box, pytree_box = Box(progress), Box(pytree)
    texts = map(String, (format, loss, strip_prefix, key))
    lengths = Int64[reverse(example)...]
    paths = String[path for path in keys(flattened)]
    shapes = Vector{Int64}[Int64[reverse(flattened[path])...] for path in paths]
    all = pon_flattened[pon_flattened(lent(path), pointer(shape), length(shape), 0) for (path, shape) in zip(paths, shapes)]
    GC.@preserve source words progress_box pytree_box texts lengths paths shapes all prototype cancel begin
        options = (python) -> Ref(filled(pon_import_options;
            layout = LAYOUTS[layout],
            format = lent(texts[1]), loss = lent(texts[2]), strip_prefix = lent(texts[3]), key = lent(texts[4]),
            network = words === nothing ? C_NULL : Base.unsafe_convert(Ptr{Cvoid}, words),
            example = isempty(lengths) ? C_NULL : pointer(lengths), example_ndim = length(lengths),
            flattened = isempty(all) ? C_NULL : pointer(all), flattened_count = length(all),
            fold_weight_norm = fold_weight_norm ? 1 : 0,
            unknown_types = unknown === :keep ? PON_TYPES_KEEP : PON_TYPES_REFUSE,
            prototype = prototype === nothing ? C_NULL : Base.unsafe_convert(Ptr{Cvoid}, prototype),
            lift_loss = lift_loss ? 1 : 0,
            pytree = python,
            stack = stack ? 1 : 0,
            progress = progress === nothing ? C_NULL : @cfunction(progress_told, Int32, (Ptr{Cvoid}, UInt64, UInt64)),
            progress_userdata = pointer_from_objref(progress_box),
            cancel = cancel === nothing ? C_NULL : Base.unsafe_convert(Ptr{Cvoid}, cancel)))
        opening = made(Import) do out, list
            told(python -> pon_import_open(default_context(), source, options(python), out, list), pytree, pytree_box)
        end
        try
            return call(opening)
        finally
            close(opening)
        end
    end
end

"""
    network(file; network, strip_prefix, key, layout, example, flattened, fold_weight_norm, lift_loss, stack, format, loss, progress, cancel)

The network of a file: a path, a `Vector{UInt8}` or an `IO`. `network` says the layers of a file of numbers, as JSON. Arrays have the
axes of the library in the opposite order: with `layout = :channels_first`, the default, images are `(width, height, channels,
examples)`; with `:channels_last` `(channels, width, height, examples)`. `progress(done, total)` may answer `false` to end the call.
`lift_loss` leaves a last sigmoid or softmax to the loss, of a file that says its layers; `stack` puts them in a row, and refuses
what is none.
Throws a [`PontilError`](@ref) with all that is wrong.
"""
network(file::Readable; options...) = opened(file; options...) do opening
    made((out, list) -> pon_import_network(opening, out, list), Network)
end

"""
    load([T,] file[, prototype]; key = "", unknown = :refuse, pytree = nothing)

The parameter set of a file. `T` makes a set of a named tuple; without it the set is a [`Parameters`](@ref). With a prototype kinds, order of
keys and types are the prototype's, and all that does not fit is a fault. `key` picks the group of the file; with
`unknown = :keep` leaves of types nobody registered come as [`Structured`](@ref). Of a file of nested Python values `pytree` says what is read: see [`Pytree`](@ref).
"""
load(file::Readable; options...) = load(Parameters, file; options...)
load(file::Readable, prototype; options...) = load(typeof(prototype), file, prototype; options...)
function load(::Type{T}, file::Readable, prototype = nothing; options...) where {T}
    params = params_in(file; prototype = prototype === nothing ? nothing : params_of(prototype), options...)
    tree = tree_of(params, UInt32(0), prototype)
    prototype === nothing && T !== Parameters && tree isa Parameters || return tree
    return T === NamedTuple ? fields(tree) : T(fields(tree))
end

params_in(file::Readable; options...) = opened(file; options...) do opening
    made((out, list) -> pon_import_params(opening, out, list), Params)
end

"What a file lists: `(path, place, eltype or nothing, dtype, size, bytes, offset or nothing)` of each array; nothing is read."
entries(file::Readable; options...) = opened(file; options...) do opening
    map(1:pon_import_entries(opening)) do at
        one = entry(opening, at)
        (path = string_of(one.path), place = string_of(one.place), eltype = get(TYPES, one.dtype, nothing), dtype = one.dtype,
            size = reversed(one.shape, one.ndim), bytes = one.bytes, offset = one.offset == PON_NO_OFFSET ? nothing : one.offset)
    end
end

function entry(opening, at)
    raw = Ref(filled(pon_entry))
    demand(pon_import_entry(opening, at - 1, raw))
    return raw[]
end

"Every array of a file by its path, as the file has it."
arrays(file::Readable; options...) = opened(file; options...) do opening
    map(1:pon_import_entries(opening)) do at
        one = entry(opening, at)
        numbers = Vector{UInt8}(undef, one.bytes)
        view = Ref(filled(pon_view; data = convert(Ptr{Cvoid}, pointer(numbers)), dtype = one.dtype, ndim = one.ndim, shape = one.shape))
        GC.@preserve numbers heard(list -> pon_import_read(opening, at - 1, view, list))
        string_of(one.path) => numbers
    end
end

"The name of a file's format, the loss its network was trained with, and a note of it by its key."
about(file::Readable; note = "", options...) = opened(file; options...) do opening
    format, loss, found = Ref{pon_str}(), Ref{pon_str}(), Ref{pon_str}()
    demand(pon_import_format(opening, format))
    demand(pon_import_loss(opening, loss))
    noted = pon_import_note(opening, String(note), sizeof(note), found) == PON_OK
    (format = string_of(format[]), loss = string_of(loss[]), note = noted ? string_of(found[]) : nothing)
end

function written(userdata::Ptr{Cvoid}, ::UInt64, data::Ptr{UInt8}, size::Csize_t)::Int32
    box = unsafe_pointer_to_objref(userdata)::Box
    try
        unsafe_write(box.call::IO, data, size)
        return Int32(0)
    catch thrown
        keep_thrown(thrown)
        return Int32(1)
    end
end

"""
    save(file, ps; group = "", into = nothing)
    save(file, network; notes = "")

Saves a set as NeuralNetworkParameters.jl writes it, or a network as safetensors, to a path, all or nothing, or to an `IO`. `group` is the group
of the file a set goes into, `into` a file whose content is carried along; `format` says another format.
"""
function save(file::Union{AbstractString,IO}, what;
    format = what isa Network ? "safetensors" : "julia", notes = "", group = "", into = nothing, progress = nothing, cancel = nothing)
    of = what isa Network ? what : params_of(what)
    params, network = what isa Network ? (C_NULL, of) : (of, C_NULL)
    told, to = Box(progress), Box(file)
    texts = map(String, (format, notes, group))
    carried = into === nothing ? nothing : source_of(into)
    GC.@preserve of told to texts carried cancel begin
        options = Ref(filled(pon_save_options;
            format = lent(texts[1]), notes_json = lent(texts[2]), group = lent(texts[3]),
            progress = progress === nothing ? C_NULL : @cfunction(progress_told, Int32, (Ptr{Cvoid}, UInt64, UInt64)),
            progress_userdata = pointer_from_objref(told),
            cancel = cancel === nothing ? C_NULL : Base.unsafe_convert(Ptr{Cvoid}, cancel),
            into = carried === nothing ? C_NULL : Base.unsafe_convert(Ptr{Cvoid}, carried)))
        if file isa IO
            writer = Ref(filled(pon_writer; userdata = pointer_from_objref(to),
                write = @cfunction(written, Int32, (Ptr{Cvoid}, UInt64, Ptr{UInt8}, Csize_t))))
            heard(list -> pon_save_writer(params, network, options, writer, list))
        else
            path = String(file)
            heard(list -> pon_save_path(params, network, options, path, sizeof(path), list))
        end
    end
    return nothing
end
