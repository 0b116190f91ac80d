// Sets and networks to files and streams.

using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;

namespace Pontil
{
    /// <summary>How something is saved; what is not set is default.</summary>
    public sealed class SaveOptions
    {
        /// <summary><c>safetensors</c>, <c>onnx</c> or <c>mocha</c> for a network, <c>julia</c> or <c>jaxon</c> for a set.</summary>
        public string Format { get; set; }

        /// <summary>Notes for the file's head: a JSON object of texts.</summary>
        public string NotesJson { get; set; }

        /// <summary>Of a set of Julia: the group of the file it goes into.</summary>
        public string Group { get; set; }

        /// <summary>Of a set of Julia: a file whose content is carried along.</summary>
        public Source Into { get; set; }
    }

    internal static unsafe class Saving
    {
        private delegate int Call(IntPtr set, IntPtr network, IntPtr options, IntPtr faults);

        internal static void ToFile(NativeHandle set, NativeHandle network, string path, SaveOptions options, IProgress<double> progress, CancellationToken token)
        {
            byte[] utf8 = Text.Bytes(path, "path");
            Save(set, network, options, progress, token, (params_, network_, raw, faults) =>
            {
                fixed (byte* name = utf8)
                {
                    return Native.pon_save_path(params_, network_, (Native.pon_save_options*)raw, name, Text.Length(utf8), faults);
                }
            });
        }

        internal static void ToStream(NativeHandle set, NativeHandle network, Stream stream, SaveOptions options, IProgress<double> progress, CancellationToken token)
        {
            if (stream == null)
            {
                throw new ArgumentNullException("stream");
            }
            GCHandle kept = GCHandle.Alloc(stream);
            try
            {
                Save(set, network, options, progress, token, (params_, network_, raw, faults) =>
                {
                    var writer = new Native.pon_writer
                    {
                        struct_size = (uint)sizeof(Native.pon_writer),
                        userdata = (void*)GCHandle.ToIntPtr(kept),
                        write = Callbacks.WritePointer,
                    };
                    return Native.pon_save_writer(params_, network_, (Native.pon_save_options*)raw, &writer, faults);
                });
            }
            finally
            {
                kept.Free();
            }
        }

        private static void Save(NativeHandle set, NativeHandle network, SaveOptions options, IProgress<double> progress, CancellationToken token, Call call)
        {
            token.ThrowIfCancellationRequested();
            options = options ?? new SaveOptions();
            GCHandle told = progress == null ? default(GCHandle) : GCHandle.Alloc(progress);
            try
            {
                using (var heard = new Heard(token))
                using (var lent = new Lent())
                using (var of = new Lease(set))
                using (var or = new Lease(network))
                using (var into = new Lease(options.Into == null ? null : options.Into.Handle))
                using (var cancel = new CancelFlag(token))
                using (var raised = new Lease(cancel.Handle))
                {
                    var raw = new Native.pon_save_options
                    {
                        struct_size = (uint)sizeof(Native.pon_save_options),
                        format = lent.Text(options.Format),
                        notes_json = lent.Text(options.NotesJson),
                        group = lent.Text(options.Group),
                        into = into.Raw,
                        cancel = raised.Raw,
                    };
                    if (told.IsAllocated)
                    {
                        raw.progress = Callbacks.ProgressPointer;
                        raw.progress_userdata = (void*)GCHandle.ToIntPtr(told);
                    }
                    heard.Demand(call(of.Raw, or.Raw, (IntPtr)(&raw), heard.Raw));
                }
            }
            finally
            {
                if (told.IsAllocated)
                {
                    told.Free();
                }
            }
        }
    }
}
