// A network made ready to run in memory of its own. What runs allocates nothing, neither here nor in the library.

using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Pontil
{
    /// <summary>How totals are kept.</summary>
    public enum Precision
    {
        /// <summary>Sums of singles, in one fixed order.</summary>
        Standard = 0,

        /// <summary>Sums of doubles, rounded once; slower.</summary>
        Exact = 1,
    }

    /// <summary>Options of a session; noughts are defaults.</summary>
    public sealed class SessionOptions
    {
        /// <summary>Most examples of a run; 0: 1.</summary>
        public int MaxBatch { get; set; }

        /// <summary>How totals are kept.</summary>
        public Precision Precision { get; set; }

        /// <summary>Threads that large steps are cut for; 0: as the context says.</summary>
        public int Threads { get; set; }

        /// <summary>Whether each run is timed.</summary>
        public bool Timed { get; set; }

        internal unsafe Native.pon_session_options Raw()
        {
            return new Native.pon_session_options
            {
                struct_size = (uint)sizeof(Native.pon_session_options),
                max_batch = Given.Count(MaxBatch, "MaxBatch"),
                precision = (int)Precision,
                threads = (uint)Given.Count(Threads, "Threads"),
                flags = Timed ? (uint)Native.PON_SESSION_TIMED : 0,
            };
        }
    }

    /// <summary>What a session has done.</summary>
    public struct SessionStatistics
    {
        /// <summary>Bytes of its memory for values.</summary>
        public long WorkspaceBytes;

        /// <summary>Runs that ended well.</summary>
        public long Runs;

        /// <summary>The last of them; zero unless the session is timed.</summary>
        public TimeSpan Last;

        /// <summary>The longest of them; zero unless the session is timed.</summary>
        public TimeSpan Worst;

        /// <summary>Allocations of the library during all runs.</summary>
        public long Allocations;
    }

    /// <summary>A session: one thread at a time. A call that comes while another runs throws an InvalidOperationException.</summary>
    public sealed unsafe class Session : IDisposable
    {
        private readonly SessionHandle handle;
        private readonly long[] inputShape, outputShape;
        private readonly long inputCount, outputCount, most;
        private readonly Gate gate = new Gate("session");

        /// <summary>Makes one, with all the memory it will ever need.</summary>
        public Session(Network network, SessionOptions options = null)
        {
            using (var heard = new Heard())
            using (var of = new Lease(Given.It(network, "network").Handle))
            {
                Native.pon_session_options raw = (options ?? new SessionOptions()).Raw();
                most = Math.Max(1, (long)raw.max_batch);
                IntPtr made;
                handle = heard.Made(Native.pon_session_new(of.Raw, &raw, &made, heard.Raw), new SessionHandle(made));
            }
            inputCount = Only((Port[])network.Inputs, out inputShape);
            outputCount = Only((Port[])network.Outputs, out outputShape);
        }

        /// <summary>How much memory for values such a session would hold, in bytes.</summary>
        public static long BytesOf(Network network, SessionOptions options = null)
        {
            using (var heard = new Heard())
            using (var of = new Lease(Given.It(network, "network").Handle))
            {
                Native.pon_session_options raw = (options ?? new SessionOptions()).Raw();
                ulong size;
                heard.Demand(Native.pon_session_bytes(of.Raw, &raw, &size, heard.Raw));
                return (long)size;
            }
        }

        /// <summary>Shape and numbers of one example of the only port, 0 if there is another one or its shape is free.</summary>
        private static long Only(Port[] ports, out long[] shape)
        {
            shape = null;
            if (ports.Length != 1 || ports[0].Shape == null || ports[0].ElementType != ElementType.F32)
            {
                return 0;
            }
            shape = (long[])((long[])ports[0].Shape).Clone();
            long count = 1;
            for (int axis = 1; axis < shape.Length; axis++)
            {
                count = shape[axis] < 0 ? 0 : checked(count * shape[axis]);
            }
            return count;
        }

        /// <summary>Runs one or more examples of a network with one input and one output of singles; how many is told by the length of
        /// <paramref name="input"/>. No managed byte is allocated, unless a token is given that can be cancelled.</summary>
        public void Run(ReadOnlySpan<float> input, Span<float> output, CancellationToken token = default(CancellationToken))
        {
            if (token.CanBeCanceled)
            {
                token.ThrowIfCancellationRequested();
                using (var cancel = new CancelFlag(token))
                using (var raised = new Lease(cancel.Handle))
                {
                    Demand(Run(input, output, raised.Raw), token);
                }
                return;
            }
            Errors.Demand(Run(input, output, IntPtr.Zero));
        }

        private int Run(ReadOnlySpan<float> input, Span<float> output, IntPtr cancel)
        {
            long batch = inputCount == 0 ? 0 : input.Length / inputCount;
            if (batch == 0 || batch > most || outputCount == 0 || input.Length != batch * inputCount || output.Length != batch * outputCount)
            {
                throw Misfit(input.Length, output.Length, batch);
            }
            long* xs = stackalloc long[Native.PON_MAX_AXES], ys = stackalloc long[Native.PON_MAX_AXES];
            Batch(xs, inputShape, batch);
            Batch(ys, outputShape, batch);
            using (gate.Enter())
            using (var lease = new Lease(handle))
            fixed (float* x = &MemoryMarshal.GetReference(input), y = &MemoryMarshal.GetReference(output))
            {
                var from = new Native.pon_view { data = x, dtype = Native.PON_DTYPE_F32, ndim = inputShape.Length, shape = xs };
                var to = new Native.pon_view { data = y, dtype = Native.PON_DTYPE_F32, ndim = outputShape.Length, shape = ys };
                return Native.pon_session_run_with(lease.Raw, &from, (UIntPtr)1, &to, (UIntPtr)1, cancel);
            }
        }

        private static void Batch(long* into, long[] shape, long batch)
        {
            into[0] = batch;
            for (int axis = 1; axis < shape.Length; axis++)
            {
                into[axis] = shape[axis];
            }
        }

        private static void Demand(int status, CancellationToken token)
        {
            if (status == Native.PON_STOPPED)
            {
                throw new OperationCanceledException(token);
            }
            Errors.Demand(status);
        }

        private ArgumentException Misfit(int input, int output, long batch)
        {
            if (inputCount == 0 || outputCount == 0)
            {
                return new ArgumentException("The network has several inputs or outputs, other numbers than singles, or a free shape: use Input, Output and Run().");
            }
            if (batch > most)
            {
                return new ArgumentException("The session takes " + most + " examples at once, and there are " + batch
                    + ": see SessionOptions.MaxBatch.");
            }
            return new ArgumentException("An example has " + inputCount + " numbers and an answer " + outputCount + ", but there are "
                + input + " and room for " + output + ".");
        }

        /// <summary>The numbers of an input, to be written before <see cref="Run(CancellationToken)"/>: room for the most examples.
        /// The memory is the session's, and gone with it.</summary>
        public Span<T> Input<T>(int port = 0) where T : struct
        {
            return Own<T>(Native.PON_INPUT, port);
        }

        /// <summary>The numbers of an output, to be read after a run. The memory is the session's, and gone with it.</summary>
        public ReadOnlySpan<T> Output<T>(int port = 0) where T : struct
        {
            return Own<T>(Native.PON_OUTPUT, port);
        }

        private Span<T> Own<T>(int direction, int port) where T : struct
        {
            using (gate.Enter())
            using (var lease = new Lease(handle))
            {
                Native.pon_view view;
                Errors.Demand(Native.pon_session_port(lease.Raw, direction, (UIntPtr)checked((uint)port), &view));
                if (view.dtype != (int)Shapes.TypeOf<T>())
                {
                    throw new ArgumentException("The port is of " + (ElementType)view.dtype + ".");
                }
                long count = Shapes.Count(Shapes.Of(view.shape, view.ndim));
                return new Span<T>(view.data, checked((int)count));
            }
        }

        /// <summary>Binds a port to memory of the caller for all runs to come; null unbinds. It must stay where it is: pinned or
        /// native.</summary>
        public void Bind(bool output, int port, IntPtr numbers, ElementType type, params long[] shape)
        {
            Given.It(shape, "shape");
            using (gate.Enter())
            using (var lease = new Lease(handle))
            fixed (long* lengths = shape)
            {
                var view = new Native.pon_view { data = (void*)numbers, dtype = (int)type, ndim = shape.Length, shape = lengths };
                int direction = output ? Native.PON_OUTPUT : Native.PON_INPUT;
                Errors.Demand(Native.pon_session_bind(lease.Raw, direction, (UIntPtr)checked((uint)port), numbers == IntPtr.Zero ? null : &view));
            }
        }

        /// <summary>Runs with the bound numbers; each port must have been bound, or asked for by <c>Input</c> or <c>Output</c>.
        /// No managed byte is allocated, unless a token is given that can be cancelled.</summary>
        public void Run(CancellationToken token = default(CancellationToken))
        {
            if (token.CanBeCanceled)
            {
                token.ThrowIfCancellationRequested();
                using (var cancel = new CancelFlag(token))
                using (var raised = new Lease(cancel.Handle))
                {
                    Demand(Run(raised.Raw), token);
                }
                return;
            }
            Errors.Demand(Run(IntPtr.Zero));
        }

        private int Run(IntPtr cancel)
        {
            using (gate.Enter())
            using (var lease = new Lease(handle))
            {
                return Native.pon_session_run(lease.Raw, cancel);
            }
        }

        /// <summary>Copies what a layer makes into memory of the caller at each run to come; null takes the tap away. The memory must
        /// stay where it is.</summary>
        public void Tap(long layer, IntPtr numbers, params long[] shape)
        {
            Given.It(shape, "shape");
            using (gate.Enter())
            using (var lease = new Lease(handle))
            fixed (long* lengths = shape)
            {
                var view = new Native.pon_view { data = (void*)numbers, dtype = Native.PON_DTYPE_F32, ndim = shape.Length, shape = lengths };
                Errors.Demand(Native.pon_session_tap(lease.Raw, checked((uint)layer), numbers == IntPtr.Zero ? null : &view));
            }
        }

        /// <summary>Goes on with the numbers of another network of the same plan.</summary>
        public void Swap(Network network)
        {
            using (gate.Enter())
            using (var lease = new Lease(handle))
            using (var other = new Lease(Given.It(network, "network").Handle))
            {
                Errors.Demand(Native.pon_session_swap(lease.Raw, other.Raw));
            }
        }

        /// <summary>Makes it usable again after a defect of the library.</summary>
        public void Reset()
        {
            using (gate.Enter())
            using (var lease = new Lease(handle))
            {
                Errors.Demand(Native.pon_session_reset(lease.Raw));
            }
        }

        /// <summary>The instruction set of its kernels.</summary>
        public string InstructionSet
        {
            get
            {
                using (gate.Enter())
                {
                    return Text.Told(handle, Native.pon_session_isa);
                }
            }
        }

        /// <summary>What it has done.</summary>
        public SessionStatistics Statistics
        {
            get
            {
                using (gate.Enter())
                using (var lease = new Lease(handle))
                {
                    var raw = new Native.pon_session_stats { struct_size = (uint)sizeof(Native.pon_session_stats) };
                    Errors.Demand(Native.pon_session_stats_get(lease.Raw, &raw));
                    return new SessionStatistics
                    {
                        WorkspaceBytes = (long)raw.workspace_bytes,
                        Runs = (long)raw.runs,
                        Last = TimeSpan.FromTicks((long)(raw.last_ns / 100)),
                        Worst = TimeSpan.FromTicks((long)(raw.worst_ns / 100)),
                        Allocations = (long)raw.allocations,
                    };
                }
            }
        }

        /// <summary>Ends it.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}
