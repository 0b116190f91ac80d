// Shapes and element types between .NET and the library.

using System;
using System.Collections.Generic;

namespace Pontil
{
    internal static unsafe class Shapes
    {
        internal static long[] Of(long* shape, int axes)
        {
            var lengths = new long[Math.Max(axes, 0)];
            for (int axis = 0; axis < lengths.Length; axis++)
            {
                lengths[axis] = shape[axis];
            }
            return lengths;
        }

        internal static long Count(IReadOnlyList<long> shape)
        {
            long count = 1;
            foreach (long length in shape)
            {
                count = checked(count * length);
            }
            return count;
        }

        /// <summary>A view of an array of singles or doubles, which is pinned as long as it is lent.</summary>
        internal static Native.pon_view Pinned(Array numbers, IReadOnlyList<long> shape, Lent lent)
        {
            ElementType type = numbers is float[] ? ElementType.F32
                : numbers is double[] ? ElementType.F64
                : throw new ArgumentException("The numbers are a float[] or a double[].", "numbers");
            if (numbers.LongLength != Count(Given.It(shape, "shape")))
            {
                throw new ArgumentException("The shape has " + Count(shape) + " numbers, and there are " + numbers.LongLength + ".", "numbers");
            }
            return new Native.pon_view { data = lent.Pinned(numbers), dtype = (int)type, ndim = shape.Count, shape = lent.Shape(shape) };
        }

        internal static ElementType TypeOf<T>() where T : struct
        {
            return typeof(T) == typeof(float) ? ElementType.F32
                : typeof(T) == typeof(double) ? ElementType.F64
                : typeof(T) == typeof(long) ? ElementType.I64
                : typeof(T) == typeof(int) ? ElementType.I32
                : typeof(T) == typeof(short) ? ElementType.I16
                : typeof(T) == typeof(sbyte) ? ElementType.I8
                : typeof(T) == typeof(ulong) ? ElementType.U64
                : typeof(T) == typeof(uint) ? ElementType.U32
                : typeof(T) == typeof(ushort) ? ElementType.U16
                : typeof(T) == typeof(byte) ? ElementType.U8
                : typeof(T) == typeof(bool) ? ElementType.Bool
                : throw new NotSupportedException(typeof(T) + " is no element type of Pontil.");
        }

        internal static bool Packed(Native.pon_view view)
        {
            long step = 1;
            for (int axis = view.ndim - 1; view.strides != null && axis >= 0; axis--)
            {
                if (view.shape[axis] != 1 && view.strides[axis] != step)
                {
                    return false;
                }
                step *= view.shape[axis];
            }
            return true;
        }
    }
}
