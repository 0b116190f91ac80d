// Finding the native library: which places are looked at, in which order, and what is said if it is nowhere or does not fit.

using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Pontil
{
    internal static unsafe partial class Native
    {
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
        // There the library is linked into the program itself.
        internal const string Library = "__Internal";
#else
        internal const string Library = "pontil";
#endif
    }

    /// <summary>The native library. It is looked for once, at the first use of anything else: at <see cref="Path"/> if that is set and
    /// nowhere else; or beside this assembly and beside the program, each time in <c>runtimes/RID/native</c> first, and last where the runtime
    /// looks.</summary>
    public static class PontilLibrary
    {
        private static readonly object Gate = new object();
        private static readonly List<string> Places = new List<string>();
        private static volatile bool fits;
        private static string path, loaded;

        /// <summary>Where the library is: a file, or a folder that holds it. Set before anything else is used.</summary>
        public static string Path
        {
            get { return path; }
            set
            {
                if (fits)
                {
                    throw new InvalidOperationException("Pontil's native library is loaded already; its path is set before the first use.");
                }
                path = value;
            }
        }

        /// <summary>The places that were looked at, in order.</summary>
        public static IReadOnlyList<string> PlacesTried
        {
            get
            {
                lock (Gate)
                {
                    return Places.ToArray();
                }
            }
        }

        /// <summary>Version of the library: major &lt;&lt; 16 | minor &lt;&lt; 8 | patch.</summary>
        public static long Version
        {
            get
            {
                Ensure();
                return Number();
            }
        }

        /// <summary>What the library was built as: a JSON object.</summary>
        public static string BuildInfo
        {
            get
            {
                Ensure();
                return Build();
            }
        }

        /// <summary>Every layer word, with the JSON schema of its settings.</summary>
        public static IReadOnlyDictionary<string, string> Words
        {
            get
            {
                Ensure();
                return Known();
            }
        }

        // Mono looks a native function up when the method that calls it is compiled: what calls one is never the method that has
        // the library loaded.
        [MethodImpl(MethodImplOptions.NoInlining)]
        private static long Number()
        {
            return Native.pon_version();
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static unsafe string Build()
        {
            Native.pon_str text;
            Errors.Demand(Native.pon_build_info(&text));
            return Text.Of(text);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static unsafe IReadOnlyDictionary<string, string> Known()
        {
            var words = new Dictionary<string, string>();
            ulong count = (ulong)Native.pon_words_count(IntPtr.Zero);
            for (ulong at = 0; at < count; at++)
            {
                Native.pon_str word, schema;
                Errors.Demand(Native.pon_words_get(IntPtr.Zero, (UIntPtr)at, &word, &schema));
                words[Text.Of(word)] = Text.Of(schema);
            }
            return words;
        }

        internal static void Ensure()
        {
            if (!fits)
            {
                lock (Gate)
                {
                    if (!fits)
                    {
                        Load();
                        Check(Native.PON_ABI, Native.PON_HEADER);
                        fits = true;
                    }
                }
            }
        }

        /// <summary>Refuses a library of another interface, or one that is older than this assembly.</summary>
        [MethodImpl(MethodImplOptions.NoInlining)]
        internal static void Check(uint abi, uint header)
        {
            uint its, version;
            try
            {
                its = Native.pon_abi();
                version = Native.pon_version();
            }
            catch (DllNotFoundException missing)
            {
                throw new DllNotFoundException(
                    "Pontil's native library was not found. Looked at:\n  " + string.Join("\n  ", Places)
                    + "\n  and where the runtime looks for \"" + Native.Library + "\". Install the package Pontil.Native, put "
                    + FileName + " beside the program, or set PontilLibrary.Path.", missing);
            }
            catch (EntryPointNotFoundException other)
            {
                throw new DllNotFoundException(
                    (loaded ?? "What the runtime found as \"" + Native.Library + "\"") + " is a library, but not Pontil's: " + other.Message, other);
            }
            if (Native.pon_check(abi, header) != Native.PON_OK)
            {
                throw new PontilException(Status.Abi, string.Format(
                    "The native library has the interface {0} and the version {1}; this assembly needs the interface {2} and at least "
                    + "version {3}.", its, Written(version), abi, Written(header)), new Fault[0]);
            }
        }

        private static string Written(uint version)
        {
            return (version >> 16) + "." + ((version >> 8) & 255) + "." + (version & 255);
        }

        private static string FileName
        {
            get
            {
                return RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? "pontil.dll"
                    : RuntimeInformation.IsOSPlatform(OSPlatform.OSX) ? "libpontil.dylib" : "libpontil.so";
            }
        }

        private static string Rid
        {
            get
            {
                string system = RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? "win"
                    : RuntimeInformation.IsOSPlatform(OSPlatform.OSX) ? "osx"
                    : Directory.Exists("/lib") && Directory.GetFiles("/lib", "ld-musl-*").Length > 0 ? "linux-musl" : "linux";
                return system + "-" + RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant();
            }
        }

        private static void Load()
        {
            Places.Clear();
            loaded = null;
            Loader.Forget();
            if (!string.IsNullOrEmpty(path))
            {
                Places.Add(Directory.Exists(path) ? System.IO.Path.Combine(path, FileName) : System.IO.Path.GetFullPath(path));
            }
            else
            {
                foreach (string folder in Folders())
                {
                    Places.Add(System.IO.Path.Combine(folder, "runtimes", Rid, "native", FileName));
                    Places.Add(System.IO.Path.Combine(folder, FileName));
                }
            }
            foreach (string place in Places)
            {
                if (File.Exists(place))
                {
                    Loader.Load(place);
                    loaded = place;
                    return;
                }
            }
            if (!string.IsNullOrEmpty(path))
            {
                throw new DllNotFoundException("Pontil's native library is not at PontilLibrary.Path: " + Places[0] + " does not exist.");
            }
        }

        /// <summary>Where this assembly lies; "" of one that was put into the program's own file.</summary>
#if NET5_0_OR_GREATER
        [System.Diagnostics.CodeAnalysis.UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "The empty text is expected.")]
#endif
        private static string Own()
        {
            return typeof(PontilLibrary).Assembly.Location;
        }

        private static IEnumerable<string> Folders()
        {
            string own = Own();
            string folder = string.IsNullOrEmpty(own) ? "" : System.IO.Path.GetDirectoryName(own);
            if (folder.Length > 0)
            {
                yield return folder;
            }
            string program = AppDomain.CurrentDomain.BaseDirectory;
            if (!string.IsNullOrEmpty(program) && program.TrimEnd('/', '\\') != folder)
            {
                yield return program;
            }
        }
    }
}
