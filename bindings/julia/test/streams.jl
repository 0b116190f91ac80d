# Streams of hosts in every place that takes one: what they throw comes out, and a thread that reads ahead asks them for nothing.

# A stream that fails once it is told to, and says which threads read it.
mutable struct Watched <: IO
    bytes::IOBuffer
    fails::Bool
    threads::Set{Int}
end
Watched(bytes::Vector{UInt8}; fails = false) = Watched(IOBuffer(bytes), fails, Set{Int}())
Base.position(io::Watched) = position(io.bytes)
Base.seek(io::Watched, at::Integer) = (seek(io.bytes, at); io)
Base.seekend(io::Watched) = (seekend(io.bytes); io)
Base.isopen(io::Watched) = true
function Base.unsafe_read(io::Watched, into::Ptr{UInt8}, count::UInt)
    push!(io.threads, Threads.threadid())
    io.fails && error("mine")
    return unsafe_read(io.bytes, into, count)
end

# One example with more numbers than are looked at when a file is opened.
const WIDE = 50000
wide() = model_of(build_wide(), "mocha")
function build_wide()
    words = """{"kind":"stack","layers":[{"kind":"dense","inputs":$WIDE,"outputs":1}]}"""
    numbers = NamedTuple{(Symbol("0.weight"), Symbol("0.bias"))}((reshape(Float32.(1:WIDE), WIDE, 1), Float32[0.5]))
    return Pontil.network(model_of(numbers, "safetensors"); network = words)
end
function model_of(what, format)
    io = IOBuffer()
    Pontil.save(io, what; format = format)
    return take!(io)
end

@testset "streams" begin
    bytes = wide()
    tops = ("0___weight", "0___bias")
    @testset "batches are read ahead" begin
        io = Watched(bytes)
        source = Pontil.Source(io)
        set = Pontil.Dataset(source; tops = tops, batch = 2, ahead = 2)
        close(source)
        io.fails = true
        for round in 1:5
            batch = Pontil.next!(set)
            @test batch[1][end, 2] == WIDE && batch[2] == Float32[0.5, 0.5] && Pontil.epoch(set) == 2round
        end
        close(set)
        @test io.threads == Set(1)
        # Bytes of Julia are let go of by the task that closes the set.
        set = Pontil.Dataset(copy(bytes); tops = tops, ahead = 2)
        @test Pontil.next!(set)[1][1] == 1
        close(set)
    end
    @testset "what they throw comes out" begin
        io = Watched(bytes)
        set = Pontil.Dataset(io; tops = tops)
        io.fails = true
        @test refusal(() -> Pontil.next!(set)).msg == "mine"
        @test refusal(() -> Pontil.Dataset(io; tops = tops)).msg == "mine"
        mean = ("0___weight" => Watched(bytes; fails = true),)
        @test refusal(() -> Pontil.Dataset(bytes; tops = tops, mean = mean)).msg == "mine"
        @test refusal(() -> Pontil.Dataset(bytes; tops = tops, mean = ("0___weight" => bytes,))) isa PontilError
        into = Watched(model_of(Parameters((a = [1.0],)), "julia"); fails = true)
        @test refusal(() -> Pontil.save(IOBuffer(), Parameters((b = [1.0],)); group = "g", into = into)).msg == "mine"
        # What was thrown belongs to its call: the next one is refused for a reason of its own.
        io = Watched(state(); fails = true)
        source = Pontil.Source(io)
        @test refusal(() -> Pontil.network(source; network = WORDS)).msg == "mine"
        io.fails = false
        @test refusal(() -> Pontil.network(source; network = replace(WORDS, "2" => "3"))) isa PontilError
        @test Pontil.network(source; network = WORDS)(Float32[1, 10]) == [21.5f0]
    end
    @testset "a call within a callback" begin
        told = refusal(() -> Pontil.network(state(); network = WORDS, progress = (done, total) -> begin
            @test refusal(() -> Pontil.load("/nowhere/at/all")).code == Pontil.PON_E_NOT_FOUND
            error("mine")
        end))
        @test told.msg == "mine"
        slots = ["0.weight" => "/0/weight"]
        tree = model_of((Pontil.PythonObject("dclass[m.Linear]", "weight" => Float32[1, 2]),), "jaxon")
        thrower = Pytree(filter = path -> error("mine"), slots = slots)
        @test refusal(() -> Pontil.load(tree; pytree = thrower)).msg == "mine"
    end
    @testset "who comes second is told so" begin
        network = opened()
        session = Pontil.Session(network)
        x, y = Float32[1; 10][:, :], zeros(Float32, 1, 1)
        calls = (() -> Pontil.run!((y,), session, (x,)), () -> session(x), () -> Pontil.statistics(session), () -> Pontil.reset!(session),
            () -> Pontil.instruction_set(session), () -> Pontil.swap!(session, network), () -> close(session))
        set = Pontil.Dataset(bytes; tops = tops)
        of_set = (() -> Pontil.next!(set), () -> Pontil.epoch(set), () -> close(set))
        whole = Pontil.Evaluation("""{"style":"mocha","inputs":[{"name":"x","shape":[2]}],"layers":[
            {"kind":"SquareLossLayer","name":"loss","bottoms":["x","x"]}]}""")
        of_whole = (() -> Pontil.run!(whole; x = x), () -> Pontil.losses(whole), () -> Pontil.statistics(whole), () -> Pontil.blob(whole, "x"),
            () -> Pontil.reset!(whole), () -> Pontil.write_outputs(whole), () -> Pontil.draw!(whole, "loss", [0.5]), () -> close(whole))
        for (object, calls) in ((session, calls), (set, of_set), (whole, of_whole))
            object.busy[] = true
            @test all(call -> occursin("in use by another task", refusal(call).msg), calls)
            object.busy[] = false
            @test refusal(calls[1]) === nothing
            foreach(call -> call(), calls[end:end])
        end
        # The collector asks nobody: what it ends is freed, whatever stands in its flag.
        session = Pontil.Session(network)
        session.busy[] = true
        finalize(session)
        @test !isopen(session)
    end
end
