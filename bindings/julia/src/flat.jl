# A set's numbers in one flat vector, and back.

"""
Where each number of a set stands in one vector: `layout(ps)`. It keeps the set as the prototype that sets are rebuilt by.
"""
struct ParametersLayout{P}
    handle::Layout
    prototype::P
end

"    layout(ps)\n\nThe order of a set's numbers: depth first, column-major within an array, of structured leaves the storage alone."
function layout(ps)
    params = params_of(ps)
    return ParametersLayout(made((out, list) -> pon_layout_new(params, 0, out, list), Layout), ps)
end

Base.length(layout::ParametersLayout) = Int(pon_layout_count(layout.handle))
Base.show(io::IO, layout::ParametersLayout) = print(io, "ParametersLayout(1:", length(layout), ")")
function Base.:(==)(a::ParametersLayout, b::ParametersLayout)
    same = Ref{Int32}(0)
    demand(pon_layout_equal(a.handle, b.handle, same))
    return same[] != 0
end

"The numbers below a path like `/L1/W`, as a range of the vector."
function Base.range(layout::ParametersLayout, path::AbstractString)
    first, count = Ref{UInt64}(0), Ref{UInt64}(0)
    demand(pon_layout_range(layout.handle, String(path), sizeof(path), first, count))
    return Int(first[])+1:Int(first[] + count[])
end

"The leaves of a layout: path, range and size of each."
function segments(layout::ParametersLayout)
    return map(1:pon_layout_segments(layout.handle)) do at
        raw = Ref(filled(pon_segment))
        demand(pon_layout_segment(layout.handle, at - 1, raw))
        one = raw[]
        path, size = GC.@preserve layout (string_of(one.path), reversed(one.shape, one.ndim))
        (path = path, range = Int(one.first)+1:Int(one.first + one.count), size = size)
    end
end

"    flatten([T,] ps)\n\nThe numbers of a set as a vector, of their element type or `T`."
flatten(ps) = flatten(parameter_eltype(ps) === Union{} ? Float64 : parameter_eltype(ps), ps)
flatten(::Type{T}, ps) where {T} = (order = layout(ps); flatten!(Vector{T}(undef, length(order)), ps, order))

"    flatten!(vector, ps[, layout])"
function flatten!(flat::StridedVector, ps, order::ParametersLayout = layout(ps))
    length(flat) == length(order) ||
        throw(DimensionMismatch("the vector has $(length(flat)) numbers, and the layout needs $(length(order))"))
    params = params_of(ps)
    viewed(views -> demand(pon_layout_gather(order.handle, params, 0, Ref(views[1]))), (flat,))
    return flat
end

"    unflatten(layout, vector)\n\nA set of the layout with the numbers of a vector, in its element type."
function unflatten(order::ParametersLayout, flat::StridedVector)
    length(flat) == length(order) ||
        throw(DimensionMismatch("the vector has $(length(flat)) numbers, and the layout needs $(length(order))"))
    params = viewed((flat,)) do views
        made((out, list) -> pon_layout_unflatten(order.handle, Ref(views[1]), out, list), Params)
    end
    return tree_of(params, UInt32(0), order.prototype)
end

"    unflatten(layout, matrix)\n\nSplits the rows of a matrix, of a Jacobian for one: each leaf becomes its block of rows."
function unflatten(order::ParametersLayout, matrix::StridedMatrix)
    params = viewed((matrix,)) do views
        made((out, list) -> pon_layout_unflatten_rows(order.handle, Ref(views[1]), 1, out, list), Params)
    end
    return tree_of(params)
end

"    unflatten!(ps, layout, vector)\n\nWrites a vector into the arrays of a set; single numbers of Julia can not be written."
function unflatten!(ps, order::ParametersLayout, flat::StridedVector)
    write!(ps, unflatten(order, flat))
    return ps
end

write!(to::AbstractArray{<:Number_}, from::AbstractArray) = copyto!(to, from)
write!(to, from::Nothing) = nothing
function write!(to, from)
    if isset(to) || to isa NamedTuple || to isa Tuple
        foreach(write!, values(isset(to) ? fields(to) : to), values(isset(from) ? fields(from) : from))
    elseif freeparameters(to) !== to
        write!(freeparameters(to), freeparameters(from))
    else
        throw(ArgumentError("a $(typeof(to)) can not be written in place"))
    end
    return nothing
end
