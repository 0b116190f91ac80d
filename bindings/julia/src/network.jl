# Networks as functions of arrays.

"""
A network. `network(x)` runs it: the examples are along the last axis of `x`, and of the answer; an `x` without that axis is one example.
Arrays of the network's element type are not copied. Any number of tasks may call it; each call has a session of its own, which is
kept for the next.
"""
mutable struct Network <: Object
    raw::Ptr{Cvoid}
    idle::Vector{Any}
    waiting::ReentrantLock
    function Network(raw::Ptr{Cvoid})
        network = new(raw, Any[], ReentrantLock())
        finalizer(close, network)
        return network
    end
end
free(::Type{Network}, raw) = pon_network_free(raw)

"""
    Session(network; batch = 1, precision = :standard, threads = 0)

A network made ready to run: one task at a time, a second one is an error. `session(x...)` answers,
`run!(outputs, session, inputs)` writes into arrays of yours.
"""
mutable struct Session <: Object
    raw::Ptr{Cvoid}
    network::Network
    batch::Int
    busy::Threads.Atomic{Bool}
    function Session(network::Network; batch::Integer = 1, precision::Symbol = :standard, threads::Integer = 0)
        options = session_options(batch, precision, threads)
        out = Ref{Ptr{Cvoid}}(C_NULL)
        heard(list -> pon_session_new(network, options, out, list))
        session = new(out[], network, batch, Threads.Atomic{Bool}(false))
        finalizer(release, session)
        return session
    end
end
free(::Type{Session}, raw) = pon_session_free(raw)

alone(call, session::Session) = alone(call, session.busy, "session")

Base.close(session::Session) = alone(() -> release(session), session)

function session_options(batch, precision, threads)
    precision in (:standard, :exact) || throw(ArgumentError("precision is :standard or :exact"))
    batch > 0 && threads >= 0 || throw(ArgumentError("batch is 1 or more, threads 0 or more"))
    exact = precision === :exact ? PON_PRECISION_EXACT : PON_PRECISION_STANDARD
    return Ref(filled(pon_session_options; max_batch = batch, precision = exact, threads = threads))
end

"How much memory for values such a session would hold, in bytes."
function session_bytes(network::Network; batch = 1, precision = :standard, threads = 0)
    size = Ref{UInt64}(0)
    heard(list -> pon_session_bytes(network, session_options(batch, precision, threads), size, list))
    return size[]
end

"What a session has done: runs, bytes of its memory, allocations of the library while running."
function statistics(session::Session)
    raw = Ref(filled(pon_session_stats))
    alone(() -> demand(pon_session_stats_get(session, raw)), session)
    return (runs = raw[].runs, bytes = raw[].workspace_bytes, allocations = raw[].allocations)
end

"The instruction set of a session's kernels."
function instruction_set(session::Session)
    text = Ref{pon_str}()
    alone(() -> demand(pon_session_isa(session, text)), session)
    return string_of(text[])
end

"Goes on with the numbers of another network of the same plan."
swap!(session::Session, network::Network) = (alone(() -> demand(pon_session_swap(session, network)), session); session)

"Makes a session usable again after a defect of the library."
reset!(session::Session) = (alone(() -> demand(pon_session_reset(session)), session); session)

function port(raw::pon_port)
    free_or(length) = length < 0 ? nothing : Int(length)
    lengths = raw.ndim < 0 ? nothing : map(free_or, reversed(raw.shape, raw.ndim))
    return (name = string_of(raw.name), eltype = get(TYPES, raw.dtype, nothing), size = lengths)
end

function ports(network::Network, direction)
    return map(1:pon_network_ports(network, direction)) do at
        raw = Ref(filled(pon_port))
        demand(pon_network_port(network, direction, at - 1, raw))
        GC.@preserve network port(raw[])
    end
end

"The inputs of a network: name, element type, size with the examples last; `nothing` is free."
inputs(network::Network) = ports(network, PON_INPUT)

"The outputs of a network."
outputs(network::Network) = ports(network, PON_OUTPUT)

"What a layer makes, by its name."
function layer(network::Network, name::AbstractString)
    place, raw = Ref{UInt32}(0), Ref(filled(pon_port))
    demand(pon_network_layer(network, String(name), sizeof(name), place))
    demand(pon_network_layer_port(network, place[], raw))
    return GC.@preserve network port(raw[])
end

"The numbers of a network by their paths, in the library's own layout."
function slots(network::Network)
    return map(1:pon_network_slots(network)) do at
        raw = Ref(filled(pon_slot))
        demand(pon_network_slot(network, at - 1, raw))
        GC.@preserve network (string_of(raw[].path) => array_of(raw[].view))
    end
end

"The numbers of a network as a set."
function parameters(network::Network)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    demand(pon_network_params(network, out))
    return tree_of(Params(out[]))
end

"The same network with other numbers."
function with(network::Network, ps)
    params = params_of(ps)
    return made((out, list) -> pon_network_with(network, params, out, list), Network)
end

"    build(description[, ps])\n\nA network of JSON and a set; without a set: noughts."
function build(description, ps = nothing)
    words = parse_description(description)
    params = ps === nothing ? C_NULL : params_of(ps)
    return made((out, list) -> pon_network_build(words, params, out, list), Network)
end

function parse_description(json::AbstractString)
    text = String(json)
    return made((out, list) -> pon_description_parse(default_context(), text, sizeof(text), out, list), Description)
