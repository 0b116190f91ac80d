// One node of a parameter set: a set and a number.

using System;
using System.Collections.Generic;

namespace Pontil
{
    /// <summary>A node of a set. It can be used while its set is; spans and texts while the set is not changed.</summary>
    public readonly unsafe struct ParameterNode
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

        private Native.pon_node_info Info()
        {
            using (var self = new Lease(Handle))
            {
                var info = new Native.pon_node_info { struct_size = (uint)sizeof(Native.pon_node_info) };
                Errors.Demand(Native.pon_params_node(self.Raw, number, &info));
                return info;
            }
        }

        /// <summary>The value of a leaf; what it lends ends with the lease.</summary>
        private Native.pon_value Value(Lease self)
        {
            var value = new Native.pon_value { struct_size = (uint)sizeof(Native.pon_value) };
            Errors.Demand(Native.pon_params_get(self.Raw, number, &value));
            return value;
        }

        private Native.pon_view View()
        {
            using (var self = new Lease(Handle))
            {
                Native.pon_view view;
                Errors.Demand(Native.pon_params_view(self.Raw, number, &view));
                return view;
            }
        }

        /// <summary>What it is.</summary>
        public NodeKind Kind
        {
            get { return (NodeKind)Info().kind; }
        }

        /// <summary>Its key; empty for the root and in branches that go by place.</summary>
        public string Key
        {
            get { return Text.Of(Info().key); }
        }

        /// <summary>Name of its type; empty of what is no structured leaf or object.</summary>
        public string TypeName
        {
            get { return Text.Of(Info().type_name); }
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
            get { return Other(Info().key_node); }
        }

