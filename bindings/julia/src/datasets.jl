# Data sets of HDF5 files, batch by batch.

"""
    Dataset(list; batch = 1, tops = (), scale = (), mean = (), folder = "", seed = nothing, chunk = 0, ahead = 0)

Examples without end: behind the last comes the first. `list` names HDF5 files, a path a line, or is such a file. `next!(set)` gives the
next batch as a named tuple of arrays, the batch along the last axis; `epoch(set)` how often the last example was given. `tops` names
the datasets (`data` and `label` unless said); `scale` are pairs of a top and a factor, `mean` of a top and a file whose dataset
`mean` is taken from each example, after the factors. With `seed` the order is drawn, `chunk` examples at a time if said; a thread keeps
`ahead` batches ready: it calls nothing of Julia, a stream is read whole before. One task at a time.
"""
struct Dataset
    handle::DatasetHandle
    busy::Threads.Atomic{Bool}
    names::Tuple{Vararg{Symbol}}
    sizes::Vector{Tuple{Vararg{Int}}}
    types::Vector{DataType}
end

function Dataset(list::Readable; batch = 1, tops = (), scale = (), mean = (), folder = "", seed = nothing, chunk = 0, ahead = 0)
    source = source_of(list)
    names, within = String[string(top) for top in tops], String(folder)
    files = [source_of(file) for (_, file) in mean]
    changed = String[string(top) for (top, _) in Iterators.flatten((scale, mean))]
    GC.@preserve source names within files changed begin
        texts = pon_str[lent(name) for name in names]
        factors = pon_transform[filled(pon_transform; top = lent(name), kind = PON_TRANSFORM_SCALE, scale = factor)
                                for (name, (_, factor)) in zip(changed, scale)]
        means = pon_transform[filled(pon_transform; top = lent(name), kind = PON_TRANSFORM_SUB_MEAN,
                                  mean = Base.unsafe_convert(Ptr{Cvoid}, file))
                              for (name, file) in zip(changed[length(factors)+1:end], files)]
        transforms = vcat(factors, means)
        GC.@preserve texts transforms begin
            options = Ref(filled(pon_dataset_options;
                batch = batch, folder = lent(within), chunk = chunk, ahead = ahead,
                tops = isempty(texts) ? C_NULL : pointer(texts), tops_count = length(texts),
                transforms = isempty(transforms) ? C_NULL : pointer(transforms), transforms_count = length(transforms),
                shuffle = seed === nothing ? PON_SHUFFLE_NONE : PON_SHUFFLE_SEED, seed = seed === nothing ? 0 : seed))
            handle = made(DatasetHandle) do out, list
                pon_dataset_open(default_context(), source, options, out, list)
            end
        end
    end
    all = map(1:pon_dataset_tops(handle)) do at
        raw = Ref(filled(pon_top))
        demand(pon_dataset_top(handle, at - 1, raw))
        (Symbol(string_of(raw[].name)), (reversed(raw[].shape, raw[].ndim)..., Int(batch)), TYPES[raw[].dtype])
    end
    return Dataset(handle, Threads.Atomic{Bool}(false), Tuple(first.(all)), getindex.(all, 2), last.(all))
end

alone(call, set::Dataset) = alone(call, set.busy, "data set")

Base.close(set::Dataset) = alone(() -> close(set.handle), set)
Base.length(set::Dataset) = Int(pon_dataset_examples(set.handle))

"How often the last example of a set has been given."
epoch(set::Dataset) = alone(() -> Int(pon_dataset_epoch(set.handle)), set)

"    next!(set)\n\nThe next batch: a named tuple of an array for each top, the examples along the last axis."
function next!(set::Dataset)
    arrays = Tuple(Array{type}(undef, size) for (type, size) in zip(set.types, set.sizes))
    viewed(arrays) do views
        raw = collect(pon_view, views)
        alone(() -> heard(list -> pon_dataset_next(set.handle, raw, length(raw), list)), set)
    end
    return NamedTuple{set.names}(arrays)
end
