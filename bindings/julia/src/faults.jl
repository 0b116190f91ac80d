# What can be wrong with a file, a network or a call, and the exception that carries it.

"One fault: `code`, `name`, `iserror`, `message` for people, `path`, `place` in the file, `offset` or `nothing`, `arguments` as JSON."
struct Fault
    code::Int32
    name::String
    iserror::Bool
    message::String
    path::String
    place::String
    offset::Union{UInt64,Nothing}
    arguments::String
end

Base.show(io::IO, fault::Fault) = print(io, fault.message)

"A call that was refused, with every fault that was found; it prints a fault a line."
struct PontilError <: Exception
    code::Int32
    faults::Vector{Fault}
end

function Base.showerror(io::IO, refused::PontilError)
    print(io, "PontilError: ", status_name(refused.code))
    for fault in refused.faults
        print(io, "\n  ", fault.message)
    end
end

# Bytes of a file may be WTF-8; a String of Julia takes them as they are.
string_of(text::pon_str) = text.data == C_NULL ? "" : unsafe_string(text.data, text.len)

function status_name(code)
    text = Ref{pon_str}()
    pon_status_name(code, text) == PON_OK || return "unknown"
    return string_of(text[])
end

# A struct of the library with noughts but for its size and what is named.
function filled(::Type{T}; given...) where {T}
    named = (; given...)
    values = map(1:fieldcount(T)) do at
        name, kind = fieldname(T, at), fieldtype(T, at)
        name === :struct_size ? UInt32(sizeof(T)) : haskey(named, name) ? convert(kind, named[name]) : nought(kind)
    end
    return T(values...)
end

nought(::Type{T}) where {T<:Number} = zero(T)
nought(::Type{Ptr{T}}) where {T} = Ptr{T}(C_NULL)
nought(::Type{T}) where {T} = T(map(at -> nought(fieldtype(T, at)), 1:fieldcount(T))...)

# Throws unless a call that tells no faults went well.
demand(code) = code == PON_OK ? nothing : throw(PontilError(code, [meaning(code)]))

function meaning(code)
    text = Ref{pon_str}()
    said = pon_status_text(code, text) == PON_OK ? string_of(text[]) : ""
    return Fault(code, status_name(code), true, said, "", "", nothing, "{}")
end

function faults_of(list)
    raw = Ref(filled(pon_fault))
    return map(1:pon_faults_count(list)) do at
        demand(pon_faults_get(list, at - 1, raw))
        one = raw[]
        Fault(
            one.code,
            string_of(one.name),
            one.severity == PON_SEVERITY_ERROR,
            string_of(one.message),
            string_of(one.path),
            string_of(one.place),
            one.offset == PON_NO_OFFSET ? nothing : one.offset,
            string_of(one.arguments_json),
        )
    end
end

# A function of the host, or what one works on, at an address that the library can be given.
mutable struct Box
    call::Any
end

# What functions of the host throw in the call that a task is in: kept in the task, since nothing may unwind through the library.
const THROWN = :pontil_thrown

thrown_here() = get(task_local_storage(), THROWN, nothing)

# Keeps an exception for the call that this task is in; the first counts.
function keep_thrown(thrown)
    mine = thrown_here()
    mine !== nothing && mine[] === nothing && (mine[] = thrown)
    return nothing
end

# `call(list)` answers a status; gives the warnings. What a function of the host threw is thrown before anything else. Calls can stand
# within one another.
function heard(call)
    list, mine, outer = Ref{Ptr{Cvoid}}(C_NULL), Ref{Any}(nothing), thrown_here()
    demand(pon_faults_new(list))
    task_local_storage(THROWN, mine)
    try
        code = call(list[])
        mine[] === nothing || throw(mine[])
        code == PON_OK || throw(PontilError(code, faults_of(list[])))
        return faults_of(list[])
    finally
        task_local_storage(THROWN, outer)
        pon_faults_free(list[])
    end
end

# The same for a call that makes an object: `call(out, list)`.
function made(call, ::Type{T}) where {T}
    out = Ref{Ptr{Cvoid}}(C_NULL)
    try
        heard(list -> call(out, list))
    catch
        out[] == C_NULL || free(T, out[])
        rethrow()
    end
    return T(out[])
end
