// What the library reads during one call, kept as it is until the call is over.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Pontil
{
    /// <summary>Texts, shapes, arrays and objects lent to the library for the length of a call.</summary>
    internal sealed unsafe class Lent : IDisposable
    {
        private readonly List<IntPtr> blocks = new List<IntPtr>();
        private readonly List<GCHandle> pins = new List<GCHandle>();
        private readonly List<Lease> leases = new List<Lease>();

        /// <summary>UTF-8; noughts of null and of "".</summary>
        internal Native.pon_str Text(string text)
        {
            var lent = new Native.pon_str();
            if (!string.IsNullOrEmpty(text))
            {
                byte[] bytes = Pontil.Text.Bytes(text, "text");
                lent.data = (byte*)Block(bytes.Length);
                lent.len = Pontil.Text.Length(bytes);
                Marshal.Copy(bytes, 0, (IntPtr)lent.data, bytes.Length);
            }
            return lent;
        }

        internal long* Shape(IReadOnlyList<long> shape)
        {
            var lent = (long*)Block(8 * (shape.Count + 1));
            for (int axis = 0; axis < shape.Count; axis++)
            {
                lent[axis] = shape[axis];
            }
            return lent;
        }

        /// <summary>An array, which stays where it is.</summary>
        internal void* Pinned(Array numbers)
        {
            GCHandle pin = GCHandle.Alloc(numbers, GCHandleType.Pinned);
            pins.Add(pin);
            return (void*)pin.AddrOfPinnedObject();
        }

        /// <summary>An object, which is not freed meanwhile; NULL of none.</summary>
        internal IntPtr Object(NativeHandle handle)
        {
            var lease = new Lease(handle);
            leases.Add(lease);
            return lease.Raw;
        }

        internal void* Block(int size)
        {
            IntPtr block = Marshal.AllocHGlobal(size);
            blocks.Add(block);
            return (void*)block;
        }

        public void Dispose()
        {
            foreach (Lease lease in leases)
            {
                lease.Dispose();
            }
            foreach (GCHandle pin in pins)
            {
                pin.Free();
            }
            foreach (IntPtr block in blocks)
            {
                Marshal.FreeHGlobal(block);
            }
            leases.Clear();
            pins.Clear();
            blocks.Clear();
        }
    }
}
