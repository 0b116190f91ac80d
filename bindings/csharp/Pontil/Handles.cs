// The library's objects as SafeHandles: freed once, in any order, also by the finalizer thread.

using System;
using System.Runtime.InteropServices;

namespace Pontil
{
    internal abstract class NativeHandle : SafeHandle
    {
        protected NativeHandle(IntPtr raw, bool owned = true) : base(IntPtr.Zero, owned)
        {
            SetHandle(raw);
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        protected override bool ReleaseHandle()
        {
            Free(handle);
            return true;
        }

        protected abstract void Free(IntPtr raw);

        /// <summary>The class that the handle is of.</summary>
        internal string Owner
        {
            get { return "Pontil." + GetType().Name.Replace("Handle", ""); }
        }
    }

    /// <summary>A handle that stays open for the length of a call, or no handle.</summary>
    internal struct Lease : IDisposable
    {
        internal readonly IntPtr Raw;
        private readonly NativeHandle handle;

        internal Lease(NativeHandle handle)
        {
            this.handle = handle;
            Raw = IntPtr.Zero;
            if (handle != null)
            {
                if (handle.IsClosed)
                {
                    throw new ObjectDisposedException(handle.Owner);
                }
                bool added = false;
                handle.DangerousAddRef(ref added);
                Raw = handle.DangerousGetHandle();
            }
        }

        public void Dispose()
        {
            if (handle != null)
            {
                handle.DangerousRelease();
            }
        }
    }

    internal sealed class ContextHandle : NativeHandle
    {
        internal ContextHandle(IntPtr owned) : base(owned) { }
        protected override void Free(IntPtr raw) { Native.pon_context_free(raw); }
    }

    internal sealed class CancelHandle : NativeHandle
    {
        internal CancelHandle(IntPtr owned) : base(owned) { }
        protected override void Free(IntPtr raw) { Native.pon_cancel_free(raw); }
    }

    internal sealed class TensorHandle : NativeHandle
    {
        internal TensorHandle(IntPtr owned) : base(owned) { }
        protected override void Free(IntPtr raw) { Native.pon_tensor_free(raw); }
    }

    internal sealed class ParameterSetHandle : NativeHandle
    {
        internal ParameterSetHandle(IntPtr raw, bool owned = true) : base(raw, owned) { }
        protected override void Free(IntPtr raw) { Native.pon_params_free(raw); }
    }

    internal sealed class FlatLayoutHandle : NativeHandle
    {
        internal FlatLayoutHandle(IntPtr owned) : base(owned) { }
        protected override void Free(IntPtr raw) { Native.pon_layout_free(raw); }
    }

    internal sealed class DescriptionHandle : NativeHandle
    {
        internal DescriptionHandle(IntPtr owned) : base(owned) { }
        protected override void Free(IntPtr raw) { Native.pon_description_free(raw); }
    }

    internal sealed class SourceHandle : NativeHandle
    {
        internal SourceHandle(IntPtr owned) : base(owned) { }
        protected override void Free(IntPtr raw) { Native.pon_source_free(raw); }
    }

    internal sealed class ModelFileHandle : NativeHandle
    {
        private readonly Listeners listeners;

        internal ModelFileHandle(IntPtr owned, Listeners listeners) : base(owned)
        {
            this.listeners = listeners;
        }

        protected override void Free(IntPtr raw)
        {
            Native.pon_import_free(raw);
            listeners.Dispose();
        }
    }

    internal sealed class DatasetHandle : NativeHandle
    {
        internal DatasetHandle(IntPtr owned) : base(owned) { }
        protected override void Free(IntPtr raw) { Native.pon_dataset_free(raw); }
    }

    internal sealed class EvaluationHandle : NativeHandle
    {
        internal EvaluationHandle(IntPtr owned) : base(owned) { }
        protected override void Free(IntPtr raw) { Native.pon_evaluation_free(raw); }
    }

    internal sealed class NetworkHandle : NativeHandle
    {
        internal NetworkHandle(IntPtr owned) : base(owned) { }
        protected override void Free(IntPtr raw) { Native.pon_network_free(raw); }
    }

    internal sealed class SessionHandle : NativeHandle
    {
        internal SessionHandle(IntPtr owned) : base(owned) { }
        protected override void Free(IntPtr raw) { Native.pon_session_free(raw); }
    }
}
