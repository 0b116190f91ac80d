// Bytes to be read: a file, memory, or a stream.

using System;
using System.Buffers;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Pontil
{
    /// <summary>Bytes to be read. May be disposed before what was opened from it.</summary>
    public sealed unsafe class Source : IDisposable
    {
        internal readonly SourceHandle Handle;

        private Source(IntPtr owned)
        {
            Handle = new SourceHandle(owned);
        }

        /// <summary>A file; it is mapped, not copied.</summary>
        public static Source FromFile(string path, Context context = null)
        {
            PontilLibrary.Ensure();
            return Open(Text.Bytes(path, "path"), context);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static Source Open(byte[] utf8, Context context)
        {
            using (var heard = new Heard())
            using (var limits = new Lease(Context.Of(context)))
            fixed (byte* name = utf8)
            {
                IntPtr made;
                return heard.Made(Native.pon_source_path(limits.Raw, name, Text.Length(utf8), &made, heard.Raw), new Source(made));
            }
        }

        /// <summary>Memory, which is pinned until nothing needs it any more, and must not change until then.</summary>
        public static Source FromMemory(ReadOnlyMemory<byte> bytes, Context context = null)
        {
            PontilLibrary.Ensure();
            return Pin(bytes, context);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static Source Pin(ReadOnlyMemory<byte> bytes, Context context)
        {
            using (var limits = new Lease(Context.Of(context)))
            {
                var pinned = new Pinned(bytes);
                GCHandle kept = GCHandle.Alloc(pinned);
                IntPtr made;
                byte nothing;
                void* data = bytes.Length == 0 ? &nothing : pinned.Address;
                int status = Native.pon_source_bytes(limits.Raw, data, (UIntPtr)(uint)bytes.Length, Callbacks.DropPointer,
                    (void*)GCHandle.ToIntPtr(kept), &made);
                if (status != Native.PON_OK)
                {
                    kept.Free();
                    pinned.Dispose();
                }
                Errors.Demand(status);
                return new Source(made);
            }
        }

        /// <summary>Memory.</summary>
        public static Source FromMemory(byte[] bytes, Context context = null)
        {
            return FromMemory(new ReadOnlyMemory<byte>(Given.It(bytes, "bytes")), context);
        }

        /// <summary>What a stream holds from where it stands. It is left open. One that can not seek is read to its end here; another
        /// must stay as it is until what is opened from it is disposed. <paramref name="neighbour"/> opens a file beside it, which is closed
        /// when nothing needs it any more; null: there is none of that name.</summary>
        public static Source FromStream(Stream stream, Func<string, Stream> neighbour = null, Context context = null)
        {
            PontilLibrary.Ensure();
            return Open(Given.It(stream, "stream"), neighbour, context, false);
        }

        /// <summary>A source of a stream; one that is <paramref name="owned"/> is closed with it, or if there is none.</summary>
        [MethodImpl(MethodImplOptions.NoInlining)]
        internal static Source Open(Stream stream, Func<string, Stream> neighbour, Context context, bool owned)
        {
            GCHandle kept = default(GCHandle);
            try
            {
                using (var heard = new Heard())
                using (var limits = new Lease(Context.Of(context)))
                {
                    kept = GCHandle.Alloc(new StreamReading(stream, neighbour, context, owned));
                    var reader = StreamReading.Reader((void*)GCHandle.ToIntPtr(kept), neighbour != null);
                    IntPtr made;
                    int status = Native.pon_source_reader(limits.Raw, &reader, &made, heard.Raw);
                    if (status == Native.PON_OK)
                    {
                        kept = default(GCHandle);
                    }
                    return heard.Made(status, new Source(made));
                }
            }
            catch
            {
                if (kept.IsAllocated)
                {
                    kept.Free();
                }
                if (owned)
                {
                    stream.Dispose();
                }
                throw;
            }
        }

        /// <summary>Gives the handle to the caller; this object has none then.</summary>
        internal IntPtr GiveAway()
        {
            IntPtr raw = Handle.DangerousGetHandle();
            Handle.SetHandleAsInvalid();
            return raw;
        }

        /// <summary>Ends it.</summary>
        public void Dispose()
        {
            Handle.Dispose();
        }

        private sealed class Pinned : IDisposable
        {
            private MemoryHandle memory;

            internal Pinned(ReadOnlyMemory<byte> bytes)
            {
                memory = bytes.Pin();
            }

            internal void* Address
            {
                get { return memory.Pointer; }
            }

            public void Dispose()
            {
                memory.Dispose();
            }
        }
    }

    /// <summary>A stream as the library reads it: any place, by any thread that is in a call. One that can not seek has no length, and
    /// the library then reads it once, from its beginning to its end.</summary>
    internal sealed unsafe class StreamReading : IDisposable
    {
        private static readonly Native.pon_reader_size SizeCall = Size;
        private static readonly Native.pon_reader_read ReadCall = Read;
        private static readonly Native.pon_reader_neighbour NeighbourCall = Neighbour;
        private static readonly IntPtr SizePointer = Marshal.GetFunctionPointerForDelegate(SizeCall);
        private static readonly IntPtr ReadPointer = Marshal.GetFunctionPointerForDelegate(ReadCall);
        private static readonly IntPtr NeighbourPointer = Marshal.GetFunctionPointerForDelegate(NeighbourCall);

        private readonly Stream stream;
        private readonly bool seeks;
        private readonly long start, length;
        private readonly Func<string, Stream> neighbour;
        private readonly Context context;
        private readonly bool owned;
        private readonly byte[] buffer = new byte[81920];

        internal StreamReading(Stream stream, Func<string, Stream> neighbour, Context context, bool owned)
        {
            this.stream = stream;
            this.neighbour = neighbour;
            this.context = context;
            this.owned = owned;
            seeks = stream.CanSeek;
            start = seeks ? stream.Position : 0;
            length = seeks ? Math.Max(0, stream.Length - start) : -1;
        }

        /// <summary>Closes the stream if nobody else does.</summary>
        public void Dispose()
        {
            if (owned)
            {
                stream.Dispose();
            }
        }

        internal static Native.pon_reader Reader(void* userdata, bool hasNeighbours)
        {
            return new Native.pon_reader
            {
                struct_size = (uint)sizeof(Native.pon_reader),
                userdata = userdata,
                drop = Callbacks.DropPointer,
                size = SizePointer,
                read = ReadPointer,
                neighbour = hasNeighbours ? NeighbourPointer : IntPtr.Zero,
            };
        }

        [MonoPInvokeCallback(typeof(Native.pon_reader_size))]
        private static long Size(void* userdata)
        {
            return Callbacks.Behind<StreamReading>(userdata).length;
        }

        [MonoPInvokeCallback(typeof(Native.pon_reader_read))]
        private static long Read(void* userdata, ulong at, void* into, UIntPtr room)
        {
            try
            {
                var self = Callbacks.Behind<StreamReading>(userdata);
                lock (self.buffer)
                {
                    if (self.seeks)
                    {
                        self.stream.Position = self.start + checked((long)at);
                    }
                    ulong done = 0;
                    for (int count = 1; count > 0 && done < (ulong)room; done += (ulong)count)
                    {
                        count = self.stream.Read(self.buffer, 0, (int)Math.Min((ulong)room - done, (ulong)self.buffer.Length));
                        Marshal.Copy(self.buffer, 0, (IntPtr)((byte*)into + done), count);
                    }
                    return (long)done;
                }
            }
            catch (Exception thrown)
            {
                Heard.Keep(thrown);
                return -1;
            }
        }

        [MonoPInvokeCallback(typeof(Native.pon_reader_neighbour))]
        private static int Neighbour(void* userdata, byte* name, UIntPtr length, IntPtr* into)
        {
            try
            {
                var self = Callbacks.Behind<StreamReading>(userdata);
                Stream found = self.neighbour(Text.Of(name, length));
                if (found == null)
                {
                    return Native.PON_E_NOT_FOUND;
                }
                *into = Source.Open(found, self.neighbour, self.context, true).GiveAway();
                return Native.PON_OK;
            }
            catch (Exception thrown)
            {
                Heard.Keep(thrown);
                return Native.PON_E_NOT_FOUND;
            }
        }
    }
}
