// What a refused call throws. The caller's mistakes are ArgumentExceptions, what is wrong with a file is a SlotLoadException, a
// raised token an OperationCanceledException, and all else a PontilException.

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Text;
using System.Threading;

namespace Pontil
{
    /// <summary>A call that the library refused.</summary>
    public class PontilException : Exception
    {
        internal PontilException(Status code, string message, IReadOnlyList<Fault> faults) : base(message)
        {
            Code = code;
            Faults = faults;
        }

        /// <summary>Why.</summary>
        public Status Code { get; private set; }

        /// <summary>All that is wrong, in the order it was found.</summary>
        public IReadOnlyList<Fault> Faults { get; private set; }
    }

    /// <summary>A file, description or set that was refused, with every fault found in it. Nothing was changed.</summary>
    public sealed class SlotLoadException : FormatException
    {
        internal SlotLoadException(Status code, string message, IReadOnlyList<Fault> faults) : base(message)
        {
            Code = code;
            Faults = faults;
        }

        /// <summary>Why: the code of the first fault.</summary>
        public Status Code { get; private set; }

        /// <summary>All that is wrong, in the order it was found.</summary>
        public IReadOnlyList<Fault> Faults { get; private set; }
    }

    /// <summary>A mistake of the caller.</summary>
    public sealed class PontilArgumentException : ArgumentException
    {
        internal PontilArgumentException(Status code, string message, IReadOnlyList<Fault> faults) : base(message)
        {
            Code = code;
            Faults = faults;
        }

        /// <summary>Why.</summary>
        public Status Code { get; private set; }

        /// <summary>All that is wrong.</summary>
        public IReadOnlyList<Fault> Faults { get; private set; }
    }

    internal static unsafe class Errors
    {
        private static readonly Fault[] None = new Fault[0];

        /// <summary>Throws unless a call that tells no faults went well. Such calls read no file: what is wrong with a node or a key is the
        /// caller's mistake.</summary>
        internal static void Demand(int status)
        {
            if (status >= Native.PON_E_NO_PATH && status < Native.PON_E_WORD)
            {
                throw new PontilArgumentException((Status)status, Meaning(status), None);
            }
            if (status != Native.PON_OK)
            {
                throw Of(status, None, CancellationToken.None);
            }
        }

        private static string Meaning(int status)
        {
            Native.pon_str meaning, name;
            Native.pon_status_text(status, &meaning);
            Native.pon_status_name(status, &name);
            return Text.Of(meaning) + " (" + Text.Of(name) + ")";
        }

        internal static Exception Of(int status, IReadOnlyList<Fault> faults, CancellationToken token)
        {
            var text = new StringBuilder();
            foreach (Fault fault in faults)
            {
                text.Append(text.Length > 0 ? "\n" : "").Append(fault.Message);
            }
            if (text.Length == 0)
            {
                text.Append(Meaning(status));
            }
            var code = (Status)status;
            if (status == Native.PON_STOPPED)
            {
                return new OperationCanceledException(text.ToString(), token);
            }
            if (status >= 100 && status < 150)
            {
                return new PontilArgumentException(code, text.ToString(), faults);
            }
            if (status >= 200 && status < 600)
            {
                return new SlotLoadException(code, text.ToString(), faults);
            }
            return new PontilException(code, text.ToString(), faults);
        }
    }

    /// <summary>The faults of one call, and what functions of the host throw in it. Calls can stand within one another.</summary>
    internal sealed unsafe class Heard : IDisposable
    {
        [ThreadStatic]
        private static Heard running;

        private readonly CancellationToken token;
        private readonly Heard outer;
        private IntPtr list;
        private Exception thrown;

        internal Heard() : this(CancellationToken.None)
        {
        }

        internal Heard(CancellationToken token)
        {
            PontilLibrary.Ensure();
            this.token = token;
            list = New();
            outer = running;
            running = this;
        }

        /// <summary>Keeps what a function of the host threw for the call that this thread is in; the first counts.</summary>
        internal static void Keep(Exception thrown)
        {
            if (running != null && running.thrown == null)
            {
                running.thrown = thrown;
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static IntPtr New()
        {
            IntPtr made;
            Errors.Demand(Native.pon_faults_new(&made));
            return made;
        }

        internal IntPtr Raw
        {
            get { return list; }
        }

        internal Fault[] All()
        {
            var faults = new Fault[(int)(uint)Native.pon_faults_count(list)];
            for (int at = 0; at < faults.Length; at++)
            {
                var raw = new Native.pon_fault { struct_size = (uint)sizeof(Native.pon_fault) };
                Errors.Demand(Native.pon_faults_get(list, (UIntPtr)(uint)at, &raw));
                faults[at] = new Fault(raw);
            }
            return faults;
        }

        /// <summary>Throws what a function of the host threw, also where it had no way to end the call, or why the call was
        /// refused.</summary>
        internal void Demand(int status)
        {
            if (thrown != null)
            {
                ExceptionDispatchInfo.Capture(thrown).Throw();
            }
            if (status != Native.PON_OK)
            {
                throw Errors.Of(status, All(), token);
            }
        }

        /// <summary>What a call made, which is ended if this throws; a refused call made nothing.</summary>
        internal T Made<T>(int status, T made) where T : IDisposable
        {
            try
            {
                Demand(status);
                return made;
            }
            catch
            {
                made.Dispose();
                throw;
            }
        }

        public void Dispose()
        {
            running = outer;
            Native.pon_faults_free(list);
            list = IntPtr.Zero;
        }
    }
}
