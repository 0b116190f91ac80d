# Finding and opening the native library. It is opened at the first call, without RTLD_DEEPBIND, which is Julia's default: with it
# the library's unwinder could be another than the one it was built with.

const LIBRARY = Ref{Ptr{Cvoid}}(C_NULL)
const ADDRESSES = Ptr{Cvoid}[]
const OPENING = ReentrantLock()
const CHOSEN = Ref{String}("")
const TRIED = String[]

"""
    Pontil.library!(path)

Says where the native library is; before anything else is used. A JLL or an artifact calls it in its own `__init__`. Without it
`ENV["PONTIL_LIBRARY"]` is taken, then `lib` in the folder of this package.
"""
function library!(path::AbstractString)
    LIBRARY[] == C_NULL || error("Pontil's native library is open already; its path is said before the first use.")
    CHOSEN[] = String(path)
    return nothing
end

function reset_library!()
    LIBRARY[] = C_NULL
    empty!(ADDRESSES)
    return nothing
end

function places()
    name = Sys.iswindows() ? "pontil.dll" : Sys.isapple() ? "libpontil.dylib" : "libpontil.so"
    isempty(CHOSEN[]) || return [isdir(CHOSEN[]) ? joinpath(CHOSEN[], name) : CHOSEN[]]
    said = get(ENV, "PONTIL_LIBRARY", "")
    isempty(said) || return [isdir(said) ? joinpath(said, name) : said]
    return [joinpath(dirname(@__DIR__), "lib", name)]
end

function open_library()
    lock(OPENING) do
        LIBRARY[] == C_NULL || return
        empty!(TRIED)
        append!(TRIED, places())
        at = findfirst(isfile, TRIED)
        at === nothing && error(
            "Pontil's native library was not found. Looked at:\n  " * join(TRIED, "\n  ") *
            "\nSet ENV[\"PONTIL_LIBRARY\"] or call Pontil.library!(path) before anything else.",
        )
        handle = Libdl.dlopen(TRIED[at], Libdl.RTLD_LAZY | Libdl.RTLD_LOCAL)
        something(Libdl.dlsym_e(handle, :pon_abi), C_NULL) == C_NULL && error("$(TRIED[at]) is a library, but not Pontil's.")
        found = Ptr{Cvoid}[something(Libdl.dlsym_e(handle, entry), C_NULL) for entry in ENTRIES]
        check_versions(handle)
        append!(empty!(ADDRESSES), found)
        LIBRARY[] = handle
    end
    return nothing
end

function check_versions(handle, abi = PON_ABI, header = PON_HEADER)
    its_abi = ccall(Libdl.dlsym(handle, :pon_abi), UInt32, ())
    its = ccall(Libdl.dlsym(handle, :pon_version), UInt32, ())
    fits = ccall(Libdl.dlsym(handle, :pon_check), Int32, (UInt32, UInt32), abi, header)
    written(version) = string(version >> 16, '.', (version >> 8) & 255, '.', version & 255)
    fits == PON_OK || error(
        "Pontil's native library has the interface $its_abi and the version $(written(its)); this package needs the interface " *
        "$abi and at least version $(written(UInt32(header))).",
    )
    return nothing
end

# The address of entry number `at`; the first call opens the library.
function address(at)
    LIBRARY[] == C_NULL && open_library()
    found = @inbounds ADDRESSES[at]
    found == C_NULL && error("The native library of Pontil has no entry $(ENTRIES[at]): it is older than this package.")
    return found
end

"What the library was built as: a JSON text."
function build_info()
    text = Ref{pon_str}()
    demand(pon_build_info(text))
    return string_of(text[])
end

"Every layer word, with the JSON schema of its settings."
function words()
    word, schema = Ref{pon_str}(), Ref{pon_str}()
    return map(1:pon_words_count(C_NULL)) do at
        demand(pon_words_get(C_NULL, at - 1, word, schema))
        string_of(word[]) => string_of(schema[])
    end
end
