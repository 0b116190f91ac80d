// Parameter sets: ordered trees of branches, arrays, numbers and structured leaves.

using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Pontil
{
    /// <summary>An ordered tree of parameters; order is part of what it says. Reading it is for any number of threads, changing it
    /// for one.</summary>
    public sealed unsafe class ParameterSet : IDisposable
    {
        internal readonly ParameterSetHandle Handle;

        internal ParameterSet(IntPtr owned)
        {
            Handle = new ParameterSetHandle(owned);
        }

        internal ParameterSet(ParameterSetHandle handle)
        {
            Handle = handle;
        }

        /// <summary>An empty one.</summary>
        public ParameterSet(Context context = null)
        {
            PontilLibrary.Ensure();
            Handle = Make(context);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static ParameterSetHandle Make(Context context)
        {
            using (var limits = new Lease(Context.Of(context)))
            {
                IntPtr made;
                Errors.Demand(Native.pon_params_new(limits.Raw, &made));
                return new ParameterSetHandle(made);
            }
        }

        /// <summary>The structured leaf of a type that is nearest to a matrix (of the shape columns, rows), as a set of its own.</summary>
        public static ParameterSet Project<T>(string typeName, ReadOnlySpan<T> matrix, long columns, long rows, long n = 0) where T : struct
        {
            using (TensorHandle numbers = Arrays.New(matrix, new[] { columns, rows }))
            {
                return Project(Text.Bytes(typeName, "typeName"), numbers, n);
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static ParameterSet Project(byte[] utf8, TensorHandle numbers, long n)
        {
            using (var heard = new Heard())
            using (var lease = new Lease(numbers))
            fixed (byte* name = utf8)
            {
                Native.pon_view view;
                Errors.Demand(Native.pon_tensor_view(lease.Raw, &view));
                IntPtr made;
                return heard.Made(Native.pon_params_project(IntPtr.Zero, name, Text.Length(utf8), &view, n, &made, heard.Raw), new ParameterSet(made));
            }
        }

        /// <summary>The root.</summary>
        public ParameterNode Root
        {
            get { return new ParameterNode(this, 0); }
        }

        /// <summary>A node by its path, e.g. <c>/L1/W</c>.</summary>
        public ParameterNode this[string path]
        {
            get { return Root.Find(path); }
        }

        /// <summary>How many nodes, the root counted.</summary>
        public long Count
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    return Native.pon_params_count(self.Raw);
                }
            }
        }

        /// <summary>Makes the root a branch of another kind.</summary>
        public void SetRootKind(NodeKind kind)
        {
            using (var self = new Lease(Handle))
            {
                Errors.Demand(Native.pon_params_root(self.Raw, (int)kind));
            }
        }

        /// <summary>A copy that shares the numbers and nothing else.</summary>
        public ParameterSet Copy()
        {
            using (var self = new Lease(Handle))
            {
                IntPtr made;
                Errors.Demand(Native.pon_params_copy(self.Raw, &made));
                return new ParameterSet(made);
            }
        }

        /// <summary>The first difference to another set, in words; null: they are the same, order and bits included.</summary>
        public string DifferenceTo(ParameterSet other)
        {
            using (var heard = new Heard())
            using (var self = new Lease(Handle))
            using (var its = new Lease(Given.It(other, "other").Handle))
            {
                int same;
                heard.Demand(Native.pon_params_equal(self.Raw, its.Raw, &same, heard.Raw));
                return same != 0 ? null : heard.All()[0].Message;
            }
        }

        /// <summary>The element type of all numbers; None if there are none.</summary>
        public ElementType ElementType
        {
            get
            {
                using (var heard = new Heard())
                using (var self = new Lease(Handle))
                {
                    int found;
                    heard.Demand(Native.pon_params_eltype(self.Raw, 0, &found, heard.Raw));
                    return (ElementType)found;
                }
            }
        }

        /// <summary>A copy whose numbers have another element type.</summary>
        public ParameterSet Convert(ElementType to)
        {
            using (var heard = new Heard())
            using (var self = new Lease(Handle))
            {
                IntPtr made;
                return heard.Made(Native.pon_params_convert(self.Raw, (int)to, &made, heard.Raw), new ParameterSet(made));
            }
        }

        /// <summary>A set of the shape of a prototype with the numbers of this one.</summary>
        public ParameterSet Conform(ParameterSet prototype)
        {
            using (var heard = new Heard())
            using (var self = new Lease(Handle))
            using (var shape = new Lease(Given.It(prototype, "prototype").Handle))
            {
                IntPtr made;
                return heard.Made(Native.pon_params_conform(self.Raw, shape.Raw, &made, heard.Raw), new ParameterSet(made));
            }
        }

        /// <summary>The gradient over the numbers of this set, of a cotangent; null if the whole cotangent is a hole.</summary>
        public ParameterSet Gradient(ParameterSet cotangent)
        {
            using (var heard = new Heard())
            using (var self = new Lease(Handle))
            using (var its = new Lease(Given.It(cotangent, "cotangent").Handle))
            {
                IntPtr made = IntPtr.Zero;
                ParameterSet gradient = heard.Made(Native.pon_params_gradient(self.Raw, its.Raw, &made, heard.Raw), new ParameterSet(made));
                return made == IntPtr.Zero ? null : gradient;
            }
        }

        /// <summary>Checks every structured leaf against its type; throws all that is wrong.</summary>
        public void Check(bool keepUnknownTypes = false)
        {
            using (var heard = new Heard())
            using (var self = new Lease(Handle))
            {
                heard.Demand(Native.pon_params_check(self.Raw, keepUnknownTypes ? 1 : 0, heard.Raw));
            }
        }

        /// <summary>Saves it to a file, all or nothing.</summary>
        public void Save(string path, SaveOptions options = null, IProgress<double> progress = null, CancellationToken token = default(CancellationToken))
        {
            Saving.ToFile(Handle, null, path, options, progress, token);
        }

        /// <summary>Saves it to a stream, which is left open.</summary>
        public void Save(Stream stream, SaveOptions options = null, IProgress<double> progress = null, CancellationToken token = default(CancellationToken))
        {
            Saving.ToStream(Handle, null, stream, options, progress, token);
        }

        /// <summary>Ends it; networks made of it keep what they need.</summary>
        public void Dispose()
        {
            Handle.Dispose();
        }
    }
}
