// What the library calls and looks at while a file is open: who hears how far it is, the flag that ends it, functions for trees.

using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Pontil
{
    /// <summary>Kept as long as the file, or until it was refused.</summary>
    internal sealed unsafe class Listeners : IDisposable
    {
        private readonly CancelFlag cancel;
        private readonly PytreeCalls pytree;
        private GCHandle progress;

        internal Listeners(IProgress<double> progress, CancellationToken token, PytreeOptions pytree)
        {
            cancel = new CancelFlag(token);
            if (progress != null)
            {
                this.progress = GCHandle.Alloc(progress);
            }
            if (pytree != null)
            {
                this.pytree = new PytreeCalls(pytree);
            }
        }

        /// <summary>Puts them into the options of a call.</summary>
        internal void Put(ref Native.pon_import_options options, Lent lent)
        {
            options.cancel = lent.Object(cancel.Handle);
            if (progress.IsAllocated)
            {
                options.progress = Callbacks.ProgressPointer;
                options.progress_userdata = (void*)GCHandle.ToIntPtr(progress);
            }
            if (pytree != null)
            {
                options.pytree = pytree.Raw(lent);
            }
        }

        /// <summary>Throws what a filter threw, which has no way to end the call.</summary>
        internal void Rethrow()
        {
            if (pytree != null)
            {
                pytree.Rethrow();
            }
        }

        public void Dispose()
        {
            if (progress.IsAllocated)
            {
                progress.Free();
            }
            cancel.Dispose();
            if (pytree != null)
            {
                pytree.Dispose();
            }
        }
    }
}