        /// <summary>Of a reference: what it refers to, which stands elsewhere in the set.</summary>
        public ParameterNode? Target
        {
            get { return Kind == NodeKind.Reference ? Other(Info().refers_to) : null; }
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
                var children = new ParameterNode[(int)Info().children];
                using (var self = new Lease(Handle))
                {
                    for (int at = 0; at < children.Length; at++)
                    {
                        uint child;
                        Errors.Demand(Native.pon_params_child(self.Raw, number, (uint)at, &child));
                        children[at] = new ParameterNode(set, child);
                    }
                }
                return children;
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
                Native.pon_view view = View();
                return Shapes.Of(view.shape, view.ndim);
            }
        }

        /// <summary>Element type of an array.</summary>
        public ElementType ElementType
        {
            get { return (ElementType)View().dtype; }
        }

        /// <summary>The numbers of an array, which belong to the set.</summary>
        public ReadOnlySpan<T> Numbers<T>() where T : struct
        {
            return Arrays.Of<T>(View());
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
                heard.Demand(Native.pon_params_dense(self.Raw, number, &made, heard.Raw));
                using (var dense = new TensorHandle(made))
                {
                    Native.pon_view view;
                    Errors.Demand(Native.pon_tensor_view(made, &view));
                    columns = view.ndim > 0 ? view.shape[0] : 1;
                    rows = view.ndim > 1 ? view.shape[1] : 1;
                    return Arrays.Of<T>(view).ToArray();
                }
            }
        }

        /// <summary>Adds an array as the last child: a copy of packed numbers.</summary>
        public ParameterNode Add<T>(string key, ReadOnlySpan<T> numbers, params long[] shape) where T : struct
        {
            using (TensorHandle tensor = Arrays.New(numbers, shape))
            using (var lease = new Lease(tensor))
            {
                return Add(key, new Native.pon_value { kind = Native.PON_KIND_TENSOR, tensor = lease.Raw });
            }
        }

        /// <summary>Adds a whole number as the last child.</summary>
        public ParameterNode Add(string key, long number)
        {
            return Add(key, new Native.pon_value { kind = Native.PON_KIND_INT, i = number });
        }

        /// <summary>Adds a number as the last child.</summary>
        public ParameterNode Add(string key, double number)
        {
            return Add(key, new Native.pon_value { kind = Native.PON_KIND_REAL, re = number });
        }

        /// <summary>Adds a truth as the last child.</summary>
        public ParameterNode Add(string key, bool truth)
        {
            return Add(key, new Native.pon_value { kind = Native.PON_KIND_BOOL, i = truth ? 1 : 0 });
        }

        /// <summary>Adds a text as the last child.</summary>
        public ParameterNode Add(string key, string text)
        {
            using (var lent = new Lent())
            {
                return Add(key, new Native.pon_value { kind = Native.PON_KIND_TEXT, text = lent.Text(Given.It(text, "text")) });
            }
        }

        private ParameterNode Add(string key, Native.pon_value value)
        {
            value.struct_size = (uint)sizeof(Native.pon_value);
            byte[] utf8 = Text.Bytes(key, "key");
            using (var self = new Lease(Handle))
            fixed (byte* name = utf8)
            {
                uint made;
                Errors.Demand(Native.pon_params_add(self.Raw, number, name, Text.Length(utf8), &value, &made));
                return new ParameterNode(set, made);
            }
        }

        /// <summary>Adds an empty branch as the last child.</summary>
        public ParameterNode AddBranch(string key, NodeKind kind = NodeKind.Named)
        {
            byte[] utf8 = Text.Bytes(key, "key");
            using (var self = new Lease(Handle))
            fixed (byte* name = utf8)
            {
                uint made;
                Errors.Demand(Native.pon_params_add_branch(self.Raw, number, name, Text.Length(utf8), (int)kind, &made));
                return new ParameterNode(set, made);
            }
        }

        /// <summary>Adds, as the last child, a place whose value is not here.</summary>
        public ParameterNode AddNotLoaded(string key)
        {
            return Add(key, new Native.pon_value { kind = Native.PON_KIND_NOT_LOADED });
        }

        /// <summary>Adds an empty object of a type as the last child; its children are its fields.</summary>
        public ParameterNode AddObject(string key, string typeName)
        {
            return AddTyped(key, typeName, Native.PON_KIND_OBJECT);
        }

        /// <summary>Adds an empty structured leaf as the last child; it gets a child <c>storage</c>.</summary>
        public ParameterNode AddStructured(string key, string typeName)
        {
            return AddTyped(key, typeName, Native.PON_KIND_STRUCTURED);
        }

        private ParameterNode AddTyped(string key, string typeName, int kind)
        {
            byte[] utf8 = Text.Bytes(key, "key"), type = Text.Bytes(typeName, "typeName");
            using (var self = new Lease(Handle))
            fixed (byte* name = utf8, its = type)
            {
                uint made;
                Errors.Demand(Native.pon_params_add_typed(self.Raw, number, name, Text.Length(utf8), kind, its,
                    Text.Length(type), &made));
                return new ParameterNode(set, made);
            }
        }

        /// <summary>Adds a copy of a node of another set, with all below it, as the last child.</summary>
        public ParameterNode AddCopy(string key, ParameterNode of)
        {
            byte[] utf8 = Text.Bytes(key, "key");
            using (var self = new Lease(Handle))
            using (var other = new Lease(of.Handle))
            fixed (byte* name = utf8)
            {
                uint made;
                Errors.Demand(Native.pon_params_graft(self.Raw, number, name, Text.Length(utf8), other.Raw, of.number, &made));
                return new ParameterNode(set, made);
            }
        }

        /// <summary>Puts other numbers into an array: a copy of packed ones.</summary>
        public void Set<T>(ReadOnlySpan<T> numbers, params long[] shape) where T : struct
        {
            using (TensorHandle tensor = Arrays.New(numbers, shape))
            using (var lease = new Lease(tensor))
            using (var self = new Lease(Handle))
            {
                var value = new Native.pon_value
                {
                    struct_size = (uint)sizeof(Native.pon_value),
                    kind = Native.PON_KIND_TENSOR,
                    tensor = lease.Raw,
                };
                Errors.Demand(Native.pon_params_set(self.Raw, number, &value));
            }
        }

        /// <summary>Puts a copy of a node of another set, with all below it, in the place of this one.</summary>
        public void Replace(ParameterNode by)
        {
            using (var self = new Lease(Handle))
            using (var other = new Lease(by.Handle))
            {
                Errors.Demand(Native.pon_params_replace(self.Raw, number, other.Raw, by.number));
            }
        }

        /// <summary>Takes it and all below it away; not the root.</summary>
        public void Remove()
        {
            using (var self = new Lease(Handle))
            {
                Errors.Demand(Native.pon_params_remove(self.Raw, number));
            }
        }
    }
}
