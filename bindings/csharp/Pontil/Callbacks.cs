// Functions of .NET that the library calls: static methods, so that ahead-of-time compilers can lay them out; what they work on is
// behind a GCHandle. An exception must not pass through the library: it is kept, the call is ended, and the caller gets it.

using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;

namespace Pontil
{
    /// <summary>Marks a method that native code calls; Unity's IL2CPP goes by the name of this attribute.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        internal MonoPInvokeCallbackAttribute(Type type) { Type = type; }

        public Type Type { get; private set; }
    }

    /// <summary>A flag that a token raises.</summary>
    internal sealed unsafe class CancelFlag : IDisposable
    {
        private readonly CancelHandle handle;
        private CancellationTokenRegistration registration;

        internal CancelFlag(CancellationToken token)
        {
            if (token.CanBeCanceled)
            {
                IntPtr raw;
                Errors.Demand(Native.pon_cancel_new(&raw));
                handle = new CancelHandle(raw);
                registration = token.Register(Raise);
            }
        }

        /// <summary>NULL if no token can raise it.</summary>
        internal NativeHandle Handle
        {
            get { return handle; }
        }

        private void Raise()
        {
            using (var lease = new Lease(handle))
            {
                Native.pon_cancel_raise(lease.Raw);
            }
        }

        public void Dispose()
        {
            registration.Dispose();
            if (handle != null)
            {
                handle.Dispose();
            }
        }
    }

    internal static unsafe class Callbacks
    {
        private static readonly Native.pon_drop_fn DropCall = Drop;
        private static readonly Native.pon_progress_fn ProgressCall = Progress;
        private static readonly Native.pon_log_fn LogCall = Log;
        private static readonly Native.pon_writer_write WriteCall = Write;

        internal static readonly IntPtr DropPointer = Marshal.GetFunctionPointerForDelegate(DropCall);
        internal static readonly IntPtr ProgressPointer = Marshal.GetFunctionPointerForDelegate(ProgressCall);
        internal static readonly IntPtr LogPointer = Marshal.GetFunctionPointerForDelegate(LogCall);
        internal static readonly IntPtr WritePointer = Marshal.GetFunctionPointerForDelegate(WriteCall);

        internal static T Behind<T>(void* userdata) where T : class
        {
            return (T)GCHandle.FromIntPtr((IntPtr)userdata).Target;
        }

        [MonoPInvokeCallback(typeof(Native.pon_drop_fn))]
        private static void Drop(void* userdata)
        {
            GCHandle handle = GCHandle.FromIntPtr((IntPtr)userdata);
            var kept = handle.Target as IDisposable;
            handle.Free();
            try
            {
                if (kept != null)
                {
                    kept.Dispose();
                }
            }
            catch (Exception)
            {
                // It ends on whichever thread used it last, and no call waits for it.
            }
        }

        [MonoPInvokeCallback(typeof(Native.pon_progress_fn))]
        private static int Progress(void* userdata, ulong done, ulong total)
        {
            try
            {
                Behind<IProgress<double>>(userdata).Report(total == 0 ? 0 : (double)done / total);
                return 0;
            }
            catch (Exception thrown)
            {
                Heard.Keep(thrown);
                return 1;
            }
        }

        [MonoPInvokeCallback(typeof(Native.pon_log_fn))]
        private static void Log(void* userdata, int level, Native.pon_str* message)
        {
            try
            {
                Behind<Action<string>>(userdata)(Text.Of(*message));
            }
            catch (Exception thrown)
            {
                Heard.Keep(thrown);
            }
        }

        [MonoPInvokeCallback(typeof(Native.pon_writer_write))]
        private static int Write(void* userdata, ulong at, void* data, UIntPtr size)
        {
            try
            {
                var to = Behind<Stream>(userdata);
                var buffer = new byte[Math.Min(81920, (int)Math.Min((ulong)size, int.MaxValue))];
                var from = (byte*)data;
                for (ulong left = (ulong)size; left > 0;)
                {
                    int count = (int)Math.Min(left, (ulong)buffer.Length);
                    Marshal.Copy((IntPtr)from, buffer, 0, count);
                    to.Write(buffer, 0, count);
                    from += count;
                    left -= (ulong)count;
                }
                return 0;
            }
            catch (Exception thrown)
            {
                Heard.Keep(thrown);
                return 1;
            }
        }
    }
}
