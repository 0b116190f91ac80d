# With NeuralNetworkParameters loaded: its sets go out and come back as they are, and leaves that follow its protocol are known.
module PontilNeuralNetworkParametersExt

using NeuralNetworkParameters, Pontil
const Theirs = NeuralNetworkParameters

Pontil.isset(::Theirs.NetworkParameters) = true
Pontil.fields(set::Theirs.NetworkParameters) = getfield(set, :params)
Pontil.set_like(::Theirs.NetworkParameters, inner::NamedTuple) = Theirs.NetworkParameters(inner)

function __init__()
    Pontil.PROTOCOL[] = Theirs
    return nothing
end

end
