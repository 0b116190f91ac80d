// Limits, threads and log of the calls a context is given to.

using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Pontil
{
    /// <summary>What a context allows; noughts are defaults.</summary>
    public sealed class ContextOptions
    {
        /// <summary>Threads of a session that does not say.</summary>
        public int Threads { get; set; }

        /// <summary>Longest file or source, in bytes.</summary>
        public long MaxFileBytes { get; set; }

        /// <summary>Largest single tensor, in bytes.</summary>
        public long MaxTensorBytes { get; set; }

        /// <summary>Largest header that is parsed as a whole, in bytes.</summary>
        public long MaxHeaderBytes { get; set; }

        /// <summary>Deepest nesting.</summary>
        public long MaxDepth { get; set; }

        /// <summary>Most entries, nodes or layers.</summary>
        public long MaxEntries { get; set; }

        /// <summary>Most faults that a call keeps.</summary>
        public long MaxFaults { get; set; }

        /// <summary>Largest memory of one session, in bytes.</summary>
        public long MaxSessionBytes { get; set; }

        /// <summary>Hears of defects of the library, on a thread that is in a call.</summary>
        public Action<string> Log { get; set; }
    }

    /// <summary>Limits, threads and log. Where none is given the defaults hold: silent, one thread, the limits of the manual.</summary>
    public sealed unsafe class Context : IDisposable
    {
        internal readonly ContextHandle Handle;

        /// <summary>Makes one.</summary>
        public Context(ContextOptions options = null)
        {
            PontilLibrary.Ensure();
            options = options ?? new ContextOptions();
            Handle = Make(options);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static ContextHandle Make(ContextOptions options)
        {
            var raw = new Native.pon_context_options
            {
                struct_size = (uint)sizeof(Native.pon_context_options),
                threads = (uint)Given.Count(options.Threads, "Threads"),
                max_file_bytes = Given.Count(options.MaxFileBytes, "MaxFileBytes"),
                max_tensor_bytes = Given.Count(options.MaxTensorBytes, "MaxTensorBytes"),
                max_header_bytes = Given.Count(options.MaxHeaderBytes, "MaxHeaderBytes"),
                max_depth = Given.Count(options.MaxDepth, "MaxDepth"),
                max_entries = Given.Count(options.MaxEntries, "MaxEntries"),
                max_faults = Given.Count(options.MaxFaults, "MaxFaults"),
                max_session_bytes = Given.Count(options.MaxSessionBytes, "MaxSessionBytes"),
            };
            GCHandle log = options.Log == null ? default(GCHandle) : GCHandle.Alloc(options.Log);
            if (log.IsAllocated)
            {
                raw.log_level = Native.PON_LOG_ERROR;
                raw.log = Callbacks.LogPointer;
                raw.log_userdata = (void*)GCHandle.ToIntPtr(log);
                raw.log_drop = Callbacks.DropPointer;
            }
            IntPtr made;
            int status = Native.pon_context_new(&raw, &made);
            if (status != Native.PON_OK && log.IsAllocated)
            {
                log.Free();
            }
            Errors.Demand(status);
            return new ContextHandle(made);
        }

        internal static ContextHandle Of(Context context)
        {
            return context == null ? null : context.Handle;
        }

        /// <summary>Ends it; what was made with it keeps what it needs.</summary>
        public void Dispose()
        {
            Handle.Dispose();
        }
    }
}
