# Trees of Julia - sets, named tuples, tuples, leaves - and the library's, both ways. Each tree has a type of its own: nothing here is
# compiled for it.

function params_of(@nospecialize(tree))
    out = Ref{Ptr{Cvoid}}(C_NULL)
    demand(pon_params_new(default_context(), out))
    params = Params(out[])
    if isset(tree)
        demand(pon_params_root(params, PON_KIND_PARAMETERS))
        fill_branch!(params, 0, fields(tree), "")
    elseif tree isa NamedTuple
        fill_branch!(params, 0, tree, "")
    elseif tree isa Tuple
        demand(pon_params_root(params, PON_KIND_TUPLE))
        fill_branch!(params, 0, tree, "")
    else
        throw(ArgumentError("a set of parameters is a set, a named tuple or a tuple, and this is a $(typeof(tree))"))
    end
    return params
end

function fill_branch!(params, node, @nospecialize(tree::NamedTuple), path)
    for key in keys(tree)
        add!(params, node, String(key), tree[key], "$path/$key")
    end
end

function fill_branch!(params, node, @nospecialize(tree::Tuple), path)
    for at in 1:length(tree)
        add!(params, node, nothing, tree[at], "$path/$(at - 1)")
    end
end

function added(call, params, node, key)
    place = Ref{UInt32}(0)
    name = key === nothing ? C_NULL : key
    demand(call(name, key === nothing ? 0 : sizeof(key), place))
    return place[]
end

add_branch!(params, node, key, kind) = added(params, node, key) do name, size, place
    pon_params_add_branch(params, node, name, size, kind, place)
end

add_value!(params, node, key, value) = added(params, node, key) do name, size, place
    pon_params_add(params, node, name, size, Ref(value), place)
end

add_typed!(params, node, key, kind, type) = added(params, node, key) do name, size, place
    pon_params_add_typed(params, node, name, size, kind, type, sizeof(type), place)
end

function add!(params, node, key, @nospecialize(leaf), path)
    if isset(leaf)
        fill_branch!(params, add_branch!(params, node, key, PON_KIND_PARAMETERS), fields(leaf), path)
    elseif leaf isa NamedTuple
        fill_branch!(params, add_branch!(params, node, key, PON_KIND_NAMED), leaf, path)
    elseif leaf isa Tuple
        fill_branch!(params, add_branch!(params, node, key, PON_KIND_TUPLE), leaf, path)
    elseif leaf isa PythonObject
        place = add_typed!(params, node, key, PON_KIND_OBJECT, leaf.type)
        foreach(one -> add!(params, place, one.first, one.second, "$path/$(one.first)"), leaf.fields)
    elseif leaf === missing
        add_value!(params, node, key, filled(pon_value; kind = PON_KIND_NOT_LOADED))
    elseif leaf === nothing
        add_value!(params, node, key, filled(pon_value; kind = PON_KIND_NONE))
    elseif leaf isa AbstractString
        text = String(leaf)
        GC.@preserve text add_value!(params, node, key,
            filled(pon_value; kind = PON_KIND_TEXT, text = pon_str(pointer(text), sizeof(text))))
    else
        add_leaf!(params, node, key, leaf, path)
    end
    return nothing
end

function add_leaf!(params, node, key, @nospecialize(leaf), path)
    storage = freeparameters(leaf)
    if storage !== leaf
        type = parameter_type_name(leaf)
        place = add_typed!(params, node, key, PON_KIND_STRUCTURED, type)
        add!(params, place, "storage", storage, "$path/storage")
        metadata = parameter_metadata(leaf)
        isempty(metadata) || add!(params, place, "metadata", metadata, "$path/metadata")
    elseif leaf isa Number_ || leaf isa AbstractArray{<:Number_} || leaf isa ForeignArray
        tensor = tensor_of(leaf)
        kind = leaf isa Number ? PON_KIND_SCALAR : PON_KIND_TENSOR
        GC.@preserve tensor add_value!(params, node, key, filled(pon_value; kind = kind, tensor = tensor.raw))
    else
        throw(ArgumentError(
            "$path is a $(typeof(leaf)), which holds no numbers that are known; say which of them are free with a method of " *
            "Pontil.freeparameters, and of Pontil.rebuild"))
    end
    return nothing
end

function info(params, node)
    raw = Ref(filled(pon_node_info))
    demand(pon_params_node(params, node, raw))
    return raw[]
end

function child(params, node, at)
    place = Ref{UInt32}(0)
    demand(pon_params_child(params, node, at - 1, place))
    return place[]
end

function found(params, node, path)
    place = Ref{UInt32}(0)
    code = pon_params_find(params, node, path, sizeof(path), place)
    code == PON_E_NO_PATH && return nothing
    demand(code)
    return place[]
end

children(params, node, count) = map(at -> child(params, node, at), 1:Int(count))
key_of(params, node) = string_of(info(params, node).key)

# The tree below a node; a `prototype` says of which types its leaves and sets are. What several nodes refer to is made once, and is
# the same object for all.
function tree_of(params, node = UInt32(0), @nospecialize(prototype = nothing), seen = Dict{UInt32,Any}())
    haskey(seen, node) && return seen[node]
    return seen[node] = GC.@preserve params branch_of(params, node, prototype, seen)
end

