// An opened file of a framework: its listing is read, its numbers are not.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

namespace Pontil
{
    /// <summary>An array of a file.</summary>
    public sealed class FileEntry
    {
        internal unsafe FileEntry(Native.pon_entry raw)
        {
            Path = Text.Of(raw.path);
            Place = Text.Of(raw.place);
            ElementType = (ElementType)raw.dtype;
            Bytes = (long)raw.bytes;
            Offset = raw.offset == Native.PON_NO_OFFSET ? (long?)null : (long)raw.offset;
            Shape = Shapes.Of(raw.shape, raw.ndim);
        }

        /// <summary>Its dotted path.</summary>
        public string Path { get; private set; }

        /// <summary>Where it stands, in the file's words.</summary>
        public string Place { get; private set; }

        /// <summary>What one number is.</summary>
        public ElementType ElementType { get; private set; }

        /// <summary>Lengths, slowest axis first, as the file has them.</summary>
        public IReadOnlyList<long> Shape { get; private set; }

        /// <summary>Bytes of the numbers.</summary>
        public long Bytes { get; private set; }

        /// <summary>Byte of the source at which they begin.</summary>
        public long? Offset { get; private set; }
    }

    /// <summary>An opened file. Any number of threads may ask it.</summary>
    public sealed unsafe class ModelFile : IDisposable
    {
        private readonly ModelFileHandle handle;
        private readonly CancellationToken token;

        private ModelFile(ModelFileHandle handle, CancellationToken token, IReadOnlyList<Fault> warnings)
        {
            this.handle = handle;
            this.token = token;
            Warnings = warnings;
        }

        internal ModelFileHandle Handle
        {
            get { return handle; }
        }

        internal static ModelFile Open(Importer importer, Source source, IProgress<double> progress, CancellationToken token)
        {
            token.ThrowIfCancellationRequested();
            using (var heard = new Heard(token))
            using (var lent = new Lent())
            using (var limits = new Lease(Context.Of(importer.Context)))
            using (var from = new Lease(Given.It(source, "source").Handle))
            using (var network = new Lease(importer.Network == null ? null : importer.Network.Handle))
            using (var prototype = new Lease(importer.Prototype == null ? null : importer.Prototype.Handle))
            {
                var options = new Native.pon_import_options
                {
                    struct_size = (uint)sizeof(Native.pon_import_options),
                    layout = (int)importer.Layout,
                    format = lent.Text(importer.Format),
                    loss = lent.Text(importer.Loss),
                    strip_prefix = lent.Text(importer.StripPrefix),
                    key = lent.Text(importer.Key),
                    network = network.Raw,
                    fold_weight_norm = importer.FoldWeightNorm ? 1 : 0,
                    unknown_types = importer.KeepUnknownTypes ? Native.PON_TYPES_KEEP : Native.PON_TYPES_REFUSE,
                    prototype = prototype.Raw,
                    lift_loss = importer.LiftLoss ? 1 : 0,
                    stack = importer.Stack ? 1 : 0,
                };
                if (importer.Example != null && importer.Example.Count > 0)
                {
                    options.example = lent.Shape(importer.Example);
                    options.example_ndim = importer.Example.Count;
                }
                if (importer.Flattened != null && importer.Flattened.Count > 0)
                {
                    options.flattened = Flattened(importer.Flattened, lent);
                    options.flattened_count = (uint)importer.Flattened.Count;
                }
                var listeners = new Listeners(progress, token, importer.Pytree);
                ModelFileHandle handle = null;
                try
                {
                    listeners.Put(ref options, lent);
                    IntPtr made;
                    int status = Native.pon_import_open(limits.Raw, from.Raw, &options, &made, heard.Raw);
                    if (status == Native.PON_OK)
                    {
                        handle = new ModelFileHandle(made, listeners);
                    }
                    listeners.Rethrow();
                    heard.Demand(status);
                    return new ModelFile(handle, token, heard.All());
                }
                catch
                {
                    if (handle != null)
                    {
                        handle.Dispose();
                    }
                    else
                    {
                        listeners.Dispose();
                    }
                    throw;
                }
            }
        }

        private static Native.pon_flattened* Flattened(IReadOnlyDictionary<string, long[]> shapes, Lent lent)
        {
            var all = (Native.pon_flattened*)lent.Block(shapes.Count * sizeof(Native.pon_flattened));
            int at = 0;
            foreach (KeyValuePair<string, long[]> one in shapes)
            {
                all[at++] = new Native.pon_flattened { path = lent.Text(one.Key), shape = lent.Shape(one.Value), ndim = one.Value.Length };
            }
            return all;
        }

