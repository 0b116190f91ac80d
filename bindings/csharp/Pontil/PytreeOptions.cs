// What a host says about files of nested Python values (jaxon), and its functions that the library calls for them.

using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Pontil
{
    /// <summary>What a host makes of an object of a file.</summary>
    public enum Unmarshaled
    {
        /// <summary>It does not know the hint.</summary>
        Unknown = 0,

        /// <summary>The object stays what it is.</summary>
        Kept = 1,

        /// <summary>What was put into the new set takes its place.</summary>
        Replaced = 2,
    }

    /// <summary>Makes something of an object of a file: the root of <paramref name="value"/>, whose type name is the hint of its
    /// marshaler. If it answers Replaced, the root of <paramref name="made"/> takes its place, or its one child if that has no key.
    /// Both sets live through the call alone.</summary>
    public delegate Unmarshaled Unmarshaler(ParameterSet value, ParameterSet made);

    /// <summary>How a file of nested Python values is read; what is not set is default.</summary>
    public sealed class PytreeOptions
    {
        /// <summary>If there are any, only what stands at or below one of these paths is read.</summary>
        public IReadOnlyList<string> Prefixes { get; set; }

        /// <summary>Asked for each path, from the root (empty) down, whether it is read.</summary>
        public Func<string, bool> Filter { get; set; }

        /// <summary>Asked first what to make of each object.</summary>
        public Unmarshaler Unmarshaler { get; set; }

        /// <summary>The classes that are known: objects whose children are the fields with their defaults; see
        /// <see cref="ParameterNode.AddNotLoaded"/> for none.</summary>
        public ParameterSet Schema { get; set; }

        /// <summary>Whether a field that a class of the schema does not have is left out with a warning.</summary>
        public bool AllowMissingFields { get; set; }

        /// <summary>Whether a field that the file does not have takes its default with a warning.</summary>
        public bool AllowUnknownFields { get; set; }

        /// <summary>Whether data of dill are given as bytes; they are never run.</summary>
        public bool AllowDill { get; set; }

        /// <summary>Of a network: the path of the leaf that fills each slot, e.g. <c>0.weight</c>: <c>/layers/0/weight</c>.</summary>
        public IReadOnlyDictionary<string, string> Slots { get; set; }
    }

    /// <summary>Functions of the host as the library calls them, kept as long as the file.</summary>
    internal sealed unsafe class PytreeCalls : IDisposable
    {
        private static readonly Native.pon_filter_fn FilterCall = Filter;
        private static readonly Native.pon_unmarshal_fn UnmarshalCall = Unmarshal;

        private static readonly IntPtr FilterPointer = Marshal.GetFunctionPointerForDelegate(FilterCall);
        private static readonly IntPtr UnmarshalPointer = Marshal.GetFunctionPointerForDelegate(UnmarshalCall);

        private readonly PytreeOptions options;
        private GCHandle self;
        private Exception thrown;

        internal PytreeCalls(PytreeOptions options)
        {
            this.options = options;
            self = GCHandle.Alloc(this);
        }

        internal Native.pon_pytree_options* Raw(Lent lent)
        {
            var raw = (Native.pon_pytree_options*)lent.Block(sizeof(Native.pon_pytree_options));
            *raw = new Native.pon_pytree_options
            {
                struct_size = (uint)sizeof(Native.pon_pytree_options),
                filter = options.Filter == null ? IntPtr.Zero : FilterPointer,
                filter_userdata = (void*)GCHandle.ToIntPtr(self),
                unmarshal = options.Unmarshaler == null ? IntPtr.Zero : UnmarshalPointer,
                unmarshal_userdata = (void*)GCHandle.ToIntPtr(self),
                schema = lent.Object(options.Schema == null ? null : options.Schema.Handle),
                allow_missing_fields = options.AllowMissingFields ? 1 : 0,
                allow_unknown_fields = options.AllowUnknownFields ? 1 : 0,
                allow_dill = options.AllowDill ? 1 : 0,
            };
            if (options.Prefixes != null && options.Prefixes.Count > 0)
            {
                raw->prefixes_count = (uint)options.Prefixes.Count;
                raw->prefixes = (Native.pon_str*)lent.Block(options.Prefixes.Count * sizeof(Native.pon_str));
                for (int at = 0; at < options.Prefixes.Count; at++)
                {
                    raw->prefixes[at] = lent.Text(options.Prefixes[at]);
                }
            }
            if (options.Slots != null && options.Slots.Count > 0)
            {
                raw->slots = (Native.pon_slot_source*)lent.Block(options.Slots.Count * sizeof(Native.pon_slot_source));
                foreach (KeyValuePair<string, string> one in options.Slots)
                {
                    raw->slots[raw->slots_count++] = new Native.pon_slot_source { path = lent.Text(one.Value), slot = lent.Text(one.Key) };
                }
            }
            return raw;
        }

        /// <summary>Throws what the filter threw, which has no way to end the call that opened the file.</summary>
        internal void Rethrow()
        {
            if (thrown != null)
            {
                ExceptionDispatchInfo.Capture(thrown).Throw();
            }
        }

        public void Dispose()
        {
            if (self.IsAllocated)
            {
                self.Free();
            }
        }

        [MonoPInvokeCallback(typeof(Native.pon_filter_fn))]
        private static int Filter(void* userdata, byte* path, UIntPtr length)
        {
            var calls = Callbacks.Behind<PytreeCalls>(userdata);
            try
            {
                return calls.thrown == null && calls.options.Filter(Text.Of(path, length)) ? 1 : 0;
            }
            catch (Exception thrown)
            {
                calls.thrown = thrown;
                return 0;
            }
        }

        [MonoPInvokeCallback(typeof(Native.pon_unmarshal_fn))]
        private static int Unmarshal(void* userdata, IntPtr value, IntPtr made)
        {
            try
            {
                using (var object_ = new ParameterSet(new ParameterSetHandle(value, false)))
                using (var into = new ParameterSet(new ParameterSetHandle(made, false)))
                {
                    return (int)Callbacks.Behind<PytreeCalls>(userdata).options.Unmarshaler(object_, into);
                }
            }
            catch (Exception thrown)
            {
                Heard.Keep(thrown);
                return -1;
            }
        }
    }
}
