// What a host says about files of a framework, and the short ways from a file to a network or a set.

using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;

namespace Pontil
{
    /// <summary>Order of axes at the ports of a network.</summary>
    public enum AxisOrder
    {
        /// <summary>[batch, window axes, channels].</summary>
        ChannelsLast = 0,

        /// <summary>[batch, channels, window axes].</summary>
        ChannelsFirst = 1,

        /// <summary>That of the framework the file comes from.</summary>
        AsFile = 2,
    }

    /// <summary>Reads files of frameworks. What is not set is told from the file. One importer serves any number of threads while
    /// nothing sets it.</summary>
    public sealed class Importer
    {
        /// <summary>The layers, for formats of numbers only.</summary>
        public Description Network { get; set; }

        /// <summary>The order of axes the host wants at the ports.</summary>
        public AxisOrder Layout { get; set; }

        /// <summary>The format; empty: told from the bytes.</summary>
        public string Format { get; set; }

        /// <summary>The loss the network was trained with; empty: the file's own.</summary>
        public string Loss { get; set; }

        /// <summary>Taken away from each name that begins with it, e.g. <c>module.</c>.</summary>
        public string StripPrefix { get; set; }

        /// <summary>The part of a checkpoint that holds the numbers, or the group of an HDF5 file.</summary>
        public string Key { get; set; }

        /// <summary>Shape of one example of the first input, the batch left out.</summary>
        public IReadOnlyList<long> Example { get; set; }

        /// <summary>What flattens are handed, by path: window axes first, channels last.</summary>
        public IReadOnlyDictionary<string, long[]> Flattened { get; set; }

        /// <summary>Whether weights that PyTorch keeps in parts are put together.</summary>
        public bool FoldWeightNorm { get; set; }

        /// <summary>Whether the loss takes a last sigmoid or softmax over, which is left out of the network.</summary>
        public bool LiftLoss { get; set; }

        /// <summary>Whether the network is put in a row of layers, <c>0</c>, <c>1</c>, …, with every bias; what is no row is refused. Of files that say their layers.</summary>
        public bool Stack { get; set; }

        /// <summary>Whether structured leaves of types that nobody registered are kept.</summary>
        public bool KeepUnknownTypes { get; set; }

        /// <summary>A set that the one in the file must fit.</summary>
        public ParameterSet Prototype { get; set; }

        /// <summary>How a file of nested Python values (<c>jaxon</c>) is read.</summary>
        public PytreeOptions Pytree { get; set; }

        /// <summary>Limits, threads and log.</summary>
        public Context Context { get; set; }

        /// <summary>Opens a file: reads its listing, no numbers. Progress and token hold for all that is asked of the file.</summary>
        public ModelFile Open(Source source, IProgress<double> progress = null, CancellationToken token = default(CancellationToken))
        {
            return ModelFile.Open(this, source, progress, token);
        }

        /// <summary>The network of a file.</summary>
        public Network Read(string path, IProgress<double> progress = null, CancellationToken token = default(CancellationToken))
        {
            return Asked(Source.FromFile(path, Context), progress, token, file => file.ReadNetwork());
        }

        /// <summary>The network of a stream, which is left open and may be forward-only.</summary>
        public Network Read(Stream stream, IProgress<double> progress = null, CancellationToken token = default(CancellationToken))
        {
            return Asked(Source.FromStream(stream, null, Context), progress, token, file => file.ReadNetwork());
        }

        /// <summary>The set of a file.</summary>
        public ParameterSet ReadParameters(string path, IProgress<double> progress = null, CancellationToken token = default(CancellationToken))
        {
            return Asked(Source.FromFile(path, Context), progress, token, file => file.ReadParameters());
        }

        /// <summary>The set of a stream, which is left open and must stay as it is while the set is used, if it can seek.</summary>
        public ParameterSet ReadParameters(Stream stream, IProgress<double> progress = null, CancellationToken token = default(CancellationToken))
        {
            return Asked(Source.FromStream(stream, null, Context), progress, token, file => file.ReadParameters());
        }

        private T Asked<T>(Source source, IProgress<double> progress, CancellationToken token, Func<ModelFile, T> read)
        {
            using (source)
            using (ModelFile file = Open(source, progress, token))
            {
                return read(file);
            }
        }
    }
}
