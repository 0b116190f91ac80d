// Changes of a parameter set at one of its nodes.

using System;

namespace Pontil
{
    public readonly unsafe partial struct ParameterNode
    {
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
