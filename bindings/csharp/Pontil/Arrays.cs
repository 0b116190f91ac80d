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

        /// <summary>The number of an array without axes in another element type; null if it is neither a real nor a whole one.</summary>
        internal static T? Single<T>(IntPtr tensor) where T : struct
        {
            IntPtr made;
            int status = Native.pon_tensor_cast(tensor, (int)Shapes.TypeOf<T>(), &made);
            if (status == Native.PON_E_VALUE)
            {
                return null;
            }
            Errors.Demand(status);
            using (new TensorHandle(made))
            {
                Native.pon_view view;
                Errors.Demand(Native.pon_tensor_view(made, &view));
                return Of<T>(view).ToArray()[0];
            }
        }

        /// <summary>The number of an array without axes, if it is whole and a long holds it: of a float up to 2^53, beyond which not all whole
        /// numbers are told apart.</summary>
        internal static long? Whole(IntPtr tensor)
        {
            Native.pon_view view;
            Errors.Demand(Native.pon_tensor_view(tensor, &view));
            switch (view.dtype)
            {
                case Native.PON_DTYPE_I64:
                    return Single<long>(tensor);
                case Native.PON_DTYPE_U64:
                    ulong? large = Single<ulong>(tensor);
                    return large <= long.MaxValue ? (long?)large : null;
                default:
                    double number = Single<double>(tensor) ?? double.NaN;
                    return number == Math.Floor(number) && Math.Abs(number) <= 1L << 53 ? (long?)number : null;
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
