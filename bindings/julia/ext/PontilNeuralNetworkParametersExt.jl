# With NeuralNetworkParameters loaded: its sets go out and come back as they are, and leaves that follow its protocol are known.
module PontilNeuralNetworkParametersExt

using NeuralNetworkParameters, Pontil
const Theirs = NeuralNetworkParameters

Pontil.isset(::Theirs.NetworkParameters) = true
Pontil.fields(set::Theirs.NetworkParameters) = getfield(set, :params)
Pontil.set_like(::Theirs.NetworkParameters, inner::NamedTuple) = Theirs.NetworkParameters(inner)

Pontil.freeparameters(leaf) = Theirs.freeparameters(leaf)
Pontil.rebuild(prototype, storage) = Theirs.rebuild(prototype, storage)
Pontil.parameter_metadata(leaf) = Theirs.parameter_metadata(leaf)
Pontil.parameter_type_name(leaf) = Theirs.parameter_type_name(leaf)

end
