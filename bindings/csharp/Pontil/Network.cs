// A description with its numbers.

using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;

namespace Pontil
{
    /// <summary>An input or output of a network.</summary>
    public sealed class Port
    {
        internal unsafe Port(Native.pon_port raw)
        {
            Name = Text.Of(raw.name);
            ElementType = (ElementType)raw.dtype;
            Shape = raw.ndim < 0 ? null : Shapes.Of(raw.shape, raw.ndim);
        }

        /// <summary>Its name.</summary>
        public string Name { get; private set; }

        /// <summary>What one number is.</summary>
        public ElementType ElementType { get; private set; }

        /// <summary>Lengths, the batch first; -1 is free. Null: nothing says it.</summary>
        public IReadOnlyList<long> Shape { get; private set; }
    }

    /// <summary>A place of a network for numbers.</summary>
    public sealed class Slot
    {
        internal unsafe Slot(Native.pon_slot raw)
        {
            Path = Text.Of(raw.path);
            IsParameter = raw.role == Native.PON_ROLE_PARAMETER;
            Layer = raw.layer;
            ElementType = (ElementType)raw.dtype;
            Shape = Shapes.Of(raw.view.shape, raw.view.ndim);
            if (ElementType == ElementType.F32)
            {
                Numbers = new float[Shapes.Count(Shape)];
                new ReadOnlySpan<float>(raw.view.data, Numbers.Length).CopyTo(Numbers);
            }
        }

        /// <summary>Its dotted path, e.g. <c>0.weight</c>.</summary>
        public string Path { get; private set; }

        /// <summary>Whether it is trained, and not moved by the forward pass.</summary>
        public bool IsParameter { get; private set; }

        /// <summary>The first layer that uses it.</summary>
        public long Layer { get; private set; }

        /// <summary>What one number is.</summary>
        public ElementType ElementType { get; private set; }

        /// <summary>Lengths, slowest axis first.</summary>
        public IReadOnlyList<long> Shape { get; private set; }

        /// <summary>A copy of the numbers.</summary>
        public float[] Numbers { get; private set; }
    }

    /// <summary>A network: never changes, and is shared by any number of threads and sessions.</summary>
    public sealed unsafe class Network : IDisposable
    {
        internal readonly NetworkHandle Handle;

        internal Network(IntPtr owned)
        {
            Handle = new NetworkHandle(owned);
        }

        /// <summary>Of a description and its numbers; without numbers: noughts.</summary>
        public static Network Build(Description description, ParameterSet numbers = null)
        {
            using (var heard = new Heard())
            using (var words = new Lease(Given.It(description, "description").Handle))
            using (var set = new Lease(numbers == null ? null : numbers.Handle))
            {
                IntPtr made;
                return heard.Made(Native.pon_network_build(words.Raw, set.Raw, &made, heard.Raw), new Network(made));
            }
        }

        /// <summary>The same description with other numbers; sessions may swap to it.</summary>
        public Network With(ParameterSet numbers)
        {
            using (var heard = new Heard())
            using (var self = new Lease(Handle))
            using (var set = new Lease(Given.It(numbers, "numbers").Handle))
            {
                IntPtr made;
                return heard.Made(Native.pon_network_with(self.Raw, set.Raw, &made, heard.Raw), new Network(made));
            }
        }

        /// <summary>The inputs.</summary>
        public IReadOnlyList<Port> Inputs
        {
            get { return Ports(Native.PON_INPUT); }
        }

        /// <summary>The outputs.</summary>
        public IReadOnlyList<Port> Outputs
        {
            get { return Ports(Native.PON_OUTPUT); }
        }

        private Port[] Ports(int direction)
        {
            using (var self = new Lease(Handle))
            {
                var ports = new Port[(int)(uint)Native.pon_network_ports(self.Raw, direction)];
                for (int at = 0; at < ports.Length; at++)
                {
                    var raw = new Native.pon_port { struct_size = (uint)sizeof(Native.pon_port) };
                    Errors.Demand(Native.pon_network_port(self.Raw, direction, (UIntPtr)(uint)at, &raw));
                    ports[at] = new Port(raw);
                }
                return ports;
            }
        }

        /// <summary>Every slot with a copy of its numbers.</summary>
        public IReadOnlyList<Slot> Slots
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    var slots = new Slot[(int)(uint)Native.pon_network_slots(self.Raw)];
                    for (int at = 0; at < slots.Length; at++)
                    {
                        var raw = new Native.pon_slot { struct_size = (uint)sizeof(Native.pon_slot) };
                        Errors.Demand(Native.pon_network_slot(self.Raw, (UIntPtr)(uint)at, &raw));
                        slots[at] = new Slot(raw);
                    }
                    return slots;
                }
            }
        }

        /// <summary>The numbers as a set.</summary>
        public ParameterSet Parameters
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    IntPtr made;
                    Errors.Demand(Native.pon_network_params(self.Raw, &made));
                    return new ParameterSet(made);
                }
            }
        }

        /// <summary>The description, in the library's own words.</summary>
        public Description Description
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    IntPtr made;
                    Errors.Demand(Native.pon_network_description(self.Raw, &made));
                    return new Description(made);
                }
            }
        }

        /// <summary>Number of a layer by its name.</summary>
        public long LayerNumber(string name)
        {
            byte[] utf8 = Text.Bytes(name, "name");
            using (var self = new Lease(Handle))
            fixed (byte* text = utf8)
            {
                uint found;
                Errors.Demand(Native.pon_network_layer(self.Raw, text, Text.Length(utf8), &found));
                return found;
            }
        }

        /// <summary>Shape and type of what a layer makes.</summary>
        public Port LayerPort(long layer)
        {
            using (var self = new Lease(Handle))
            {
                var raw = new Native.pon_port { struct_size = (uint)sizeof(Native.pon_port) };
                Errors.Demand(Native.pon_network_layer_port(self.Raw, checked((uint)layer), &raw));
                return new Port(raw);
            }
        }

        /// <summary>The steps it runs in, for people.</summary>
        public string PlanText(Precision precision = Precision.Standard)
        {
            using (var heard = new Heard())
            using (var self = new Lease(Handle))
            {
                Native.pon_str text;
                heard.Demand(Native.pon_network_plan_text(self.Raw, (int)precision, &text, heard.Raw));
                return Text.Of(text);
            }
        }

        /// <summary>A session of one thread.</summary>
        public Session NewSession(SessionOptions options = null)
        {
            return new Session(this, options);
        }

        /// <summary>Saves it to a file, all or nothing.</summary>
        public void Save(string path, SaveOptions options = null, IProgress<double> progress = null, CancellationToken token = default(CancellationToken))
        {
            Saving.ToFile(null, Handle, path, options, progress, token);
        }

        /// <summary>Saves it to a stream, which is left open.</summary>
        public void Save(Stream stream, SaveOptions options = null, IProgress<double> progress = null, CancellationToken token = default(CancellationToken))
        {
            Saving.ToStream(null, Handle, stream, options, progress, token);
        }

        /// <summary>Ends it; sessions keep what they need.</summary>
        public void Dispose()
        {
            Handle.Dispose();
        }
    }
}
