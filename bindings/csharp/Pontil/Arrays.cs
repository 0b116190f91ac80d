// Numbers of .NET as arrays of the library, and back.

using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Pontil
{
    internal static unsafe class Arrays
    {
        /// <summary>A copy, packed, slowest axis first.</summary>
        internal static TensorHandle New<T>(ReadOnlySpan<T> numbers, long[] shape) where T : struct
        {
            if (Shapes.Count(Given.It(shape, "shape")) != numbers.Length)
            {
                throw new ArgumentException("The shape has " + Shapes.Count(shape) + " numbers, and there are " + numbers.Length + ".");
            }
            PontilLibrary.Ensure();
            return Copy(numbers, shape);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static TensorHandle Copy<T>(ReadOnlySpan<T> numbers, long[] shape) where T : struct
        {
            ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(numbers);
            var lengths = new long[shape.Length + 1];
            shape.CopyTo(lengths, 0);
            fixed (byte* data = &MemoryMarshal.GetReference(bytes))
            fixed (long* axes = lengths)
            {
                byte nothing;
                var view = new Native.pon_view
                {
                    data = numbers.Length == 0 ? &nothing : data,
                    dtype = (int)Shapes.TypeOf<T>(),
                    ndim = shape.Length,
                    shape = axes,
                };
                IntPtr made;
                Errors.Demand(Native.pon_tensor_copy(IntPtr.Zero, &view, &made));
                return new TensorHandle(made);
            }
        }

        /// <summary>The one number of a view without axes.</summary>
        internal static double Single(Native.pon_view view)
        {
            switch (view.dtype)
            {
                case Native.PON_DTYPE_F32: return *(float*)view.data;
                case Native.PON_DTYPE_F64: return *(double*)view.data;
                case Native.PON_DTYPE_I8: return *(sbyte*)view.data;
                case Native.PON_DTYPE_I16: return *(short*)view.data;
                case Native.PON_DTYPE_I32: return *(int*)view.data;
                case Native.PON_DTYPE_I64: return *(long*)view.data;
                case Native.PON_DTYPE_U8: return *(byte*)view.data;
                case Native.PON_DTYPE_U16: return *(ushort*)view.data;
                case Native.PON_DTYPE_U32: return *(uint*)view.data;
                case Native.PON_DTYPE_U64: return *(ulong*)view.data;
                case Native.PON_DTYPE_BOOL: return *(byte*)view.data;
                default: throw new InvalidOperationException("The number is of " + (ElementType)view.dtype + ", which .NET has not.");
            }
        }

        /// <summary>The numbers of a view, which must be packed and of this type.</summary>
        internal static ReadOnlySpan<T> Of<T>(Native.pon_view view) where T : struct
        {
            if (view.dtype != (int)Shapes.TypeOf<T>())
            {
                throw new InvalidOperationException("The numbers are of " + (ElementType)view.dtype + ".");
            }
            if (!Shapes.Packed(view))
            {
                throw new InvalidOperationException("The numbers do not lie in packed rows; take a copy of the set.");
            }
            return new ReadOnlySpan<T>(view.data, checked((int)Shapes.Count(Shapes.Of(view.shape, view.ndim))));
        }
    }
}