        /// <summary>What opening it warned of.</summary>
        public IReadOnlyList<Fault> Warnings { get; private set; }

        /// <summary>The name of the format.</summary>
        public string Format
        {
            get
            {
                return Text.Told(handle, Native.pon_import_format);
            }
        }

        /// <summary>The loss the network was trained with; empty if nothing says it.</summary>
        public string Loss
        {
            get
            {
                return Text.Told(handle, Native.pon_import_loss);
            }
        }

        /// <summary>A note of the file by its key; null: there is none.</summary>
        public string Note(string key)
        {
            byte[] utf8 = Text.Bytes(key, "key");
            using (var lease = new Lease(handle))
            fixed (byte* name = utf8)
            {
                Native.pon_str text;
                int status = Native.pon_import_note(lease.Raw, name, Text.Length(utf8), &text);
                if (status == Native.PON_E_NO_PATH)
                {
                    return null;
                }
                Errors.Demand(status);
                return Text.Of(text);
            }
        }

        /// <summary>The arrays of the file.</summary>
        public IReadOnlyList<FileEntry> Entries
        {
            get
            {
                using (var lease = new Lease(handle))
                {
                    var entries = new FileEntry[(int)(uint)Native.pon_import_entries(lease.Raw)];
                    for (int at = 0; at < entries.Length; at++)
                    {
                        entries[at] = Entry(lease.Raw, at);
                    }
                    return entries;
                }
            }
        }

        private static FileEntry Entry(IntPtr file, int index)
        {
            var raw = new Native.pon_entry { struct_size = (uint)sizeof(Native.pon_entry) };
            Errors.Demand(Native.pon_import_entry(file, (UIntPtr)(uint)index, &raw));
            return new FileEntry(raw);
        }

        /// <summary>Reads one array, packed, as the bytes of its numbers; <paramref name="into"/> has exactly their length.</summary>
        public void Read(int index, Span<byte> into)
        {
            using (var heard = new Heard(token))
            using (var lent = new Lent())
            using (var lease = new Lease(handle))
            fixed (byte* numbers = &MemoryMarshal.GetReference(into))
            {
                if (index < 0 || (uint)index >= (uint)Native.pon_import_entries(lease.Raw))
                {
                    throw new ArgumentOutOfRangeException("index", index, "The file has " + Native.pon_import_entries(lease.Raw) + " arrays.");
                }
                FileEntry entry = Entry(lease.Raw, index);
                if (into.Length != entry.Bytes)
                {
                    throw new ArgumentException("The array has " + entry.Bytes + " bytes, and there is room for " + into.Length + ".", "into");
                }
                byte nothing;
                var view = new Native.pon_view
                {
                    data = into.Length == 0 ? &nothing : numbers,
                    dtype = (int)entry.ElementType,
                    ndim = entry.Shape.Count,
                    shape = lent.Shape(entry.Shape),
                };
                heard.Demand(Native.pon_import_read(lease.Raw, (UIntPtr)(uint)index, &view, heard.Raw));
            }
        }

        /// <summary>All arrays as a set, as the file has them.</summary>
        public ParameterSet ReadParameters()
        {
            using (var heard = new Heard(token))
            using (var lease = new Lease(handle))
            {
                IntPtr made;
                return heard.Made(Native.pon_import_params(lease.Raw, &made, heard.Raw), new ParameterSet(made));
            }
        }

        /// <summary>The description of the file's network, or of the importer, in the library's own words.</summary>
        public Description ReadDescription()
        {
            using (var heard = new Heard(token))
            using (var lease = new Lease(handle))
            {
                IntPtr made;
                return heard.Made(Native.pon_import_description(lease.Raw, &made, heard.Raw), new Description(made));
            }
        }

        /// <summary>The network: each slot filled once, in its shape, finite, or a <see cref="SlotLoadException"/> with all that is
        /// wrong.</summary>
        public Network ReadNetwork()
        {
            using (var heard = new Heard(token))
            using (var lease = new Lease(handle))
            {
                IntPtr made;
                return heard.Made(Native.pon_import_network(lease.Raw, &made, heard.Raw), new Network(made));
            }
        }

        /// <summary>Ends it; what was made of it keeps what it needs.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
