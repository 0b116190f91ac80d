# The corpus through Julia: `route.jl LIST OUT`, as tests/routes tells.
using Pontil

lengths(text) = isempty(text) ? () : Tuple(parse.(Int, split(text, ',')))

function sum64(pieces)
    total = 0xcbf29ce484222325
    for piece in pieces, byte in piece
        total = (total ⊻ byte) * 0x00000100000001b3
    end
    return string(total; base = 16, pad = 16)
end

bytes_of(array) = reinterpret(UInt8, vec(array))

function escaped(text)
    out = UInt8[]
    for byte in codeunits(text)
        append!(out, byte < 0x20 || byte == UInt8('\\') ? codeunits("\\x" * string(byte; base = 16, pad = 2)) : [byte])
    end
    return String(out)
end

file_of(path, way) = way == "path" ? path : way == "memory" ? read(path) : IOBuffer(read(path))

function listing(file, options)
    pieces = Any[]
    entries, arrays = Pontil.entries(file(); options...), Pontil.arrays(file(); options...)
    for (entry, (_, numbers)) in zip(entries, arrays)
        push!(pieces, codeunits(entry.path), codeunits("\n$(entry.dtype)\n$(join(reverse(entry.size), ','))\n"), numbers)
    end
    return "listing\t$(length(entries))\t$(sum64(pieces))"
end

function raw(path, type, size)
    T = Pontil.TYPES[type]
    return collect(reshape(reinterpret(T, read(path)), reverse(size)))
end

function answered(file, options, ins, outs, most)
    network = Pontil.network(file(); options...)
    isempty(ins) && return "network"
    given = map(split(ins, ';')) do one
        path, type, size = split(one, ':')
        raw(path, parse(Int32, type), lengths(size))
    end
    answers = network(given...)
    answers isa Tuple || (answers = (answers,))
    right = true
    for (answer, one) in zip(answers, split(outs, ';'))
        path, size = split(one, ':')
        should = raw(path, Pontil.PON_DTYPE_F64, lengths(size))
        right &= Base.size(answer) == Base.size(should) &&
            all(a == b || (isnan(a) && isnan(b)) || abs(Float64(a) - b) <= most for (a, b) in zip(answer, should))
    end
    return "answers\t$(sum64(map(bytes_of, answers)))\t$(right ? "right" : "wrong")"
end

# Kind, key, name of the type and how many children.
function head!(pieces, params, node)
    here = Pontil.info(params, node)
    push!(pieces, codeunits("$(here.kind)\n$(Pontil.string_of(here.key))\n$(Pontil.string_of(here.type_name))\n$(here.children)\n"))
    return here
end

function walk!(pieces, params, node)
    here = head!(pieces, params, node)
    value() = Pontil.leaf_of(params, node, here.kind)
    if here.kind == Pontil.PON_KIND_INT || here.kind == Pontil.PON_KIND_BOOL
        push!(pieces, codeunits(string(Int(value()))))
    elseif here.kind == Pontil.PON_KIND_REAL
        push!(pieces, reinterpret(UInt8, [value()]))
    elseif here.kind == Pontil.PON_KIND_TEXT || here.kind == Pontil.PON_KIND_BIG_INT
        push!(pieces, codeunits(string(value())))
    elseif here.kind == Pontil.PON_KIND_REFERENCE
        head!(pieces, params, here.refers_to)
    end
    here.key_node == Pontil.PON_NO_NODE || walk!(pieces, params, here.key_node)
    foreach(child -> walk!(pieces, params, child), Pontil.children(params, node, here.children))
end

function tree(file, options)
    params, pieces = Pontil.params_in(file(); options...), Any[]
    walk!(pieces, params, 0)
    return "tree\t$(Int(Pontil.pon_params_count(params)))\t$(sum64(pieces))"
end

function flattened(file, options)
    set = Pontil.load(file(); options...)
    order, type = Pontil.layout(set), Pontil.parameter_eltype(set)
    flat = Pontil.flatten(set)
    return "set\t$(length(order))\t$(Pontil.dtype(type === Union{} ? Float64 : type))\t$(sum64((bytes_of(flat),)))"
end

function run(field, way, out)
    head = "$(field[1])\t$way\t"
    file() = file_of(field[2], way)
    say(line) = println(out, head, line)
    said(text) = isempty(text) ? "" : String(text)
    options = (strip_prefix = said(field[4]), key = said(field[5]), fold_weight_norm = field[6] == "1", example = reverse(lengths(field[7])),
        layout = :as_file)
    try
        isempty(field[3]) || (options = merge(options, (network = read(field[3], String),)))
        field[8] == "set" || say(listing(file, options))
        field[8] == "network" && say(answered(file, options, field[9], field[10], parse(Float64, field[11])))
        field[8] in ("tree", "set") && say(tree(file, options))
        field[8] == "set" && say(flattened(file, options))
    catch refused
        refused isa Pontil.PontilError || rethrow()
        println(out, head, "refused\t", refused.code)
        for fault in refused.faults
            offset = fault.offset === nothing ? "-" : string(fault.offset)
            println(out, head, join(("fault", fault.code, fault.name, fault.iserror ? "error" : "warning", escaped(fault.path),
                escaped(fault.place), offset, escaped(fault.message), escaped(fault.arguments)), '\t'))
        end
    end
end

open(ARGS[2], "w") do out
    for line in eachline(ARGS[1]), way in ("path", "memory", "stream")
        run(split(line, '\t'), way, out)
    end
end
