// Networks in Mocha's words evaluated whole: losses, statistics, every blob on the way.

using System;
using System.Collections.Generic;

namespace Pontil
{
    /// <summary>A loss of the last run, or a mean over all runs since the last reset.</summary>
    public sealed class Figure
    {
        internal Figure(Native.pon_figure raw)
        {
            Name = Text.Of(raw.name);
            IsLoss = raw.kind == Native.PON_FIGURE_LOSS;
            Value = raw.value;
            Count = (long)raw.count;
        }

        /// <summary>The loss layer's name, or the layer's and what it counts.</summary>
        public string Name { get; private set; }

        /// <summary>Whether it is a loss of the last run.</summary>
        public bool IsLoss { get; private set; }

        /// <summary>The number.</summary>
        public double Value { get; private set; }

        /// <summary>Over how many a statistic is the mean.</summary>
        public long Count { get; private set; }
    }

    /// <summary>A network with its numbers, and what its last run left. One thread at a time.</summary>
    public sealed unsafe class Evaluation : IDisposable
    {
        private readonly EvaluationHandle handle;
        private readonly Gate gate = new Gate("evaluation");

        /// <summary>A network in Mocha's words with the numbers of a file; null where no layer has any.</summary>
        public Evaluation(Description network, ModelFile numbers, bool doubles = false, ulong seed = 0, Context context = null)
        {
            using (var heard = new Heard())
            using (var limits = new Lease(Context.Of(context)))
            using (var words = new Lease(Given.It(network, "network").Handle))
            using (var file = new Lease(numbers == null ? null : numbers.Handle))
            {
                var raw = new Native.pon_evaluation_options
                {
                    struct_size = (uint)sizeof(Native.pon_evaluation_options),
                    dtype = doubles ? Native.PON_DTYPE_F64 : Native.PON_DTYPE_F32,
                    seed = seed,
                };
                IntPtr made;
                handle = heard.Made(Native.pon_evaluation_new(limits.Raw, words.Raw, file.Raw, &raw, &made, heard.Raw), new EvaluationHandle(made));
            }
        }

        /// <summary>Gives a layer that draws its numbers, for the next run alone.</summary>
        public void Draw(string layer, double[] numbers)
        {
            byte[] utf8 = Text.Bytes(layer, "layer");
            using (gate.Enter())
            using (var self = new Lease(handle))
            fixed (byte* name = utf8)
            fixed (double* drawn = Given.It(numbers, "numbers"))
            {
                Errors.Demand(Native.pon_evaluation_draw(self.Raw, name, Text.Length(utf8), drawn, (UIntPtr)(uint)numbers.Length));
            }
        }

        /// <summary>Runs every layer once on blobs that come from outside, arrays of <c>float</c> or <c>double</c> with their shapes, the
        /// batch first; gives the total of the losses.</summary>
        public double Run(IReadOnlyDictionary<string, KeyValuePair<Array, long[]>> blobs)
        {
            using (gate.Enter())
            using (var heard = new Heard())
            using (var lent = new Lent())
            using (var self = new Lease(handle))
            {
                var raw = (Native.pon_blob*)lent.Block((Given.It(blobs, "blobs").Count + 1) * sizeof(Native.pon_blob));
                int at = 0;
                foreach (KeyValuePair<string, KeyValuePair<Array, long[]>> blob in blobs)
                {
                    Native.pon_view view = Shapes.Pinned(blob.Value.Key, blob.Value.Value, lent);
                    raw[at++] = new Native.pon_blob { name = lent.Text(blob.Key), view = view };
                }
                double loss;
                heard.Demand(Native.pon_evaluation_run(self.Raw, raw, (UIntPtr)(uint)at, &loss, heard.Raw));
                return loss;
            }
        }

        /// <summary>The losses of the last run, then the statistics.</summary>
        public IReadOnlyList<Figure> Figures
        {
            get
            {
                using (gate.Enter())
                using (var self = new Lease(handle))
                {
                    var figures = new Figure[(int)(uint)Native.pon_evaluation_figures(self.Raw)];
                    for (int at = 0; at < figures.Length; at++)
                    {
                        var raw = new Native.pon_figure { struct_size = (uint)sizeof(Native.pon_figure) };
                        Errors.Demand(Native.pon_evaluation_figure(self.Raw, (UIntPtr)(uint)at, &raw));
                        figures[at] = new Figure(raw);
                    }
                    return figures;
                }
            }
        }

        /// <summary>A copy of a blob of the last run.</summary>
        public double[] Blob(string name, out IReadOnlyList<long> shape)
        {
            byte[] utf8 = Text.Bytes(name, "name");
            using (gate.Enter())
            using (var self = new Lease(handle))
            fixed (byte* text = utf8)
            {
                Native.pon_view view;
                Errors.Demand(Native.pon_evaluation_blob(self.Raw, text, Text.Length(utf8), &view));
                shape = Shapes.Of(view.shape, view.ndim);
                return Arrays.Of<double>(view).ToArray();
            }
        }

        /// <summary>Begins statistics anew and forgets what output layers have kept.</summary>
        public void Reset()
        {
            using (gate.Enter())
            using (var self = new Lease(handle))
            {
                Errors.Demand(Native.pon_evaluation_reset(self.Raw));
            }
        }

        /// <summary>Writes the files of the network's HDF5 output layers.</summary>
        public void Write()
        {
            using (gate.Enter())
            using (var heard = new Heard())
            using (var self = new Lease(handle))
            {
                heard.Demand(Native.pon_evaluation_write(self.Raw, heard.Raw));
            }
        }

        /// <summary>Ends it.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
