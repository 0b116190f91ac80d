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

# Lengths or steps of the library in the order of Julia.
reversed(numbers::Ptr{Int64}, count) = ntuple(axis -> Int(unsafe_load(numbers, count - axis + 1)), Int(count))

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
    type = get(TYPES, view.dtype, nothing)
    type === nothing && return foreign_of(view)
    numbers = Array{type}(undef, reversed(view.shape, view.ndim))
    GC.@preserve numbers packed_bytes!(Ptr{UInt8}(pointer(numbers)), sizeof(numbers), view)
    return view.ndim == 0 ? numbers[] : numbers
end

# Copies the numbers of a view in rows. In a file that is mapped they can stand at any address.
function packed_bytes!(into, count, view::pon_view)
    if view.strides == C_NULL
        unsafe_copyto!(into, Ptr{UInt8}(view.data), count)
    else
        packed, inner = packed_tensor(view), Ref{pon_view}()
        demand(pon_tensor_view(packed, inner))
        GC.@preserve packed unsafe_copyto!(into, Ptr{UInt8}(inner[].data), count)
    end
    return nothing
end

"""
Numbers of an element type that Julia does not have, for one bfloat16: the name of the type, the size, and the bytes as the library
keeps them, least significant first. It can be saved again.
"""
struct ForeignArray
    type::String
    size::Dims
    bytes::Vector{UInt8}
end
Base.:(==)(a::ForeignArray, b::ForeignArray) = a.type == b.type && a.size == b.size && a.bytes == b.bytes

# Name and bits of an element type of the library; nothing if there is none of that number.
function dtype_info(dtype)
    bits, name = Ref{UInt32}(0), Ref{pon_str}()
    return pon_dtype_info(dtype, bits, name) == PON_OK ? (string_of(name[]), Int(bits[])) : nothing
end

function dtype_named(name)
    for dtype in Iterators.countfrom(1)
        found = dtype_info(dtype)
        found === nothing && throw(ArgumentError("the library has no element type $name"))
        found[1] == name && return dtype, found[2]
    end
end

function foreign_of(view::pon_view)
    name, bits = dtype_info(view.dtype)
    lengths = reversed(view.shape, view.ndim)
    bytes = Vector{UInt8}(undef, cld(prod(lengths) * bits, 8))
    GC.@preserve bytes packed_bytes!(pointer(bytes), length(bytes), view)
    return ForeignArray(name, lengths, bytes)
end

function packed_tensor(view::pon_view)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    demand(pon_tensor_copy(C_NULL, Ref(view), out))
    return Tensor(out[])
end

function tensor_of(array::ForeignArray)
    type, bits = dtype_named(array.type)
    need = cld(prod(array.size) * bits, 8)
    length(array.bytes) == need || throw(DimensionMismatch("$need bytes are needed, and there are $(length(array.bytes))"))
    lengths = Int64[reverse(array.size)...]
    view = filled(pon_view; data = convert(Ptr{Cvoid}, pointer(array.bytes)), dtype = type, ndim = length(lengths), shape = pointer(lengths))
    return GC.@preserve array lengths packed_tensor(view)
end

tensor_of(number::Number) = tensor_of(fill(number))
function tensor_of(array::AbstractArray)
    dense = array isa StridedArray ? array : collect(array)
    return viewed(views -> packed_tensor(views[1]), (dense,))
end

function array_of(tensor::Tensor)
    view = Ref{pon_view}()
    demand(pon_tensor_view(tensor, view))
    return GC.@preserve tensor array_of(view[])
end
