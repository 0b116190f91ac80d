// One node of a parameter set, a set and a number: what it is. How it is changed stands in ParameterNodeChanges.cs.

using System;
using System.Collections.Generic;

namespace Pontil
{
    /// <summary>A node of a set. It can be used while its set is; spans and texts while the set is not changed.</summary>
    public readonly unsafe partial struct ParameterNode
    {
        private readonly ParameterSet set;
        private readonly uint number;

        internal ParameterNode(ParameterSet set, uint number)
        {
            this.set = set;
            this.number = number;
        }

        private ParameterSetHandle Handle
        {
            get
            {
                if (set == null)
                {
                    throw new InvalidOperationException("This node is of no set: it is the default of its type.");
                }
                return set.Handle;
            }
        }

        // What these tell lies in memory of the set: it is read before the lease ends.
        private Native.pon_node_info Info(Lease self)
        {
            var info = new Native.pon_node_info { struct_size = (uint)sizeof(Native.pon_node_info) };
            Errors.Demand(Native.pon_params_node(self.Raw, number, &info));
            return info;
        }

        private Native.pon_value Value(Lease self)
        {
            var value = new Native.pon_value { struct_size = (uint)sizeof(Native.pon_value) };
            Errors.Demand(Native.pon_params_get(self.Raw, number, &value));
            return value;
        }

        private Native.pon_view View(Lease self)
        {
            Native.pon_view view;
            Errors.Demand(Native.pon_params_view(self.Raw, number, &view));
            return view;
        }

        /// <summary>What it is.</summary>
        public NodeKind Kind
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    return (NodeKind)Info(self).kind;
                }
            }
        }

        /// <summary>Its key; empty for the root and in branches that go by place.</summary>
        public string Key
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    return Text.Of(Info(self).key);
                }
            }
        }

        /// <summary>Name of its type; empty of what is no structured leaf or object.</summary>
        public string TypeName
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    return Text.Of(Info(self).type_name);
                }
            }
        }

        /// <summary>Its path from the root.</summary>
        public string Path
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    UIntPtr need;
                    Native.pon_params_path(self.Raw, number, null, UIntPtr.Zero, &need);
                    var path = new byte[Math.Max(1, (int)(uint)need)];
                    fixed (byte* into = path)
                    {
                        Errors.Demand(Native.pon_params_path(self.Raw, number, into, (UIntPtr)(uint)path.Length, &need));
                        return Text.Of(into, (UIntPtr)((uint)need - 1));
                    }
                }
            }
        }

        /// <summary>Of a child of a map whose key is no text: the key; it has no path.</summary>
        public ParameterNode? KeyNode
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    return Other(Info(self).key_node);
                }
            }
        }

        /// <summary>Of a reference: what it refers to, which stands elsewhere in the set.</summary>
        public ParameterNode? Target
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    Native.pon_node_info info = Info(self);
                    return info.kind == Native.PON_KIND_REFERENCE ? Other(info.refers_to) : null;
                }
            }
        }

        private ParameterNode? Other(uint at)
        {
            return at == Native.PON_NO_NODE ? (ParameterNode?)null : new ParameterNode(set, at);
        }

        /// <summary>The children, in order.</summary>
        public IReadOnlyList<ParameterNode> Children
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    var children = new ParameterNode[(int)Info(self).children];
                    for (int at = 0; at < children.Length; at++)
                    {
                        uint child;
                        Errors.Demand(Native.pon_params_child(self.Raw, number, (uint)at, &child));
                        children[at] = new ParameterNode(set, child);
                    }
                    return children;
                }
            }
        }

        /// <summary>A node below, by its path.</summary>
        public ParameterNode Find(string path)
        {
            byte[] utf8 = Text.Bytes(path, "path");
            using (var self = new Lease(Handle))
            fixed (byte* name = utf8)
            {
                uint found;
                int status = Native.pon_params_find(self.Raw, number, name, Text.Length(utf8), &found);
                if (status == Native.PON_E_NO_PATH)
                {
                    throw new KeyNotFoundException("The set has no node " + path + ".");
                }
                Errors.Demand(status);
                return new ParameterNode(set, found);
            }
        }

        /// <summary>Lengths of an array, slowest axis first.</summary>
        public IReadOnlyList<long> Shape
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    Native.pon_view view = View(self);
                    return Shapes.Of(view.shape, view.ndim);
                }
            }
        }

        /// <summary>Element type of an array.</summary>
        public ElementType ElementType
        {
            get
            {
                using (var self = new Lease(Handle))
                {
                    return (ElementType)View(self).dtype;
                }
            }
        }

        /// <summary>The numbers of an array, which belong to the set: they are gone when it is disposed, or collected since nothing refers to
        /// it any more.</summary>
        public ReadOnlySpan<T> Numbers<T>() where T : struct
        {
            using (var self = new Lease(Handle))
            {
                return Arrays.Of<T>(View(self));
            }
        }

        /// <summary>A whole number, or a truth as 0 or 1; also of a single number with an element type.</summary>
        public long ToInt64()
        {
            using (var self = new Lease(Handle))
            {
                Native.pon_value value = Value(self);
                switch (value.kind)
                {
                    case Native.PON_KIND_INT:
                    case Native.PON_KIND_BOOL:
                        return value.i;
                    case Native.PON_KIND_SCALAR:
                        return Arrays.Whole(value.tensor) ?? throw NotA("whole number");
                    default:
                        throw NotA("whole number");
                }
            }
        }

        /// <summary>A number; also one with an element type.</summary>
        public double ToDouble()
        {
            using (var self = new Lease(Handle))
            {
                Native.pon_value value = Value(self);
                switch (value.kind)
                {
                    case Native.PON_KIND_REAL:
                        return value.re;
                    case Native.PON_KIND_INT:
                        return value.i;
                    case Native.PON_KIND_SCALAR:
                        return Arrays.Single<double>(value.tensor) ?? throw NotA("number");
                    default:
                        throw NotA("number");
                }
            }
        }

        /// <summary>A text; of a whole number that no long holds its digits.</summary>
        public string ToText()
        {
            using (var self = new Lease(Handle))
            {
                Native.pon_value value = Value(self);
                return value.kind == Native.PON_KIND_TEXT || value.kind == Native.PON_KIND_BIG_INT ? Text.Of(value.text) : throw NotA("text");
            }
        }

        private InvalidOperationException NotA(string what)
        {
            return new InvalidOperationException(Path + " is no " + what + ": its kind is " + Kind + ".");
        }

        /// <summary>A structured leaf as its matrix, in rows: as many as the matrix has columns.</summary>
        public T[] ToDense<T>(out long columns, out long rows) where T : struct
        {
            using (var heard = new Heard())
            using (var self = new Lease(Handle))
            {
                IntPtr made;
                using (heard.Made(Native.pon_params_dense(self.Raw, number, &made, heard.Raw), new TensorHandle(made)))
                {
                    Native.pon_view view;
                    Errors.Demand(Native.pon_tensor_view(made, &view));
                    columns = view.ndim > 0 ? view.shape[0] : 1;
                    rows = view.ndim > 1 ? view.shape[1] : 1;
                    return Arrays.Of<T>(view).ToArray();
                }
            }
        }
    }
}
