"""
Trained networks in, answers out, over the native library of Pontil.

    network = Pontil.network("model.onnx")
    y = network(x)                       # x: features first, examples last, as Julia keeps them; nothing is copied
    ps = Pontil.load("parameters.h5")    # named tuples, tuples, arrays, structured leaves
    Pontil.save("again.h5", ps)
"""
module Pontil

using Libdl: Libdl

include("library.jl")
include("api.jl")
include("faults.jl")
include("objects.jl")
include("views.jl")
include("source.jl")
include("leaves.jl")
include("pytree.jl")
include("trees.jl")
include("network.jl")
include("files.jl")
include("datasets.jl")
include("evaluation.jl")
include("flat.jl")
include("gradients.jl")

function __init__()
    reset_library!()
    forget_context!()
    return nothing
end

end
