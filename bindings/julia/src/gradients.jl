# From the cotangent that a reverse pass leaves of a set to the gradient over its numbers.

"""
    gradient(ps, cotangent)

The gradient of a set over the numbers it stores, by the rules of the built-in types; `nothing` if the whole cotangent is a hole
(nothing, a number 0, a branch without children, a key that is not there). A hole inside becomes zero.
"""
function gradient(ps, cotangent)
    cotangent === nothing && return nothing
    params, its = params_of(ps), params_of(cotangent)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    heard(list -> pon_params_gradient(params, its, out, list))
    return out[] == C_NULL ? nothing : tree_of(Params(out[]), UInt32(0), ps)
end

struct Rule
    call::Any
    prototype::Any
end

function ruled(userdata::Ptr{Cvoid}, params::Ptr{Cvoid}, leaf::UInt32, cotangent::Ptr{Cvoid}, its::UInt32, out::Ptr{Cvoid},
    out_leaf::UInt32, ::Ptr{Cvoid})::Int32
    box = unsafe_pointer_to_objref(userdata)::Box
    try
        rule = box.call::Rule
        primal = at_path(rule.prototype, keys_to(params, leaf))
        put!(out, out_leaf, rule.call(primal, tree_of(cotangent, its)))
        return PON_OK
    catch thrown
        keep_thrown(thrown)
        return PON_STOPPED
    end
end

# The places that lead to a node, from the root.
function keys_to(params, node)
    places = Any[]
    while true
        here = info(params, node)
        here.parent == PON_NO_NODE && return reverse(places)
        name = string_of(here.key)
        siblings = children(params, here.parent, info(params, here.parent).children)
        push!(places, isempty(name) ? findfirst(isequal(node), siblings) : Symbol(name))
        node = here.parent
    end
end

at_path(tree, places) = foldl((branch, place) -> (isset(branch) ? fields(branch) : branch)[place], places; init = tree)

function put!(out, node, leaf)
    made = params_of((leaf = leaf,))
    demand(pon_params_replace(out, node, made, found(made, 0, "/leaf")))
    return nothing
end

"""
    map_cotangent(f, ps, cotangent)

Walks over a set and its cotangent; each leaf becomes `f(leaf, cotangent_of_leaf)`, a hole zero, without a call. `nothing` if the whole
cotangent is a hole.
"""
function map_cotangent(f, ps, cotangent)
    cotangent === nothing && return nothing
    params, its = params_of(ps), params_of(cotangent)
    out, box = Ref{Ptr{Cvoid}}(C_NULL), Box(Rule(f, ps))
    call = @cfunction(ruled, Int32, (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}))
    GC.@preserve box heard() do list
        pon_params_map_cotangent(params, its, call, pointer_from_objref(box), out, list)
    end
    return out[] == C_NULL ? nothing : tree_of(Params(out[]), UInt32(0), ps)
end

"    storage_gradient(leaf, cotangent)\n\nThe gradient over one leaf's storage: of an array the cotangent in its element type, of a structured leaf its type's rule."
function storage_gradient(leaf, cotangent)
    return gradient((leaf = leaf,), (leaf = cotangent,)).leaf
end
