// Text between .NET and the library: UTF-8 in; UTF-8 out, or WTF-8 where a file held a lone surrogate.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Pontil
{
    internal static unsafe class Text
    {
        private static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

        /// <summary>The bytes with one NUL after the end, so that even "" has an address.</summary>
        internal static byte[] Bytes(string text, string name = "text")
        {
            Given.It(text, name);
            var bytes = new byte[Strict.GetByteCount(text) + 1];
            Strict.GetBytes(text, 0, text.Length, bytes, 0);
            return bytes;
        }

        internal static UIntPtr Length(byte[] bytes)
        {
            return (UIntPtr)(uint)(bytes.Length - 1);
        }

        /// <summary>A function of the library that tells a text of an object.</summary>
        internal delegate int Telling(IntPtr of, Native.pon_str* text);

        /// <summary>What such a function tells.</summary>
        internal static string Told(NativeHandle handle, Telling call)
        {
            using (var lease = new Lease(handle))
            {
                Native.pon_str text;
                Errors.Demand(call(lease.Raw, &text));
                return Of(text);
            }
        }

        internal static string Of(Native.pon_str text)
        {
            return Of(text.data, text.len);
        }

        internal static string Of(byte* data, UIntPtr length)
        {
            int count = checked((int)(uint)length);
            if (data == null || count == 0)
            {
                return "";
            }
            try
            {
                return Strict.GetString(data, count);
            }
            catch (DecoderFallbackException)
            {
                return Wtf8(data, count);
            }
        }

        private static string Wtf8(byte* data, int count)
        {
            var text = new StringBuilder(count);
            for (int at = 0; at < count;)
            {
                int first = data[at];
                int size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
                if (at + size > count)
                {
                    return text.Append('\uFFFD').ToString();
                }
                int rune = size == 1 ? first : first & (0x7F >> size);
                for (int next = 1; next < size; next++)
                {
                    rune = (rune << 6) | (data[at + next] & 0x3F);
                }
                if (rune >= 0x10000)
                {
                    text.Append((char)(0xD800 + ((rune - 0x10000) >> 10))).Append((char)(0xDC00 + ((rune - 0x10000) & 0x3FF)));
                }
                else
                {
                    text.Append((char)rune);
                }
                at += size;
            }
            return text.ToString();
        }
    }

    /// <summary>Texts and shapes lent to the library for the length of a call.</summary>
    internal sealed unsafe class Lent : IDisposable
    {
        private readonly List<IntPtr> blocks = new List<IntPtr>();

        internal Native.pon_str Text(string text)
        {
            var lent = new Native.pon_str();
            if (!string.IsNullOrEmpty(text))
            {
                byte[] bytes = Pontil.Text.Bytes(text);
                lent.data = (byte*)Block(bytes.Length);
                lent.len = Pontil.Text.Length(bytes);
                Marshal.Copy(bytes, 0, (IntPtr)lent.data, bytes.Length);
            }
            return lent;
        }

        internal long* Shape(IReadOnlyList<long> shape)
        {
            var lent = (long*)Block(8 * (shape.Count + 1));
            for (int axis = 0; axis < shape.Count; axis++)
            {
                lent[axis] = shape[axis];
            }
            return lent;
        }

        internal void* Block(int size)
        {
            IntPtr block = Marshal.AllocHGlobal(size);
            blocks.Add(block);
            return (void*)block;
        }

        public void Dispose()
        {
            foreach (IntPtr block in blocks)
            {
                Marshal.FreeHGlobal(block);
            }
            blocks.Clear();
        }
    }
}