function branch_of(params, node, @nospecialize(prototype), seen)
    here = info(params, node)
    kind = here.kind
    if kind == PON_KIND_NAMED || kind == PON_KIND_PARAMETERS
        nodes = children(params, node, here.children)
        names = Tuple(Symbol[Symbol(key_of(params, one)) for one in nodes])
        model = prototype === nothing || prototype isa NamedTuple ? prototype : isset(prototype) ? fields(prototype) : nothing
        inners = Any[
            tree_of(params, one, model !== nothing && haskey(model, name) ? model[name] : nothing, seen) for (one, name) in zip(nodes, names)
        ]
        inner = NamedTuple{names}(Tuple(inners))
        kind == PON_KIND_NAMED && return inner
        return isset(prototype) ? set_like(prototype, inner) : Parameters(inner)
    elseif kind == PON_KIND_TUPLE || kind == PON_KIND_LIST || kind == PON_KIND_SET || kind == PON_KIND_FROZEN_SET
        nodes = children(params, node, here.children)
        same = prototype isa Tuple && length(prototype) == length(nodes)
        values = Any[tree_of(params, one, same ? prototype[at] : nothing, seen) for (at, one) in enumerate(nodes)]
        return kind == PON_KIND_TUPLE ? Tuple(values) : kind == PON_KIND_LIST ? values : Set(values)
    elseif kind == PON_KIND_OBJECT
        nodes = children(params, node, here.children)
        pairs = Pair{String,Any}[key_of(params, one) => tree_of(params, one, nothing, seen) for one in nodes]
        return PythonObject(string_of(here.type_name), pairs)
    elseif kind == PON_KIND_MAP
        return [key_tree(params, one, seen) => tree_of(params, one, nothing, seen) for one in children(params, node, here.children)]
    elseif kind == PON_KIND_STRUCTURED
        return structured_of(params, node, string_of(here.type_name), prototype, seen)
    elseif kind == PON_KIND_REFERENCE
        return tree_of(params, here.refers_to, prototype, seen)
    end
    return leaf_of(params, node, kind)
end

function key_tree(params, node, seen)
    key = info(params, node)
    return key.key_node == PON_NO_NODE ? string_of(key.key) : tree_of(params, key.key_node, nothing, seen)
end

function structured_of(params, node, type, @nospecialize(prototype), seen)
    model = prototype === nothing ? nothing : freeparameters(prototype)
    held = prototype !== nothing && model !== prototype
    storage = tree_of(params, found(params, node, "/storage"), held ? model : nothing, seen)
    held && return rebuild(prototype, storage)
    place = found(params, node, "/metadata")
    metadata = place === nothing ? NamedTuple() : tree_of(params, place, nothing, seen)
    make = get(REGISTRY, type, nothing)
    return make === nothing ? Structured(type, storage, metadata) : make(storage, metadata)
end

function leaf_of(params, node, kind)
    if kind == PON_KIND_TENSOR || kind == PON_KIND_SCALAR
        view = Ref{pon_view}()
        demand(pon_params_view(params, node, view))
        return GC.@preserve params array_of(view[])
    end
    raw = Ref(filled(pon_value))
    demand(pon_params_get(params, node, raw))
    value = raw[]
    kind == PON_KIND_INT && return value.i
    kind == PON_KIND_REAL && return value.re
    kind == PON_KIND_COMPLEX && return complex(value.re, value.im)
    kind == PON_KIND_BOOL && return value.i != 0
    kind == PON_KIND_NONE && return nothing
    kind == PON_KIND_TEXT && return string_of(value.text)
    kind == PON_KIND_BYTES && return Vector{UInt8}(codeunits(string_of(value.text)))
    kind == PON_KIND_BIG_INT && return parse(BigInt, string_of(value.text))
    kind == PON_KIND_RANGE && return value.i:value.step:(value.var"end" - sign(value.step))
    kind == PON_KIND_ELLIPSIS && return Colon()
    kind == PON_KIND_OPAQUE && return ForeignArray(
        string_of(value.descr), reversed(value.shape, value.ndim), Vector{UInt8}(codeunits(string_of(value.text))))
    return missing
end

"    difference(a, b)\n\nThe first difference of two sets in words, `nothing` if there is none: kinds, keys in order, types, shapes, bits."
function difference(a, b)
    same = Ref{Int32}(0)
    one, other = params_of(a), params_of(b)
    warnings = heard(list -> pon_params_equal(one, other, same, list))
    return same[] != 0 ? nothing : first(warnings).message
end

"    parameter_eltype(ps)\n\nThe element type of all numbers of a set; `Union{}` if there are none."
function parameter_eltype(ps)
    code = Ref{Int32}(0)
    params = params_of(ps)
    heard(list -> pon_params_eltype(params, 0, code, list))
    return code[] == PON_DTYPE_NONE ? Union{} : TYPES[code[]]
end

"    convert_parameters(T, ps)\n\nA set whose numbers, metadata left out, have another element type."
function convert_parameters(::Type{T}, ps) where {T}
    params = params_of(ps)
    return tree_of(made((out, list) -> pon_params_convert(params, dtype(T), out, list), Params), UInt32(0), ps)
end

"    check(ps)\n\nHolds every structured leaf to its type; throws all that is wrong."
function check(ps; keep_unknown = false)
    params = params_of(ps)
    heard(list -> pon_params_check(params, keep_unknown ? 1 : 0, list))
    return nothing
end

"    dense(leaf)\n\nA structured leaf of a built-in type as its matrix."
function dense(leaf)
    params = params_of((leaf = leaf,))
    place = found(params, 0, "/leaf")
    return array_of(made((out, list) -> pon_params_dense(params, place, out, list), Tensor))
end

"    project(type, matrix; n = 0)\n\nThe structured leaf of a built-in type that is nearest to a matrix."
function project(type::AbstractString, matrix::AbstractMatrix; n::Integer = 0)
    name = String(type)
    params = viewed((matrix isa StridedArray ? matrix : collect(matrix),)) do views
        made(Params) do out, list
            pon_params_project(default_context(), name, sizeof(name), Ref(views[1]), n, out, list)
        end
    end
    return tree_of(params)
end
