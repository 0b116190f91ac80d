# Bytes to be read: a file, a vector of bytes, or a stream.

"""
    Source(path), Source(bytes::Vector{UInt8}), Source(io::IO)

Bytes to be read. Bytes are not copied and must not change while something that was read of them is used. A stream is read from where
it stands; it must stay as it is until what was opened from it is closed. One that can not seek is read to its end here, before the
library has it: a task that waits for bytes may not wait within a call.
"""
struct Source
    handle::SourceHandle
end

Base.close(source::Source) = close(source.handle)
Base.unsafe_convert(::Type{Ptr{Cvoid}}, source::Source) = Base.unsafe_convert(Ptr{Cvoid}, source.handle)

function Source(path::AbstractString)
    name = String(path)
    handle = made(SourceHandle) do out, list
        pon_source_path(default_context(), name, sizeof(name), out, list)
    end
    return Source(handle)
end

function Source(bytes::Vector{UInt8})
    keeper = keep(bytes)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    code = GC.@preserve bytes keeper pon_source_bytes(
        default_context(), pointer(bytes), length(bytes), drop_call(), pointer_from_objref(keeper), out)
    code == PON_OK || (keeper.done = true)
    demand(code)
    return Source(SourceHandle(out[]))
end

struct Stream
    io::IO
    start::Int64
    size::Int64
end

stream_of(userdata) = (unsafe_pointer_to_objref(userdata)::Keeper).kept::Stream

stream_size(userdata::Ptr{Cvoid})::Int64 = stream_of(userdata).size

function stream_read(userdata::Ptr{Cvoid}, at::UInt64, into::Ptr{UInt8}, room::Csize_t)::Int64
    try
        stream = stream_of(userdata)
        seek(stream.io, stream.start + at)
        count = min(room, max(0, stream.size - Int64(at)))
        unsafe_read(stream.io, into, count)
        return Int64(count)
    catch thrown
        keep_thrown(thrown)
        return Int64(-1)
    end
end

# Where a stream stands and how much it holds; nothing if it can not seek.
function extent(io::IO)
    applicable(position, io) && applicable(seekend, io) && applicable(seek, io, 0) || return nothing
    try
        start = position(io)
        seekend(io)
        return start, position(io) - start
    catch refused
        isopen(io) && refused isa SystemError || rethrow()
        return nothing
    end
end

function Source(io::IO)
    found = extent(io)
    found === nothing && return Source(read(io))
    keeper = keep(Stream(io, found...))
    reader = Ref(filled(pon_reader;
        userdata = pointer_from_objref(keeper),
        drop = drop_call(),
        size = @cfunction(stream_size, Int64, (Ptr{Cvoid},)),
        read = @cfunction(stream_read, Int64, (Ptr{Cvoid}, UInt64, Ptr{UInt8}, Csize_t))))
    try
        return Source(made((out, list) -> pon_source_reader(default_context(), reader, out, list), SourceHandle))
    catch
        keeper.done = true
        rethrow()
    end
end
