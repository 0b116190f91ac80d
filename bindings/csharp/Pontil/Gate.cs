// Objects that are for one thread at a time: who comes second is told so before anything of the library is touched.

using System;
using System.Threading;

namespace Pontil
{
    /// <summary>Lets one thread in at a time, without a lock and without an allocation.</summary>
    internal sealed class Gate
    {
        private readonly string what;
        private int taken;

        internal Gate(string what)
        {
            this.what = what;
        }

        internal Turn Enter()
        {
            if (Interlocked.CompareExchange(ref taken, 1, 0) != 0)
            {
                throw new InvalidOperationException("The " + what + " is in use by another call: each thread has one of its own.");
            }
            return new Turn(this);
        }

        /// <summary>Keeps others out until it is disposed.</summary>
        internal struct Turn : IDisposable
        {
            private readonly Gate gate;

            internal Turn(Gate gate)
            {
                this.gate = gate;
            }

            public void Dispose()
            {
                Volatile.Write(ref gate.taken, 0);
            }
        }
    }
}
