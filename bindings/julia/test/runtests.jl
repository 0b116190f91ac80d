# Everything the package offers, used as its users would. Closes with `N passed, N failed`.
# usage: PONTIL_LIBRARY=… julia --project=. test/runtests.jl [FILE FOR THE LAYOUTS]
using Pontil, Test
using Pontil: PontilError, Parameters, PythonObject, Pytree, Structured

const WORDS = """{"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":1}]}"""

# A type of a user: one vector, doubled where it is a matrix.
struct Doubled{T}
    half::Vector{T}
end
Base.:(==)(a::Doubled, b::Doubled) = a.half == b.half
Pontil.freeparameters(leaf::Doubled) = leaf.half
Pontil.rebuild(::Doubled, storage) = Doubled(storage)

function state(weight = Float32[1; 2][:, :])
    io = IOBuffer()
    Pontil.save(io, NamedTuple{(Symbol("0.weight"), Symbol("0.bias"))}((weight, Float32[0.5])); format = "safetensors")
    return take!(io)
end

opened() = Pontil.network(state(); network = WORDS)
refusal(call) =
    try
        call()
        nothing
    catch thrown
        thrown
    end

leaves() = Parameters((
    L1 = (W = Float32[1 2; 3 4; 5 6], b = Float32[7]),
    z = Float32(2.5),
    a = (Float32[8, 9], (n = Float32[10 11],)),
    s = Structured("SymmetricMatrix", Float32[1, 2, 3], (n = 2,)),
    k = Structured("SkewSymMatrix", Float32[4, 5, 6], (n = 3,)),
    l = Structured("LowerTriangular", Float32[4, 5, 6], (n = 3,)),
    u = Structured("UpperTriangular", Float32[4, 5, 6], (n = 3,)),
    m = Structured("StiefelManifold", Float32[1 0; 0 1; 0 0], NamedTuple()),
    g = Structured("GrassmannManifold", Float32[1 0; 0 1; 0 0], NamedTuple()),
    h = Structured("StiefelLieAlgHorMatrix", (Structured("SkewSymMatrix", Float32[2], (n = 2,)), Float32[4 2]), (N = 3, n = 2)),
    i = Structured("GrassmannLieAlgHorMatrix", (Float32[4 2],), (N = 3, n = 2)),
))