end

"The description of a network as JSON."
function description(network::Network)
    out, text = Ref{Ptr{Cvoid}}(C_NULL), Ref{pon_str}()
    demand(pon_network_description(network, out))
    words = Description(out[])
    demand(pon_description_print(words, text))
    return GC.@preserve words string_of(text[])
end

"The steps a network runs in, for people."
function plan(network::Network; precision = :standard)
    text = Ref{pon_str}()
    exact = precision === :exact ? PON_PRECISION_EXACT : PON_PRECISION_STANDARD
    heard(list -> pon_network_plan_text(network, exact, text, list))
    return GC.@preserve network string_of(text[])
end

"    run!(outputs, session, inputs; cancel = nothing)\n\nRuns on tuples of arrays with the examples last, and writes into `outputs`."
function run!(outputs::Tuple, session::Session, inputs::Tuple; cancel = nothing)
    alone(session) do
        viewed(inputs) do from
            viewed(outputs) do to
                given, wanted = collect(from), collect(to)
                code = pon_session_run_with(session, given, length(given), wanted, length(wanted), cancel === nothing ? C_NULL : cancel)
                100 <= code < 200 && fit(session, outputs, inputs)
                demand(code)
            end
        end
    end
    return outputs
end

# Says what does not fit a network that can be asked.
function fit(session::Session, outputs, given)
    isopen(session.network) || return
    fit("input", inputs(session.network), given)
    fit("output", Pontil.outputs(session.network), outputs)
    counts = unique(map(array -> size(array)[end], (given..., outputs...)))
    length(counts) == 1 || throw(DimensionMismatch("inputs and outputs have as many examples, and here are $(join(counts, ", "))"))
    counts[1] in 1:session.batch ||
        throw(DimensionMismatch("the session takes 1 to $(session.batch) examples at once, and here are $(counts[1])"))
    return nothing
end

function fit(what, ports, arrays)
    length(ports) == length(arrays) ||
        throw(ArgumentError("the network has $(length(ports)) $(what)s, and $(length(arrays)) were given"))
    for (port, array) in zip(ports, arrays)
        port.eltype === nothing || eltype(array) === port.eltype ||
            throw(ArgumentError("the $what $(port.name) is of $(port.eltype), and this array of $(eltype(array))"))
        fits = port.size === nothing || ndims(array) == length(port.size) &&
            all(map((should, is) -> should === nothing || should == is, port.size, size(array)))
        fits || throw(DimensionMismatch("the $what $(port.name) is $(told(port.size)), and this array $(told(size(array)))"))
    end
end

told(lengths) = isempty(lengths) ? "a single number" : join((something(one, "any") for one in lengths), " by ")

# Whether the axis of the examples is left out.
one_example(ins, arrays) = !isempty(ins) && !isempty(arrays) && ins[1].size !== nothing && ndims(arrays[1]) == length(ins[1].size) - 1

# The array as the port takes it: strided, of its element type.
function fitting(array::AbstractArray, port)
    type = something(port.eltype, eltype(array))
    return eltype(array) === type && array isa StridedArray ? array : convert(Array{type}, array)
end

function (session::Session)(arrays::AbstractArray...; cancel = nothing)
    ins, outs = inputs(session.network), outputs(session.network)
    length(arrays) == length(ins) || throw(ArgumentError("the network has $(length(ins)) inputs, and $(length(arrays)) were given"))
    single = one_example(ins, arrays)
    whole = single ? map(array -> reshape(array, size(array)..., 1), arrays) : arrays
    given = Tuple(fitting(array, port) for (array, port) in zip(whole, ins))
    count = ndims(given[1]) == 0 ? 1 : size(given[1])[end]
    answers = Tuple(Array{something(port.eltype, Float32)}(undef, sized(session, at, port, count)) for (at, port) in enumerate(outs))
    run!(answers, session, given; cancel = cancel)
    shaped = single ? map(answer -> reshape(answer, size(answer)[1:end-1]), answers) : answers
    return length(shaped) == 1 ? shaped[1] : shaped
end

# The size of an output: told by the network, or where that is free by the session's own buffer.
function sized(session, at, port, count)
    lengths = port.size === nothing ? (nothing,) : port.size[1:end-1]
    if any(isequal(nothing), lengths)
        lengths = alone(session) do
            view = Ref{pon_view}()
            demand(pon_session_port(session, PON_OUTPUT, at - 1, view))
            GC.@preserve session reversed(view[].shape, view[].ndim)[1:end-1]
        end
    end
    return (lengths..., count)
end

function (network::Network)(arrays::AbstractArray...; cancel = nothing)
    ins = inputs(network)
    count = one_example(ins, arrays) || isempty(arrays) || ndims(arrays[1]) == 0 ? 1 : size(arrays[1])[end]
    session = taken(network, max(count, 1))
    try
        return session(arrays...; cancel = cancel)
    finally
        lock(() -> push!(network.idle, session), network.waiting)
    end
end

function taken(network, count)
    lock(network.waiting) do
        at = findfirst(session -> session.batch >= count, network.idle)
        if at !== nothing
            session = network.idle[at]
            deleteat!(network.idle, at)
            return session::Session
        end
        isempty(network.idle) || close(pop!(network.idle))
        return Session(network; batch = count)
    end
end
