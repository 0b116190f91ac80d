// Text between .NET and the library: UTF-8 in; UTF-8 out, or WTF-8 where a file held a lone surrogate.

using System;
using System.Text;

namespace Pontil
{
    internal static unsafe class Text
    {
        private static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

        /// <summary>The bytes with one NUL after the end, so that even "" has an address.</summary>
        internal static byte[] Bytes(string text, string name)
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
}
