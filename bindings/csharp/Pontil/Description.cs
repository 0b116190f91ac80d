// Layers in words, without numbers.

using System;
using System.Runtime.CompilerServices;

namespace Pontil
{
    /// <summary>Layers in words: JSON in PyTorch's words or in Pontil's.</summary>
    public sealed unsafe class Description : IDisposable
    {
        internal readonly DescriptionHandle Handle;

        internal Description(IntPtr owned)
        {
            Handle = new DescriptionHandle(owned);
        }

        /// <summary>Reads JSON.</summary>
        public static Description Parse(string json, Context context = null)
        {
            PontilLibrary.Ensure();
            return Parse(Text.Bytes(json, "json"), context);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static Description Parse(byte[] utf8, Context context)
        {
            using (var heard = new Heard())
            using (var limits = new Lease(Context.Of(context)))
            fixed (byte* text = utf8)
            {
                IntPtr made;
                return heard.Made(Native.pon_description_parse(limits.Raw, text, Text.Length(utf8), &made, heard.Raw), new Description(made));
            }
        }

        /// <summary>The description as JSON.</summary>
        public override string ToString()
        {
            return Text.Told(Handle, Native.pon_description_print);
        }

        /// <summary>Ends it; what was made of it keeps what it needs.</summary>
        public void Dispose()
        {
            Handle.Dispose();
        }
    }
}
