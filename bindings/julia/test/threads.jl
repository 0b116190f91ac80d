# Eight threads share one network, each with a session of its own, and call it at once; run with JULIA_NUM_THREADS=8.
using Pontil, Test

const WORDS = """{"kind":"stack","layers":[{"kind":"dense","inputs":2,"outputs":1}]}"""

@assert Threads.nthreads() == 8

function share(network)
    bits, called = zeros(UInt32, 8), zeros(UInt32, 8)
    Threads.@threads for at in 1:8
        session = Pontil.Session(network)
        x, y = Float32[0.1; 0.7][:, :], zeros(Float32, 1, 1)
        for _ in 1:200
            Pontil.run!((y,), session, (x,))
        end
        bits[at] = reinterpret(UInt32, y[1])
        called[at] = reinterpret(UInt32, network(x)[1])
    end
    return vcat(bits, called)
end

numbers = NamedTuple{(Symbol("0.weight"), Symbol("0.bias"))}((Float32[1 2], Float32[0.5]))
bits = share(Pontil.build(WORDS, numbers))
@assert all(isequal(bits[1]), bits) && bits[1] != 0
println("1 passed, 0 failed")
