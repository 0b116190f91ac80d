# Arrays of Julia as views of the library: the same memory, axes in the opposite order.

const DTYPES = Dict{DataType,Int32}(
    Float32 => PON_DTYPE_F32, Float64 => PON_DTYPE_F64, Float16 => PON_DTYPE_F16, Int8 => PON_DTYPE_I8, Int16 => PON_DTYPE_I16,
    Int32 => PON_DTYPE_I32, Int64 => PON_DTYPE_I64, UInt8 => PON_DTYPE_U8, UInt16 => PON_DTYPE_U16, UInt32 => PON_DTYPE_U32,
    UInt64 => PON_DTYPE_U64, Bool => PON_DTYPE_BOOL, ComplexF32 => PON_DTYPE_C64, ComplexF64 => PON_DTYPE_C128,
)
const TYPES = Dict{Int32,DataType}(code => type for (type, code) in DTYPES)

dtype(::Type{T}) where {T} = get(DTYPES, T) do
    throw(ArgumentError("Pontil has no element type for $T"))
end

const Number_ = Union{Float32,Float64,Float16,Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64,Bool,ComplexF32,ComplexF64}

# Calls `call(views)` with raw views of the arrays, which stay where they are meanwhile.
function viewed(call, arrays::Tuple)
    shapes = map(array -> Int64[reverse(size(array))...], arrays)
    steps = map(array -> Int64[reverse(strides(array))...], arrays)
    GC.@preserve arrays shapes steps begin
        views = map(arrays, shapes, steps) do array, shape, step
            filled(pon_view;
                data = convert(Ptr{Cvoid}, pointer(array)),
                dtype = dtype(eltype(array)),
                ndim = ndims(array),
                shape = pointer(shape),
                strides = pointer(step))
        end
        return call(views)
    end
end

# A copy of the numbers of a view as an array of Julia; a number if it has no axes.
function array_of(view::pon_view)
    type = get(TYPES, view.dtype) do
        throw(ArgumentError("the numbers are of element type $(view.dtype), which Julia has not"))
    end
    lengths = ntuple(axis -> Int(unsafe_load(view.shape, view.ndim - axis + 1)), Int(view.ndim))
    packed = view.strides == C_NULL
    view.ndim == 0 && return unsafe_load(Ptr{type}(view.data))
    prod(lengths) == 0 && return Array{type}(undef, lengths)
    packed && return copy(unsafe_wrap(Array, Ptr{type}(view.data), lengths))
    steps = ntuple(axis -> Int(unsafe_load(view.strides, view.ndim - axis + 1)), Int(view.ndim))
    numbers = Array{type}(undef, lengths)
    for place in CartesianIndices(numbers)
        numbers[place] = unsafe_load(Ptr{type}(view.data), 1 + sum((Tuple(place) .- 1) .* steps))
    end
    return numbers
end

tensor_of(number::Number) = tensor_of(fill(number))
function tensor_of(array::AbstractArray)
    dense = array isa StridedArray ? array : collect(array)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    viewed(views -> demand(pon_tensor_copy(C_NULL, Ref(views[1]), out)), (dense,))
    return Tensor(out[])
end

function array_of(tensor::Tensor)
    view = Ref{pon_view}()
    demand(pon_tensor_view(tensor, view))
    return GC.@preserve tensor array_of(view[])
end
