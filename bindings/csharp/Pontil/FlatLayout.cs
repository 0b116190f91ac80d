// The order of a set's numbers in one flat vector.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Pontil
{
    /// <summary>A leaf's place in a flat vector.</summary>
    public sealed class Segment
    {
        internal unsafe Segment(Native.pon_segment raw)
        {
            Path = Text.Of(raw.path);
            First = (long)raw.first;
            Count = (long)raw.count;
            Shape = Shapes.Of(raw.shape, raw.ndim);
            ElementType = (ElementType)raw.dtype;
        }

        /// <summary>Its path from where the layout was made.</summary>
        public string Path { get; private set; }

        /// <summary>Place of its first number.</summary>
        public long First { get; private set; }

        /// <summary>How many numbers.</summary>
        public long Count { get; private set; }

        /// <summary>Lengths, slowest axis first.</summary>
        public IReadOnlyList<long> Shape { get; private set; }

        /// <summary>Element type in the set that the layout was made of.</summary>
        public ElementType ElementType { get; private set; }
    }

    /// <summary>Where each number of a set stands in one vector; computed once, serves every set of the shape.</summary>
    public sealed unsafe class FlatLayout : IDisposable
    {
        private readonly FlatLayoutHandle handle;

        /// <summary>The layout of a whole set.</summary>
        public FlatLayout(ParameterSet set)
        {
            using (var heard = new Heard())
            using (var of = new Lease(Given.It(set, "set").Handle))
            {
                IntPtr made;
                handle = heard.Made(Native.pon_layout_new(of.Raw, 0, &made, heard.Raw), new FlatLayoutHandle(made));
            }
        }

        /// <summary>How many numbers.</summary>
        public long Count
        {
            get
            {
                using (var self = new Lease(handle))
                {
                    return (long)Native.pon_layout_count(self.Raw);
                }
            }
        }

        /// <summary>The leaves' places.</summary>
        public IReadOnlyList<Segment> Segments
        {
            get
            {
                using (var self = new Lease(handle))
                {
                    var segments = new Segment[(int)(uint)Native.pon_layout_segments(self.Raw)];
                    for (int at = 0; at < segments.Length; at++)
                    {
                        var raw = new Native.pon_segment { struct_size = (uint)sizeof(Native.pon_segment) };
                        Errors.Demand(Native.pon_layout_segment(self.Raw, (UIntPtr)(uint)at, &raw));
                        segments[at] = new Segment(raw);
                    }
                    return segments;
                }
            }
        }

        /// <summary>Where the numbers of a node stand, by its path: place of the first; gives how many.</summary>
        public long Range(string path, out long count)
        {
            byte[] utf8 = Text.Bytes(path, "path");
            using (var self = new Lease(handle))
            fixed (byte* name = utf8)
            {
                ulong first, many;
                Errors.Demand(Native.pon_layout_range(self.Raw, name, Text.Length(utf8), &first, &many));
                count = (long)many;
                return (long)first;
            }
        }

        /// <summary>Whether another layout has the same kinds, keys, ranges and shapes.</summary>
        public bool SameAs(FlatLayout other)
        {
            using (var self = new Lease(handle))
            using (var its = new Lease(Given.It(other, "other").handle))
            {
                int same;
                Errors.Demand(Native.pon_layout_equal(self.Raw, its.Raw, &same));
                return same != 0;
            }
        }

        /// <summary>A set's numbers into a vector; no managed byte is allocated.</summary>
        public void Gather<T>(ParameterSet from, Span<T> flat) where T : struct
        {
            using (var self = new Lease(handle))
            using (var set = new Lease(Given.It(from, "from").Handle))
            fixed (byte* data = &MemoryMarshal.GetReference(MemoryMarshal.AsBytes(flat)))
            {
                long length = flat.Length;
                byte nothing;
                Native.pon_view view = Vector<T>(length == 0 ? &nothing : data, &length);
                Errors.Demand(Native.pon_layout_gather(self.Raw, set.Raw, 0, &view));
            }
        }

        /// <summary>A set's numbers into a vector of an element type that .NET may not have, as the bytes of its numbers.</summary>
        public void Gather(ParameterSet from, Span<byte> flat, ElementType type)
        {
            using (var self = new Lease(handle))
            using (var set = new Lease(Given.It(from, "from").Handle))
            fixed (byte* data = &MemoryMarshal.GetReference(flat))
            {
                uint bits;
                Native.pon_str name;
                Errors.Demand(Native.pon_dtype_info((int)type, &bits, &name));
                long length = Count;
                if (flat.Length != checked(length * bits / 8))
                {
                    throw new ArgumentException("The vector takes " + length * bits / 8 + " bytes, and there are " + flat.Length + ".", "flat");
                }
                byte nothing;
                var view = new Native.pon_view { data = length == 0 ? &nothing : data, dtype = (int)type, ndim = 1, shape = &length };
                Errors.Demand(Native.pon_layout_gather(self.Raw, set.Raw, 0, &view));
            }
        }

        /// <summary>A vector's numbers into a set.</summary>
        public void Scatter<T>(ReadOnlySpan<T> flat, ParameterSet to) where T : struct
        {
            using (var self = new Lease(handle))
            using (var set = new Lease(Given.It(to, "to").Handle))
            fixed (byte* data = &MemoryMarshal.GetReference(MemoryMarshal.AsBytes(flat)))
            {
                long length = flat.Length;
                byte nothing;
                Native.pon_view view = Vector<T>(length == 0 ? &nothing : data, &length);
                Errors.Demand(Native.pon_layout_scatter(self.Raw, &view, set.Raw, 0));
            }
        }

        /// <summary>A new set of this layout with the numbers of a vector.</summary>
        public ParameterSet Unflatten<T>(ReadOnlySpan<T> flat) where T : struct
        {
            using (var heard = new Heard())
            using (var self = new Lease(handle))
            fixed (byte* data = &MemoryMarshal.GetReference(MemoryMarshal.AsBytes(flat)))
            {
                long length = flat.Length;
                byte nothing;
                Native.pon_view view = Vector<T>(length == 0 ? &nothing : data, &length);
                IntPtr made;
                return heard.Made(Native.pon_layout_unflatten(self.Raw, &view, &made, heard.Raw), new ParameterSet(made));
            }
        }

        private static Native.pon_view Vector<T>(void* data, long* length) where T : struct
        {
            return new Native.pon_view { data = data, dtype = (int)Shapes.TypeOf<T>(), ndim = 1, shape = length };
        }

        /// <summary>Ends it.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