results = @testset "Pontil" begin
    @testset "library" begin
        @test occursin("\"abi\"", Pontil.build_info())
        @test length(Pontil.words()) > 20
        @test_throws ErrorException Pontil.library!("elsewhere")
        refused = refusal(() -> Pontil.check_versions(Pontil.LIBRARY[], 99))
        @test occursin("interface 99", refused.msg) && occursin("interface 1", refused.msg)
    end

    @testset "path, bytes and stream" begin
        bytes = state()
        mktempdir() do folder
            path = joinpath(folder, "é日.safetensors")
            write(path, bytes)
            x = Float32[1, 10]
            @test Pontil.network(path; network = WORDS)(x) == [21.5f0]
            @test Pontil.network(bytes; network = WORDS)(x) == [21.5f0]
            @test Pontil.network(IOBuffer(bytes); network = WORDS)(x) == [21.5f0]
            @test open(io -> Pontil.network(io; network = WORDS)(x), path) == [21.5f0]
        end
        @test [one.path for one in Pontil.entries(bytes)] |> sort == ["0.bias", "0.weight"]
        @test Dict(Pontil.arrays(bytes))["0.bias"] == reinterpret(UInt8, Float32[0.5])
        @test Pontil.about(bytes).format == "safetensors"
    end

    @testset "streams that can not seek" begin
        folder = mktempdir()
        path = joinpath(folder, "model.safetensors")
        write(path, state())
        @test open(io -> Pontil.network(io; network = WORDS)(Float32[1, 10]), `cat $path`) == [21.5f0]
        io = IOBuffer(vcat(UInt8[1, 2, 3], state()))
        skip(io, 3)
        @test Pontil.network(io; network = WORDS)(Float32[1, 10]) == [21.5f0]
    end

    @testset "faults" begin
        bad = state(Float32[1 2; 3 4; 5 6][:, 1:1])
        one = refusal(() -> Pontil.network(bad; network = WORDS))
        other = refusal(() -> Pontil.network(IOBuffer(bad); network = WORDS))
        @test one isa PontilError && length(one.faults) == 1
        @test one.faults[1].path == "0.weight" && one.faults[1].name == "slot.shape"
        @test all(getfield(one.faults[1], f) == getfield(other.faults[1], f) for f in fieldnames(Pontil.Fault))
        @test count(isequal('\n'), sprint(showerror, one)) == 1
        @test refusal(() -> Pontil.load("/nowhere/at/all")).code == Pontil.PON_E_NOT_FOUND
        @test refusal(() -> Pontil.build("{")).code == Pontil.PON_E_SYNTAX
        @test_throws ArgumentError Pontil.save(IOBuffer(), (a = sin,))
    end

    @testset "exceptions of callbacks" begin
        stop = refusal(() -> Pontil.network(state(); network = WORDS, progress = (done, total) -> error("mine")))
        @test stop isa ErrorException && stop.msg == "mine"
        @test refusal(() -> Pontil.network(state(); network = WORDS, progress = (done, total) -> false)).code == Pontil.PON_STOPPED
        io = IOBuffer(state())
        source = Pontil.Source(io)
        close(io)
        @test !(refusal(() -> Pontil.network(source; network = WORDS)) isa PontilError)
        closed = IOBuffer()
        close(closed)
        @test !(refusal(() -> Pontil.save(closed, (a = [1.0],))) isa PontilError)
        cancel = Pontil.Cancel()
        Pontil.raise!(cancel)
        @test refusal(() -> Pontil.network(state(); network = WORDS, cancel = cancel)).code == Pontil.PON_STOPPED
        Pontil.reset!(cancel)
        @test Pontil.network(state(); network = WORDS, cancel = cancel)(Float32[1, 10]) == [21.5f0]
        @test refusal(() -> Pontil.map_cotangent((leaf, d) -> error("mine"), (a = [1.0],), (a = [1.0],))).msg == "mine"
    end

    @testset "sets go out and in" begin
        set = leaves()
        io = IOBuffer()
        Pontil.save(io, set)
        bytes = take!(io)
        again = Pontil.load(bytes)
        @test again == set && Pontil.difference(set, again) === nothing
        @test keys(again) == keys(set) && eltype(again.L1.W) == Float32 && again.z isa Float32
        @test Pontil.load(bytes, set) == set
        @test fieldnames(typeof(Pontil.load(NamedTuple, bytes))) == keys(set)
        @test Pontil.difference(set, Parameters((a = [1.0],))) isa String
        mktempdir() do folder
            path = joinpath(folder, "set.h5")
            Pontil.save(path, set; group = "epoch1")
            Pontil.save(path, Parameters((a = [1.0],)); group = "epoch2", into = path)
            @test Pontil.load(path; key = "epoch1") == set
            @test Pontil.load(path; key = "epoch2").a == [1.0]
        end
        wrong = Parameters((L1 = (W = Float32[1 2], b = Float32[7]),))
        @test length(refusal(() -> Pontil.load(bytes, wrong)).faults) > 1
    end

    @testset "trees of Python" begin
        linear = PythonObject("dclass[m.Linear]", "weight" => Float32[1; 2][:, :], "bias" => Float32[0.5], "extra" => 7)
        io = IOBuffer()
        Pontil.save(io, (linear, PythonObject("own[v2]", "n" => 3)); format = "jaxon")
        bytes = take!(io)
        read(; options...) = Pontil.load(bytes; pytree = Pytree(; options...))
        kept = object -> object
        @test occursin("own[v2]", sprint(showerror, refusal(() -> Pontil.load(bytes))))
        made = read(unmarshal = object -> object.type == "own[v2]" ? 2 * Int(object["n"]) : object)
        @test made[2] == 6 && made[1].type == "dclass[m.Linear]" && made[1]["bias"] == Float32[0.5]
        @test read(unmarshal = object -> object.type == "own[v2]" ? Some(nothing) : object)[2] === nothing
        @test refusal(() -> read(unmarshal = object -> nothing)) isa PontilError
        @test read(unmarshal = kept)[2] == PythonObject("own[v2]", "n" => 3)
        schema = (PythonObject("m.Linear", "weight" => missing, "bias" => missing, "scale" => "none"),)
        @test length(refusal(() -> read(schema = schema, unmarshal = kept)).faults) == 2
        loose = read(schema = schema, unmarshal = kept, allow_missing_fields = true, allow_unknown_fields = true)
        @test first.(loose[1].fields) == ["weight", "bias", "scale"] && loose[1]["scale"] == "none"
        asked = String[]
        some = read(filter = path -> (push!(asked, path); path != "/1"))
        @test asked[1] == "" && some[2] === missing && !("/1/n" in asked)
        @test [one.path for one in Pontil.entries(bytes; pytree = Pytree(prefixes = ["/0/weight"]))] == ["0.weight"]
        @test refusal(() -> read(filter = path -> error("mine"))).msg == "mine"
        @test refusal(() -> read(unmarshal = object -> error("mine"))).msg == "mine"
        words = """{"style":"torch","layers":[{"id":"0","kind":"Linear","args":{"in_features":2,"out_features":1}}]}"""
        slots = ["0.weight" => "/0/weight", "0.bias" => "/0/bias"]
        @test Pontil.network(bytes; network = words, pytree = Pytree(slots = slots, unmarshal = kept))(Float32[1, 10]) == [21.5f0]
    end

    @testset "every element type" begin
        for type in (Float32, Float64, Float16, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Bool, ComplexF32, ComplexF64)
            array = reshape(convert(Vector{type}, [0, 1, 1, 0, 1, 0]), 3, 2)
            io = IOBuffer()
            Pontil.save(io, Parameters((a = array,)))
            again = Pontil.load(take!(io)).a
            @test again == array && eltype(again) == type
        end
        view_ = @view [1.0 2.0 3.0; 4.0 5.0 6.0][2:-1:1, 1:2:3]
        io = IOBuffer()
        Pontil.save(io, Parameters((a = view_,)))
        @test Pontil.load(take!(io)).a == view_
    end

    @testset "element types that Julia has not" begin
        text = """{"a":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]}}"""
        bytes = vcat(reinterpret(UInt8, [UInt64(sizeof(text))]), codeunits(text), UInt8.(1:12))
        set = Pontil.load(bytes)
        @test set.a == Pontil.ForeignArray("BF16", (3, 2), UInt8.(1:12))
        io = IOBuffer()
        Pontil.save(io, set; format = "safetensors")
        @test Pontil.load(take!(io)) == set
        @test_throws DimensionMismatch Pontil.params_of((a = Pontil.ForeignArray("BF16", (3, 2), UInt8[1]),))
        @test_throws ArgumentError Pontil.params_of((a = Pontil.ForeignArray("F3", (1,), UInt8[1]),))
    end

    @testset "numbers at any address" begin
        text = """{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"F64","shape":[2],"data_offsets":[1,17]},""" *
               """"c":{"dtype":"F32","shape":[],"data_offsets":[17,21]}}"""
        numbers = vcat(UInt8[7], reinterpret(UInt8, [1.5, 2.5]), reinterpret(UInt8, Float32[3.5]))
        set = Pontil.load(vcat(reinterpret(UInt8, [UInt64(sizeof(text))]), codeunits(text), numbers))
        @test set.a == [7] && set.b == [1.5, 2.5] && set.c == 3.5f0
    end

    @testset "what several nodes refer to" begin
        params = Pontil.params_of((a = [1.0, 2.0],))
        target = Pontil.found(params, 0, "/a")
        Pontil.add_value!(params, 0, "b", Pontil.filled(Pontil.pon_value; kind = Pontil.PON_KIND_REFERENCE, i = target))
        tree = Pontil.tree_of(params)
        @test tree.a === tree.b
        # Each level refers twice to the one before: as a tree there would be 2^40 leaves.
        params = Pontil.params_of((level0 = ([1.0],),))
        for level in 1:40
            below = Pontil.found(params, 0, "/level$(level - 1)")
            branch = Pontil.add_branch!(params, 0, "level$level", Pontil.PON_KIND_LIST)
            for _ in 1:2
                Pontil.add_value!(params, branch, nothing, Pontil.filled(Pontil.pon_value; kind = Pontil.PON_KIND_REFERENCE, i = below))
            end
        end
        tree = Pontil.tree_of(params)
        @test tree.level40[1] === tree.level40[2] === tree.level39
    end

    @testset "types of the user" begin
        set = Parameters((d = Doubled([1.0, 2.0]), a = [3.0]))
        io = IOBuffer()
        Pontil.save(io, set)
        bytes = take!(io)
        refused = refusal(() -> Pontil.load(bytes))
        @test refused isa PontilError && occursin("Doubled", sprint(showerror, refused))
        @test Pontil.load(bytes; unknown = :keep).d == Structured("Doubled", [1.0, 2.0], NamedTuple())
        @test Pontil.load(bytes, set) == set
        Pontil.register_parameter_type!((storage, metadata) -> Doubled(storage), "Doubled")
        @test Pontil.load(bytes) == set
        @test Pontil.load(bytes).d isa Doubled{Float64}
    end

    @testset "flat" begin
        set = leaves()
        order = Pontil.layout(set)
        flat = Pontil.flatten(set)
        @test eltype(flat) == Float32 && length(flat) == length(order)
        @test flat[1:7] == 1:7 |> collect |> x -> Float32[1, 3, 5, 2, 4, 6, 7]
        @test range(order, "/L1/W") == 1:6 && Pontil.segments(order)[1].size == (3, 2)
        @test sprint(show, order) == "ParametersLayout(1:$(length(flat)))"
        @test Pontil.unflatten(order, flat) == set
        @test eltype(Pontil.unflatten(order, Float64.(flat)).L1.W) == Float64
        @test Pontil.layout(Pontil.unflatten(order, 2flat)) == order
        @test_throws DimensionMismatch Pontil.unflatten(order, flat[2:end])
        @test Pontil.unflatten(Pontil.layout((a = [1.0, 2.0], b = [3.0])), [1.0 2; 3 4; 5 6]) == (a = [1.0 2; 3 4], b = [5.0 6])
        doubled = (d = Doubled([1.0, 2.0]),)
        @test Pontil.unflatten(Pontil.layout(doubled), [5.0, 6.0]).d == Doubled([5.0, 6.0])
        Pontil.unflatten!(doubled, Pontil.layout(doubled), [7.0, 8.0])
        @test doubled.d.half == [7.0, 8.0]
        @test Pontil.parameter_eltype(set) == Float32 && Pontil.parameter_eltype(NamedTuple()) == Union{}
        @test Pontil.parameter_eltype(Pontil.convert_parameters(Float64, set)) == Float64
        @test Pontil.check(set) === nothing
    end

    @testset "structured leaves" begin
        @test Pontil.dense(leaves().s) == [1 2; 2 3]
        @test Pontil.dense(leaves().k) == [0 -4 -5; 4 0 -6; 5 6 0]
        @test Pontil.dense(leaves().l) == [0 0 0; 4 0 0; 5 6 0]
        @test Pontil.dense(leaves().m) == leaves().m.storage
        @test Pontil.project("SymmetricMatrix", [1.0 2; 4 3]).storage == [1, 3, 3]
        g = Float32[1 2 3; 4 5 6; 7 8 9]
        @test Pontil.storage_gradient(Structured("SymmetricMatrix", zeros(Float32, 6), (n = 3,)), g).storage == [1, 6, 5, 10, 14, 9]
        @test Pontil.storage_gradient(leaves().k, g).storage == [2, 4, 2]
        @test Pontil.storage_gradient(leaves().l, g).storage == [4, 7, 8]
        @test Pontil.storage_gradient(leaves().u, g).storage == [2, 3, 6]
        lift = Pontil.storage_gradient(leaves().h, g).storage
        @test lift[1].storage == [2] && lift[2] == [4 2]
    end

    @testset "gradients" begin
        set = (a = [1.0, 2.0], b = (c = [3.0], d = nothing))
        @test Pontil.gradient(set, (a = [5.0, 6.0],)).a == [5, 6]
        @test Pontil.gradient(set, (a = [5.0, 6.0],)).b.c == [0]
        @test Pontil.gradient(set, nothing) === nothing && Pontil.gradient(set, NamedTuple()) === nothing
        seen = Any[]
        mapped = Pontil.map_cotangent((leaf, d) -> (push!(seen, (leaf, d)); leaf .+ d), set, (b = (c = [10.0],),))
        @test seen == [([3.0], [10.0])] && mapped.b.c == [13] && mapped.a == [0, 0] && mapped.b.d === nothing
        doubled = Pontil.map_cotangent((leaf, d) -> leaf isa Doubled ? Doubled(2d.half) : d, (x = Doubled([1.0]),), (x = Doubled([3.0]),))
        @test doubled.x == Doubled([6.0])
    end

    @testset "networks" begin
        network = opened()
        @test network(Float32[1 0 2; 10 0 2]) == Float32[21.5 0.5 6.5]
        @test network([1.0, 10.0]) == Float32[21.5]
        session = Pontil.Session(network; batch = 3)
        y = zeros(Float32, 1, 3)
        Pontil.run!((y,), session, (Float32[1 0 2; 10 0 2],))
        @test y == Float32[21.5 0.5 6.5]
        x = @view Float32[1 9 0 9 2; 10 9 0 9 2][:, 1:2:5]
        @test session(x) == y && Pontil.statistics(session).allocations == 0 && Pontil.statistics(session).runs == 2
        @test Pontil.inputs(network)[1].size == (2, nothing) && Pontil.outputs(network)[1].eltype == Float32
        @test first(Pontil.slots(network))[1] == "0.weight" && occursin("dense", Pontil.description(network))
        @test occursin("plan", Pontil.plan(network)) && Pontil.session_bytes(network) > 0 && !isempty(Pontil.instruction_set(session))
        @test Pontil.layer(network, "0").size[1] == 1
        numbers = Pontil.parameters(network)
        other = Pontil.with(network, merge(numbers, NamedTuple{(Symbol("0.bias"),)}((Float32[100],))))
        @test Pontil.swap!(session, other)(Float32[1; 1])[1] == 103
        @test Pontil.build(WORDS, numbers)(Float32[1, 10]) == [21.5f0]
        for wrong in (
            () -> Pontil.run!((zeros(Float32, 1, 2),), session, (zeros(Float32, 2, 3),)),
            () -> Pontil.run!((zeros(Float32, 1, 4),), session, (zeros(Float32, 2, 4),)),
            () -> Pontil.run!((zeros(Float32, 1),), session, (zeros(Float32, 2),)),
            () -> network(zeros(Float32, 3)),
            () -> network(fill(1.0f0)),
            () -> network(zeros(Float32, 2, 2, 2)),
        )
            @test_throws DimensionMismatch wrong()
        end
        @test_throws ArgumentError Pontil.run!((zeros(1, 3),), session, (zeros(Float32, 2, 3),))
        @test_throws ArgumentError network()
        @test network(Float32[1 10; 0 0]') == Float32[21.5 0.5]
        @test occursin("\n  ", sprint(showerror, refusal(() -> Pontil.demand(Pontil.PON_E_VALUE))))
        io = IOBuffer()
        Pontil.save(io, network)
        @test Pontil.network(take!(io); network = WORDS)(Float32[1, 10]) == [21.5f0]
        image = Pontil.build("""{"kind":"graph","inputs":[{"name":"input","shape":[4,3,2]}],"layers":[{"name":"r","kind":"relu"}],"outputs":["r"]}""")
        pixels = reshape(Float32.(1:48), 2, 3, 4, 2)
        @test image(pixels) == pixels
    end

    @testset "data sets and networks of Mocha" begin
        words = """{"style":"mocha","inputs":[{"name":"x","shape":[2]},{"name":"t","shape":[1]}],"layers":[
            {"kind":"InnerProductLayer","name":"0","bottoms":["x"],"tops":["y"],"output_dim":1},
            {"kind":"SquareLossLayer","name":"loss","bottoms":["y","t"]}]}"""
        numbers = state()
        io = IOBuffer()
        Pontil.save(io, opened(); format = "mocha")
        set = Pontil.Dataset(take!(io); tops = ("0___weight", "0___bias"), scale = ("0___bias" => 4,), seed = 3)
        @test length(set) == 1 && Pontil.epoch(set) == 0
        batch = Pontil.next!(set)
        x, t = batch
        @test x == Float32[1 2]' && t == Float32[2] && keys(batch) == (Symbol("0___weight"), Symbol("0___bias"))
        @test Pontil.epoch(set) == 1
        close(set)
        whole = Pontil.Evaluation(words, numbers)
        @test Pontil.run!(whole; x = x, t = reshape(t, 1, 1)) == 6.125
        @test Pontil.losses(whole) == ["loss" => 6.125]
        @test Pontil.statistics(whole) == [(name = "loss-square-loss", value = 6.125, count = 1)]
        @test Pontil.blob(whole, "y") == reshape([5.5], 1, 1)
        @test refusal(() -> Pontil.draw!(whole, "nobody", [0.5])) isa PontilError
        @test Pontil.statistics(Pontil.reset!(whole))[1].count == 0
        Pontil.write_outputs(whole)
        close(whole)
        @test refusal(() -> Pontil.Dataset(Vector{UInt8}("nowhere.hdf5\n"))).code == Pontil.PON_E_NOT_FOUND
    end

    include("streams.jl")

    @testset "handles in any order" begin
        for round in 1:30
            network = opened()
            session = Pontil.Session(network)
            close(network)
            GC.gc(false)
            # A session keeps what it needs of its network; what is asked of the network itself is refused.
            y = zeros(Float32, 1, 1)
            @test Pontil.run!((y,), session, (Float32[1; 10][:, :],))[1][1] == 21.5f0
            @test_throws ArgumentError Pontil.inputs(network)
            round % 2 == 0 && close(session)
            close(network)
            params = Pontil.params_of(leaves())
            order = Pontil.layout(leaves())
            finalize(params)
            @test length(order) > 0
            source = Pontil.Source(state())
            opened()
            close(source)
        end
        for _ in 1:5
            GC.gc()
        end
        @test opened()(Float32[1, 10]) == [21.5f0]
    end

    @testset "sets of other packages" begin
        push!(LOAD_PATH, joinpath(@__DIR__, "standin"))
        @eval using NeuralNetworkParameters
        include(joinpath(dirname(@__DIR__), "ext", "PontilNeuralNetworkParametersExt.jl"))
        @eval Main begin
            set = NeuralNetworkParameters.NetworkParameters((a = [1.0 2; 3 4], b = NeuralNetworkParameters.Half([5.0])))
            io = IOBuffer()
            Pontil.save(io, set)
            bytes = take!(io)
            @test Pontil.load(NeuralNetworkParameters.NetworkParameters, bytes, set) == set
            @test Pontil.load(bytes, set) isa NeuralNetworkParameters.NetworkParameters
            @test Pontil.flatten(set) == [1, 3, 2, 4, 5]
        end
    end
end

# A set with a failure has thrown by now.
counted(set) = mapreduce(one -> one isa Test.DefaultTestSet ? counted(one) : 0, +, set.results; init = set.n_passed)

if length(ARGS) == 1
    lines = String[]
    for type in Pontil.STRUCTS
        push!(lines, "$(nameof(type)) $(sizeof(type))")
        for at in 1:fieldcount(type)
            push!(lines, "$(nameof(type)).$(fieldname(type, at)) $(fieldoffset(type, at))")
        end
    end
    write(ARGS[1], join(sort(lines), "\n") * "\n")
end
println(counted(results), " passed, 0 failed")
