// Data sets of HDF5 files, batch by batch.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Pontil
{
    /// <summary>How a data set is read; what is not set is default.</summary>
    public sealed class DatasetOptions
    {
        /// <summary>Examples of a batch.</summary>
        public int Batch { get; set; } = 1;

        /// <summary>Names of the datasets; null: <c>data</c> and <c>label</c>.</summary>
        public IReadOnlyList<string> Tops { get; set; }

        /// <summary>Factors of tops, by their names.</summary>
        public IReadOnlyDictionary<string, double> Scales { get; set; }

        /// <summary>Files whose dataset <c>mean</c> is taken from each example, by the names of tops; after the factors.</summary>
        public IReadOnlyDictionary<string, Source> Means { get; set; }

        /// <summary>Where the paths of the list begin; null: the folder the process works in.</summary>
        public string Folder { get; set; }

        /// <summary>A seed that the order of the examples is drawn from.</summary>
        public ulong? Seed { get; set; }

        /// <summary>Shuffles in chunks of so many examples, files anew in each epoch.</summary>
        public long Chunk { get; set; }

        /// <summary>Batches that a thread of the set's own keeps ready. It calls nothing of the program: a stream is read whole before.</summary>
        public int Ahead { get; set; }
    }

    /// <summary>One kind of numbers of each example.</summary>
    public sealed class Top
    {
        internal unsafe Top(Native.pon_top raw)
        {
            Name = Text.Of(raw.name);
            ElementType = (ElementType)raw.dtype;
            Shape = Shapes.Of(raw.shape, raw.ndim);
        }

        /// <summary>Its name.</summary>
        public string Name { get; private set; }

        /// <summary>What one number is in the files.</summary>
        public ElementType ElementType { get; private set; }

        /// <summary>Lengths of one example, slowest axis first, the batch left out.</summary>
        public IReadOnlyList<long> Shape { get; private set; }
    }

    /// <summary>Examples without end: behind the last comes the first. One thread at a time.</summary>
    public sealed unsafe class Dataset : IDisposable
    {
        private readonly DatasetHandle handle;
        private readonly int batch;
        private readonly Gate gate = new Gate("data set");

        private Dataset(DatasetHandle handle, int batch)
        {
            this.handle = handle;
            this.batch = batch;
            var tops = new Top[(int)(uint)Native.pon_dataset_tops(handle.DangerousGetHandle())];
            for (int at = 0; at < tops.Length; at++)
            {
                var raw = new Native.pon_top { struct_size = (uint)sizeof(Native.pon_top) };
                Errors.Demand(Native.pon_dataset_top(handle.DangerousGetHandle(), (UIntPtr)(uint)at, &raw));
                tops[at] = new Top(raw);
            }
            Tops = tops;
            Examples = (long)Native.pon_dataset_examples(handle.DangerousGetHandle());
        }

        /// <summary>Opens the files that a list names, a path a line, or a single HDF5 file.</summary>
        public static Dataset Open(Source list, DatasetOptions options = null, Context context = null)
        {
            PontilLibrary.Ensure();
            return Opened(list, options ?? new DatasetOptions(), context);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static Dataset Opened(Source list, DatasetOptions options, Context context)
        {
            using (var heard = new Heard())
            using (var lent = new Lent())
            using (var limits = new Lease(Context.Of(context)))
            using (var from = new Lease(Given.It(list, "list").Handle))
            {
                int scales = options.Scales == null ? 0 : options.Scales.Count;
                int means = options.Means == null ? 0 : options.Means.Count;
                int names = options.Tops == null ? 0 : options.Tops.Count;
                var transforms = (Native.pon_transform*)lent.Block((scales + means + 1) * sizeof(Native.pon_transform));
                var tops = (Native.pon_str*)lent.Block((names + 1) * sizeof(Native.pon_str));
                for (int at = 0; at < names; at++)
                {
                    tops[at] = lent.Text(options.Tops[at]);
                }
                int placed = 0;
                foreach (KeyValuePair<string, double> scale in options.Scales ?? new Dictionary<string, double>())
                {
                    transforms[placed++] = new Native.pon_transform { top = lent.Text(scale.Key), kind = Native.PON_TRANSFORM_SCALE, scale = scale.Value };
                }
                foreach (KeyValuePair<string, Source> mean in options.Means ?? new Dictionary<string, Source>())
                {
                    IntPtr file = lent.Object(Given.It(mean.Value, "Means").Handle);
                    transforms[placed++] = new Native.pon_transform { top = lent.Text(mean.Key), kind = Native.PON_TRANSFORM_SUB_MEAN, mean = file };
                }
                var raw = new Native.pon_dataset_options
                {
                    struct_size = (uint)sizeof(Native.pon_dataset_options),
                    batch = checked((uint)Given.Count(options.Batch, "Batch")),
                    tops = names == 0 ? null : tops,
                    tops_count = (uint)names,
                    transforms = placed == 0 ? null : transforms,
                    transforms_count = (uint)placed,
                    folder = lent.Text(options.Folder),
                    shuffle = options.Seed.HasValue ? Native.PON_SHUFFLE_SEED : Native.PON_SHUFFLE_NONE,
                    seed = options.Seed.GetValueOrDefault(),
                    ahead = checked((uint)Given.Count(options.Ahead, "Ahead")),
                    chunk = Given.Count(options.Chunk, "Chunk"),
                };
                IntPtr made;
                int status = Native.pon_dataset_open(limits.Raw, from.Raw, &raw, &made, heard.Raw);
                return new Dataset(heard.Made(status, new DatasetHandle(made)), Math.Max(options.Batch, 1));
            }
        }

        /// <summary>What each example has, in order.</summary>
        public IReadOnlyList<Top> Tops { get; private set; }

        /// <summary>How many examples the set has.</summary>
        public long Examples { get; private set; }

        /// <summary>How often the last example has been given.</summary>
        public long Epoch
        {
            get
            {
                using (gate.Enter())
                using (var self = new Lease(handle))
                {
                    return (long)Native.pon_dataset_epoch(self.Raw);
                }
            }
        }

        /// <summary>Writes the next batch into arrays of <c>float</c> or <c>double</c>, one a top, the batch slowest.</summary>
        public void Next(params Array[] into)
        {
            if (Given.It(into, "into").Length > Tops.Count)
            {
                throw new ArgumentException("The set has " + Tops.Count + " tops, and there are " + into.Length + " arrays.", "into");
            }
            using (gate.Enter())
            using (var heard = new Heard())
            using (var lent = new Lent())
            using (var self = new Lease(handle))
            {
                var views = (Native.pon_view*)lent.Block((into.Length + 1) * sizeof(Native.pon_view));
                for (int at = 0; at < into.Length; at++)
                {
                    var shape = new List<long> { batch };
                    shape.AddRange(Tops[at].Shape);
                    views[at] = Shapes.Pinned(into[at], shape, lent);
                }
                heard.Demand(Native.pon_dataset_next(self.Raw, views, (UIntPtr)(uint)into.Length, heard.Raw));
            }
        }

        /// <summary>Ends it, and its thread.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
