using Pontil

function main(model, words) # usage: julia --project=bindings/julia readme.jl model.safetensors network.json
    network = Pontil.network(model; network = read(words, String))
    x = ones(Float32, Pontil.inputs(network)[1].size[1])
    println(network(x)[1]) # examples are along the last axis; one example may leave it out
    return 0
end

try
    exit(main(ARGS...))
catch refused
    refused isa Pontil.PontilError || rethrow()
    for fault in refused.faults # all that is wrong
        println(fault.path, ": ", fault.message)
    end
    exit(1)
end
