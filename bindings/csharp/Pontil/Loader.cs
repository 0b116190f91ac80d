// Opening the native library at a place, so that the calls of Native.g.cs find it. .NET has a call for that; on older runtimes a
// library that is open already is found by its name, on Mono by the name that Pontil.dll.config gives.

using System;
using System.ComponentModel;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Pontil
{
    internal static class Loader
    {
        // A resolver is set once, and the library may be looked for again after a refusal.
        private static IntPtr opened;
        private static bool resolves;

        private static IntPtr Resolve(string name, Assembly assembly, DllImportSearchPath? search)
        {
            return name == Native.Library ? opened : IntPtr.Zero;
        }

        /// <summary>Leaves the search to the runtime.</summary>
        internal static void Forget()
        {
            opened = IntPtr.Zero;
        }

        internal static void Load(string place)
        {
#if NET5_0_OR_GREATER
            opened = NativeLibrary.Load(place);
            if (!resolves)
            {
                NativeLibrary.SetDllImportResolver(typeof(Loader).Assembly, Resolve);
                resolves = true;
            }
#else
            if (!ByName(place))
            {
                Open(place);
            }
#endif
        }

#if !NET5_0_OR_GREATER
        /// <summary>The resolver of .NET Core 3 and later, which this build can not name.</summary>
        private static bool ByName(string place)
        {
            Type native = typeof(object).Assembly.GetType("System.Runtime.InteropServices.NativeLibrary");
            Type resolver = typeof(object).Assembly.GetType("System.Runtime.InteropServices.DllImportResolver");
            MethodInfo load = native == null ? null : native.GetMethod("Load", new[] { typeof(string) });
            MethodInfo set = native == null ? null : native.GetMethod("SetDllImportResolver");
            if (load == null || set == null || resolver == null)
            {
                return false;
            }
            try
            {
                opened = (IntPtr)load.Invoke(null, new object[] { place });
            }
            catch (TargetInvocationException wrapped)
            {
                throw new DllNotFoundException(wrapped.InnerException.Message, wrapped.InnerException);
            }
            if (!resolves)
            {
                Func<string, Assembly, DllImportSearchPath?, IntPtr> resolve = Resolve;
                set.Invoke(null, new object[] { typeof(Loader).Assembly, Delegate.CreateDelegate(resolver, resolve.Method) });
                resolves = true;
            }
            return true;
        }

        private static void Open(string place)
        {
            const int Now = 2, Global = 0x100;
            if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
            {
                if (LoadLibrary(place) == IntPtr.Zero)
                {
                    throw new DllNotFoundException(place + ": " + new Win32Exception().Message);
                }
                return;
            }
            bool linux = RuntimeInformation.IsOSPlatform(OSPlatform.Linux);
            IntPtr library = linux ? OpenOnLinux(place, Now | Global) : OpenOnMac(place, Now);
            if (library == IntPtr.Zero)
            {
                throw new DllNotFoundException(place + ": " + Marshal.PtrToStringAnsi(linux ? ErrorOnLinux() : ErrorOnMac()));
            }
            if ((linux ? FindOnLinux(library, "pon_abi") : FindOnMac(library, "pon_abi")) == IntPtr.Zero)
            {
                throw new DllNotFoundException(place + " is a library, but not Pontil's: it has no entry pon_abi.");
            }
        }

        [DllImport("kernel32", EntryPoint = "LoadLibraryW", CharSet = CharSet.Unicode, SetLastError = true)]
        private static extern IntPtr LoadLibrary(string path);

        [DllImport("libdl.so.2", EntryPoint = "dlopen")]
        private static extern IntPtr OpenOnLinux(string path, int flags);

        [DllImport("libdl.so.2", EntryPoint = "dlsym")]
        private static extern IntPtr FindOnLinux(IntPtr library, string entry);

        [DllImport("/usr/lib/libSystem.dylib", EntryPoint = "dlsym")]
        private static extern IntPtr FindOnMac(IntPtr library, string entry);

        [DllImport("libdl.so.2", EntryPoint = "dlerror")]
        private static extern IntPtr ErrorOnLinux();

        [DllImport("/usr/lib/libSystem.dylib", EntryPoint = "dlopen")]
        private static extern IntPtr OpenOnMac(string path, int flags);

        [DllImport("/usr/lib/libSystem.dylib", EntryPoint = "dlerror")]
        private static extern IntPtr ErrorOnMac();
#endif
    }
}
