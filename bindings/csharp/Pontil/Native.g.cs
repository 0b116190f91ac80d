// Generated from include/pontil.h by `PONTIL_WRITE_GOLDENS=1 cargo test --test bindings`; do not edit.
using System;
using System.Runtime.InteropServices;

namespace Pontil
{
    /// <summary>The C interface as it is. Lengths of text are always given.</summary>
    internal static unsafe partial class Native
    {
        /// <summary>Number of the interface; changes only when something that was there changes its meaning or goes.</summary>
        internal const int PON_ABI = 1;

        /// <summary>Version of the header: major &lt;&lt; 16 | minor &lt;&lt; 8 | patch.</summary>
        internal const int PON_HEADER = 256;

        /// <summary>No log.</summary>
        internal const int PON_LOG_SILENT = 0;

        /// <summary>Defects of the library.</summary>
        internal const int PON_LOG_ERROR = 1;

        /// <summary>A fault that refused the call.</summary>
        internal const int PON_SEVERITY_ERROR = 1;

        /// <summary>A fault that did not; the call went on.</summary>
        internal const int PON_SEVERITY_WARNING = 2;

        /// <summary>The offset of a fault that has none.</summary>
        internal const ulong PON_NO_OFFSET = 18446744073709551615;

        /// <summary>Memory of the machine itself.</summary>
        internal const int PON_DEVICE_CPU = 0;

        /// <summary>In `flags`: the numbers must not be written.</summary>
        internal const int PON_VIEW_READ_ONLY = 1;

        /// <summary>Most axes of a view.</summary>
        internal const int PON_MAX_AXES = 32;

        /// <summary>No node.</summary>
        internal const uint PON_NO_NODE = 4294967295;

        /// <summary>Axes as the set has them: slowest first.</summary>
        internal const int PON_ORDER_ROWS = 0;

        /// <summary>Axes in the opposite order, for hosts whose own order is column-major: the same memory, the steps reversed too.</summary>
        internal const int PON_ORDER_COLUMNS = 1;

        /// <summary>A walk goes to whole leaves: a structured one is one leaf.</summary>
        internal const int PON_WALK_LEAVES = 0;

        /// <summary>A walk goes to the arrays and numbers that the storage of structured leaves is made of.</summary>
        internal const int PON_WALK_STORAGE = 1;

        /// <summary>As `ndim` of an input: its shape is not known.</summary>
        internal const int PON_SHAPE_UNKNOWN = -1;

        /// <summary>What goes into a network.</summary>
        internal const int PON_INPUT = 1;

        /// <summary>What comes out of it.</summary>
        internal const int PON_OUTPUT = 2;

        /// <summary>A slot whose numbers are trained.</summary>
        internal const int PON_ROLE_PARAMETER = 1;

        /// <summary>A slot whose numbers training moves by the forward pass.</summary>
        internal const int PON_ROLE_STATISTIC = 2;

        /// <summary>Examples in the order of the files.</summary>
        internal const int PON_SHUFFLE_NONE = 0;

        /// <summary>Examples in an order that is drawn from `seed`, the same on every machine.</summary>
        internal const int PON_SHUFFLE_SEED = 1;

        /// <summary>Examples in an order that is drawn from `bits`.</summary>
        internal const int PON_SHUFFLE_BITS = 2;

        /// <summary>Numbers of a top are multiplied by `scale`.</summary>
        internal const int PON_TRANSFORM_SCALE = 0;

        /// <summary>The dataset `mean` of an HDF5 file is taken from each example.</summary>
        internal const int PON_TRANSFORM_SUB_MEAN = 1;

        /// <summary>An unmarshaler does not know the hint.</summary>
        internal const int PON_UNMARSHAL_UNKNOWN = 0;

        /// <summary>The object stays what it is.</summary>
        internal const int PON_UNMARSHAL_KEEP = 1;

        /// <summary>What was put into `made` takes the place of the object.</summary>
        internal const int PON_UNMARSHAL_REPLACE = 2;

        /// <summary>Ports of a network in `[batch, window axes, channels]`.</summary>
        internal const int PON_LAYOUT_CHANNELS_LAST = 0;

        /// <summary>Ports of a network in `[batch, channels, window axes]`.</summary>
        internal const int PON_LAYOUT_CHANNELS_FIRST = 1;

        /// <summary>Ports of a network in the order of the framework it comes from.</summary>
        internal const int PON_LAYOUT_AS_FILE = 2;

        /// <summary>A structured leaf of a type that nobody registered is a fault.</summary>
        internal const int PON_TYPES_REFUSE = 0;

        /// <summary>A structured leaf of a type that nobody registered is kept as it is: it can be flattened and saved.</summary>
        internal const int PON_TYPES_KEEP = 1;

        /// <summary>A loss of the last run.</summary>
        internal const int PON_FIGURE_LOSS = 0;

        /// <summary>A mean over all runs since the last reset.</summary>
        internal const int PON_FIGURE_STATISTIC = 1;

        /// <summary>Sums of `float`, in one fixed order.</summary>
        internal const int PON_PRECISION_STANDARD = 0;

        /// <summary>Sums of `double`, rounded once to `float`; slower.</summary>
        internal const int PON_PRECISION_EXACT = 1;

        /// <summary>The best instruction set that the processor has; AVX-512 is taken on request alone, for its kernels have never been run.</summary>
        internal const int PON_ISA_BEST = 0;

        /// <summary>What every processor has.</summary>
        internal const int PON_ISA_PORTABLE = 1;

        /// <summary>AVX2 and FMA of x86-64.</summary>
        internal const int PON_ISA_AVX2 = 2;

        /// <summary>The foundation of AVX-512 of x86-64.</summary>
        internal const int PON_ISA_AVX512 = 3;

        /// <summary>NEON of AArch64.</summary>
        internal const int PON_ISA_NEON = 4;

        /// <summary>In `flags` of the options: each run is timed, which takes longer than a small network.</summary>
        internal const int PON_SESSION_TIMED = 1;

        /// <summary>Done.</summary>
        internal const int PON_OK = 0;

        /// <summary>A callback or a raised cancel flag ended the call.</summary>
        internal const int PON_STOPPED = 1;

        /// <summary>A pointer that must not be NULL is.</summary>
        internal const int PON_E_NULL = 100;

        /// <summary>A handle is of another kind, or was freed (seen where it can be).</summary>
        internal const int PON_E_HANDLE = 101;

        /// <summary>A value outside what the call takes.</summary>
        internal const int PON_E_VALUE = 102;

        /// <summary>A `struct_size` this library does not know.</summary>
        internal const int PON_E_STRUCT_SIZE = 103;

        /// <summary>The object is not in a state that allows the call.</summary>
        internal const int PON_E_STATE = 104;

        /// <summary>A buffer of the caller is too small.</summary>
        internal const int PON_E_TOO_SMALL = 105;

        /// <summary>The call comes too late, e.g.</summary>
        internal const int PON_E_TOO_LATE = 106;

        /// <summary>Header and library do not fit.</summary>
        internal const int PON_E_ABI = 107;

        /// <summary>Text that is not UTF-8, or holds a NUL.</summary>
        internal const int PON_E_TEXT = 108;

        /// <summary>The object is shared and can not be changed.</summary>
        internal const int PON_E_SHARED = 109;

        /// <summary>No such file.</summary>
        internal const int PON_E_NOT_FOUND = 200;

        /// <summary>The system refused a read or a write.</summary>
        internal const int PON_E_IO = 201;

        /// <summary>The source ends before its format does.</summary>
        internal const int PON_E_TRUNCATED = 202;

        /// <summary>A limit of the context was met.</summary>
        internal const int PON_E_LIMIT = 203;

        /// <summary>No format this library knows.</summary>
        internal const int PON_E_UNRECOGNISED = 300;

        /// <summary>The format's own rules are broken.</summary>
        internal const int PON_E_MALFORMED = 301;

        /// <summary>Sound, but not read by this library.</summary>
        internal const int PON_E_UNSUPPORTED = 302;

        /// <summary>Refused as hostile by construction.</summary>
        internal const int PON_E_HOSTILE = 303;

        /// <summary>One name twice.</summary>
        internal const int PON_E_DUPLICATE = 304;

        /// <summary>Bytes that belong to nothing.</summary>
        internal const int PON_E_GAP = 305;

        /// <summary>Bytes that belong to two things.</summary>
        internal const int PON_E_OVERLAP = 306;

        /// <summary>Bytes after the end.</summary>
        internal const int PON_E_TRAILING = 307;

        /// <summary>A product of sizes that no machine can hold.</summary>
        internal const int PON_E_OVERFLOW = 308;

        /// <summary>Text that is not UTF-8.</summary>
        internal const int PON_E_ENCODING = 309;

        /// <summary>An element type the format does not have.</summary>
        internal const int PON_E_DTYPE = 310;

        /// <summary>A note (metadata) that does not fit.</summary>
        internal const int PON_E_METADATA = 311;

        /// <summary>A thing the format demands is not there.</summary>
        internal const int PON_E_ABSENT = 312;

        /// <summary>No node at this path.</summary>
        internal const int PON_E_NO_PATH = 400;

        /// <summary>A key twice under one branch.</summary>
        internal const int PON_E_KEY_TWICE = 401;

        /// <summary>A node of another kind than asked for.</summary>
        internal const int PON_E_KIND = 402;

        /// <summary>Two element types where one is wanted.</summary>
        internal const int PON_E_ELTYPE = 403;

        /// <summary>A shape, or a count of numbers, other than the one that is wanted.</summary>
        internal const int PON_E_SHAPE = 404;

        /// <summary>A type of structured leaf that nobody registered, or another than the one that is wanted.</summary>
        internal const int PON_E_TYPE = 405;

        /// <summary>A node that a prototype has and a set has not.</summary>
        internal const int PON_E_MISSING = 406;

        /// <summary>A node that a set has and its prototype has not.</summary>
        internal const int PON_E_UNEXPECTED = 407;

        /// <summary>Keys whose order a file may have lost.</summary>
        internal const int PON_E_KEY_ORDER = 408;

        /// <summary>References that lead round in a circle.</summary>
        internal const int PON_E_CIRCLE = 409;

        /// <summary>A layer word nobody knows.</summary>
        internal const int PON_E_WORD = 500;

        /// <summary>An attribute that is missing, unknown, repeated or out of range.</summary>
        internal const int PON_E_ATTRIBUTE = 501;

        /// <summary>A layer that does not take the shape reaching it.</summary>
        internal const int PON_E_LAYER_SHAPE = 502;

        /// <summary>A slot nobody wrote.</summary>
        internal const int PON_E_SLOT_MISSING = 503;

        /// <summary>A name that is no slot.</summary>
        internal const int PON_E_SLOT_UNKNOWN = 504;

        /// <summary>A slot that would hold a NaN or an infinity.</summary>
        internal const int PON_E_SLOT_NONFINITE = 505;

        /// <summary>A loss that does not fit the network.</summary>
        internal const int PON_E_LOSS = 506;

        /// <summary>Layers that feed one another in a ring.</summary>
        internal const int PON_E_CYCLE = 507;

        /// <summary>A slot written twice.</summary>
        internal const int PON_E_SLOT_TWICE = 508;

        /// <summary>A slot written in another shape.</summary>
        internal const int PON_E_SLOT_SHAPE = 509;

        /// <summary>A slot written in an element type it does not take.</summary>
        internal const int PON_E_SLOT_DTYPE = 510;

        /// <summary>A slot whose axis order can not be told.</summary>
        internal const int PON_E_SLOT_LAYOUT = 511;

        /// <summary>Every name stands behind a prefix that was not said.</summary>
        internal const int PON_E_SLOT_PREFIX = 512;

        /// <summary>Text that is no JSON.</summary>
        internal const int PON_E_SYNTAX = 513;

        /// <summary>A key that is unknown, repeated or missing in a description.</summary>
        internal const int PON_E_KEY = 514;

        /// <summary>A connection to a layer that is not there, or a name taken twice.</summary>
        internal const int PON_E_CONNECTION = 515;

        /// <summary>An input whose shape is not known.</summary>
        internal const int PON_E_INPUT = 516;

        /// <summary>A port without a view.</summary>
        internal const int PON_E_NOT_BOUND = 600;

        /// <summary>No such device.</summary>
        internal const int PON_E_NO_DEVICE = 601;

        /// <summary>Memory that could not be had.</summary>
        internal const int PON_E_MEMORY = 602;

        /// <summary>The device went away.</summary>
        internal const int PON_E_DEVICE_LOST = 603;

        /// <summary>A defect of this library; nothing was changed.</summary>
        internal const int PON_E_INTERNAL = 900;

        /// <summary>An earlier defect left the object unusable.</summary>
        internal const int PON_E_POISONED = 901;

        /// <summary>No element type, or one this library does not know.</summary>
        internal const int PON_DTYPE_NONE = 0;

        /// <summary>IEEE 754 single precision.</summary>
        internal const int PON_DTYPE_F32 = 1;

        /// <summary>IEEE 754 double precision.</summary>
        internal const int PON_DTYPE_F64 = 2;

        /// <summary>IEEE 754 half precision.</summary>
        internal const int PON_DTYPE_F16 = 3;

        /// <summary>The upper half of a single.</summary>
        internal const int PON_DTYPE_BF16 = 4;

        /// <summary>Signed whole number of 8 bits.</summary>
        internal const int PON_DTYPE_I8 = 5;

        /// <summary>Signed whole number of 16 bits.</summary>
        internal const int PON_DTYPE_I16 = 6;

        /// <summary>Signed whole number of 32 bits.</summary>
        internal const int PON_DTYPE_I32 = 7;

        /// <summary>Signed whole number of 64 bits.</summary>
        internal const int PON_DTYPE_I64 = 8;

        /// <summary>Whole number of 8 bits.</summary>
        internal const int PON_DTYPE_U8 = 9;

        /// <summary>Whole number of 16 bits.</summary>
        internal const int PON_DTYPE_U16 = 10;

        /// <summary>Whole number of 32 bits.</summary>
        internal const int PON_DTYPE_U32 = 11;

        /// <summary>Whole number of 64 bits.</summary>
        internal const int PON_DTYPE_U64 = 12;

        /// <summary>A byte that is 0 or 1.</summary>
        internal const int PON_DTYPE_BOOL = 13;

        /// <summary>Two singles: real and imaginary part.</summary>
        internal const int PON_DTYPE_C64 = 14;

        /// <summary>Two doubles: real and imaginary part.</summary>
        internal const int PON_DTYPE_C128 = 15;

        /// <summary>8-bit float, 4 bits of exponent, finite.</summary>
        internal const int PON_DTYPE_F8_E4M3 = 16;

        /// <summary>8-bit float, 5 bits of exponent.</summary>
        internal const int PON_DTYPE_F8_E5M2 = 17;

        /// <summary>8 bits of exponent alone.</summary>
        internal const int PON_DTYPE_F8_E8M0 = 18;

        /// <summary>8-bit float, 4 bits of exponent, no negative nought.</summary>
        internal const int PON_DTYPE_F8_E4M3FNUZ = 19;

        /// <summary>8-bit float, 5 bits of exponent, no negative nought.</summary>
        internal const int PON_DTYPE_F8_E5M2FNUZ = 20;

        /// <summary>4-bit float, two in a byte.</summary>
        internal const int PON_DTYPE_F4 = 21;

        /// <summary>6-bit float, 2 bits of exponent, four in three bytes.</summary>
        internal const int PON_DTYPE_F6_E2M3 = 22;

        /// <summary>6-bit float, 3 bits of exponent, four in three bytes.</summary>
        internal const int PON_DTYPE_F6_E3M2 = 23;

        /// <summary>8-bit float, 3 bits of exponent.</summary>
        internal const int PON_DTYPE_F8_E3M4 = 24;

        /// <summary>8-bit float, 4 bits of exponent, with infinities.</summary>
        internal const int PON_DTYPE_F8_E4M3_IEEE = 25;

        /// <summary>8-bit float, 4 bits of exponent with the bias 11, no negative nought.</summary>
        internal const int PON_DTYPE_F8_E4M3B11FNUZ = 26;

        /// <summary>4-bit float, one in a byte: its low bits.</summary>
        internal const int PON_DTYPE_F4_E2M1 = 27;

        /// <summary>Signed whole number of 4 bits, one in a byte: its low bits.</summary>
        internal const int PON_DTYPE_I4 = 28;

        /// <summary>Whole number of 4 bits, one in a byte.</summary>
        internal const int PON_DTYPE_U4 = 29;

        /// <summary>Signed whole number of 2 bits, one in a byte: its low bits.</summary>
        internal const int PON_DTYPE_I2 = 30;

        /// <summary>Whole number of 2 bits, one in a byte.</summary>
        internal const int PON_DTYPE_U2 = 31;

        /// <summary>A branch of children by name.</summary>
        internal const int PON_KIND_NAMED = 1;

        /// <summary>The same, kept as the root of a parameter set.</summary>
        internal const int PON_KIND_PARAMETERS = 2;

        /// <summary>A branch of children by place.</summary>
        internal const int PON_KIND_LIST = 3;

        /// <summary>A branch of children by place, of a fixed number.</summary>
        internal const int PON_KIND_TUPLE = 4;

        /// <summary>A branch of children in no order that counts.</summary>
        internal const int PON_KIND_SET = 5;

        /// <summary>The same, unchangeable in its own world.</summary>
        internal const int PON_KIND_FROZEN_SET = 6;

        /// <summary>A branch of children by place, each with a key that is a tree.</summary>
        internal const int PON_KIND_MAP = 7;

        /// <summary>A branch of the fields of a type with a name.</summary>
        internal const int PON_KIND_OBJECT = 8;

        /// <summary>A leaf of several parts: children `storage` and maybe `metadata`, and a type with a name.</summary>
        internal const int PON_KIND_STRUCTURED = 9;

        /// <summary>A leaf: an array, in `tensor`.</summary>
        internal const int PON_KIND_TENSOR = 32;

        /// <summary>A leaf: a whole number, in `i`.</summary>
        internal const int PON_KIND_INT = 33;

        /// <summary>A leaf: a whole number of more than 64 bits, its decimal digits in `text`.</summary>
        internal const int PON_KIND_BIG_INT = 34;

        /// <summary>A leaf: a number, in `re`.</summary>
        internal const int PON_KIND_REAL = 35;

        /// <summary>A leaf: a complex number, in `re` and `im`.</summary>
        internal const int PON_KIND_COMPLEX = 36;

        /// <summary>A leaf: 0 or 1, in `i`.</summary>
        internal const int PON_KIND_BOOL = 37;

        /// <summary>A leaf: text, in `text`.</summary>
        internal const int PON_KIND_TEXT = 38;

        /// <summary>A leaf: bytes, in `text`.</summary>
        internal const int PON_KIND_BYTES = 39;

        /// <summary>A leaf: nothing.</summary>
        internal const int PON_KIND_NONE = 40;

        /// <summary>A leaf: Python's `...`.</summary>
        internal const int PON_KIND_ELLIPSIS = 41;

        /// <summary>A leaf: a range of whole numbers, from `i` on, in steps of `step`, before `end`.</summary>
        internal const int PON_KIND_RANGE = 42;

        /// <summary>A leaf: one number of an element type of its own, in `tensor`, which has no axes.</summary>
        internal const int PON_KIND_SCALAR = 43;

        /// <summary>A leaf: elements of a type of its own; `descr` says which, `shape` and `ndim` how many, `text` has their bytes.</summary>
        internal const int PON_KIND_OPAQUE = 45;

        /// <summary>A leaf that was left out on purpose.</summary>
        internal const int PON_KIND_NOT_LOADED = 44;

        /// <summary>A leaf: the same object as the node in `i`.</summary>
        internal const int PON_KIND_REFERENCE = 64;

        /// <summary>In a `pon_layer`: the input of this number, not a layer.</summary>
        internal const uint PON_LAYER_INPUT = 2147483648;

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void pon_log_fn(void* userdata, int level, pon_str* message);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void pon_drop_fn(void* userdata);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void pon_task_fn(void* task, uint part);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void pon_parallel_fn(void* userdata, uint parts, IntPtr run, void* task);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_walk_fn(void* userdata, uint* nodes, UIntPtr count);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_map_fn(void* userdata, uint* nodes, UIntPtr count, IntPtr @out, uint out_leaf);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_cotangent_fn(void* userdata, IntPtr @params, uint leaf, IntPtr cotangent, uint cotangent_leaf, IntPtr @out, uint out_leaf, IntPtr faults);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate ulong pon_bits_fn(void* userdata);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_progress_fn(void* userdata, ulong done, ulong total);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_filter_fn(void* userdata, byte* path, UIntPtr path_len);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_unmarshal_fn(void* userdata, IntPtr @object, IntPtr made);

        /// <summary>Text lent to the caller or by it.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_str
        {
            internal byte* data;
            internal UIntPtr len;
        }

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void* pon_allocator_allocate(void* userdata, UIntPtr size, UIntPtr align);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void pon_allocator_release(void* userdata, void* block, UIntPtr size, UIntPtr align);

        /// <summary>Where memory comes from.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_allocator
        {
            internal uint struct_size;
            internal uint reserved;
            internal void* userdata;
            internal IntPtr allocate;
            internal IntPtr release;
        }

        /// <summary>Options of a context; noughts are defaults.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_context_options
        {
            internal uint struct_size;
            internal uint threads;
            internal int log_level;
            internal uint reserved;
            internal IntPtr log;
            internal void* log_userdata;
            internal IntPtr log_drop;
            internal IntPtr parallel;
            internal void* parallel_userdata;
            internal ulong max_file_bytes;
            internal ulong max_tensor_bytes;
            internal ulong max_header_bytes;
            internal ulong max_depth;
            internal ulong max_entries;
            internal ulong max_faults;
            internal ulong max_session_bytes;
        }

        /// <summary>One fault; its texts live until the list is changed or freed.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_fault
        {
            internal uint struct_size;
            internal int code;
            internal int severity;
            internal uint reserved;
            internal pon_str name;
            internal pon_str message;
            internal pon_str path;
            internal pon_str place;
            internal pon_str arguments_json;
            internal ulong offset;
        }

        /// <summary>A look at strided numbers.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_view
        {
            internal void* data;
            internal int dtype;
            internal int ndim;
            internal long* shape;
            internal long* strides;
            internal int device_kind;
            internal int device_index;
            internal ulong flags;
            internal ulong reserved;
        }

        /// <summary>What a node is and where it hangs.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_node_info
        {
            internal uint struct_size;
            internal int kind;
            internal uint parent;
            internal uint children;
            internal pon_str key;
            internal uint key_node;
            internal uint refers_to;
            internal pon_str type_name;
        }

        /// <summary>The value of a leaf, in or out; `kind` says which field counts.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_value
        {
            internal uint struct_size;
            internal int kind;
            internal long i;
            internal double re;
            internal double im;
            internal pon_str text;
            internal IntPtr tensor;
            internal long step;
            internal long end;
            internal pon_str descr;
            internal long* shape;
            internal int ndim;
            internal uint reserved;
        }

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_leaf_type_check(void* userdata, IntPtr @params, uint leaf, IntPtr faults);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_leaf_type_dense_shape(void* userdata, IntPtr @params, uint leaf, long* rows, long* columns);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_leaf_type_dense(void* userdata, IntPtr @params, uint leaf, pon_view* @out);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_leaf_type_gradient(void* userdata, IntPtr @params, uint leaf, pon_view* cotangent, IntPtr @out, uint out_leaf, IntPtr faults);

        /// <summary>Teaches the library one type of structured leaves.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_leaf_type
        {
            internal uint struct_size;
            internal uint reserved;
            internal void* userdata;
            internal IntPtr drop;
            internal IntPtr check;
            internal IntPtr dense_shape;
            internal IntPtr dense;
            internal IntPtr gradient;
        }

        /// <summary>A leaf's place in a flat vector.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_segment
        {
            internal uint struct_size;
            internal int dtype;
            internal uint node;
            internal int ndim;
            internal ulong first;
            internal ulong count;
            internal long* shape;
            internal pon_str path;
        }

        /// <summary>An input or output of a network.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_port
        {
            internal uint struct_size;
            internal int dtype;
            internal pon_str name;
            internal int ndim;
            internal uint reserved;
            internal long* shape;
        }

        /// <summary>A place of a network for numbers.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_slot
        {
            internal uint struct_size;
            internal int role;
            internal pon_str path;
            internal uint layer;
            internal int dtype;
            internal pon_view view;
        }

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate long pon_reader_size(void* userdata);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate long pon_reader_read(void* userdata, ulong at, void* buf, UIntPtr cap);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_reader_neighbour(void* userdata, byte* name, UIntPtr name_len, IntPtr* @out);

        /// <summary>Bytes that the host reads.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_reader
        {
            internal uint struct_size;
            internal uint reserved;
            internal void* userdata;
            internal IntPtr drop;
            internal IntPtr size;
            internal IntPtr read;
            internal IntPtr neighbour;
        }

        /// <summary>A change of every number of a top, before it is handed out.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_transform
        {
            internal pon_str top;
            internal int kind;
            internal uint reserved;
            internal double scale;
            internal IntPtr mean;
        }

        /// <summary>How a data set is read; noughts are defaults.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_dataset_options
        {
            internal uint struct_size;
            internal uint batch;
            internal pon_str* tops;
            internal uint tops_count;
            internal uint transforms_count;
            internal pon_transform* transforms;
            internal pon_str folder;
            internal int shuffle;
            internal uint ahead;
            internal ulong chunk;
            internal ulong seed;
            internal IntPtr bits;
            internal void* bits_userdata;
        }

        /// <summary>One kind of numbers of each example.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_top
        {
            internal uint struct_size;
            internal int dtype;
            internal pon_str name;
            internal long* shape;
            internal int ndim;
            internal uint reserved;
        }

        /// <summary>What a flatten is handed, where a file does not say it.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_flattened
        {
            internal pon_str path;
            internal long* shape;
            internal int ndim;
            internal uint reserved;
        }

        /// <summary>Which leaf of a tree fills which slot of a network.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_slot_source
        {
            internal pon_str path;
            internal pon_str slot;
        }

        /// <summary>How a file of nested Python values (`jaxon`) is read; noughts are defaults.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_pytree_options
        {
            internal uint struct_size;
            internal uint prefixes_count;
            internal pon_str* prefixes;
            internal IntPtr filter;
            internal void* filter_userdata;
            internal IntPtr unmarshal;
            internal void* unmarshal_userdata;
            internal IntPtr schema;
            internal int allow_missing_fields;
            internal int allow_unknown_fields;
            internal int allow_dill;
            internal uint slots_count;
            internal pon_slot_source* slots;
        }

        /// <summary>What a host says about a file that the file does not say; noughts are defaults.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_import_options
        {
            internal uint struct_size;
            internal int layout;
            internal pon_str format;
            internal pon_str loss;
            internal pon_str strip_prefix;
            internal pon_str key;
            internal IntPtr network;
            internal long* example;
            internal int example_ndim;
            internal uint flattened_count;
            internal pon_flattened* flattened;
            internal IntPtr progress;
            internal void* progress_userdata;
            internal IntPtr cancel;
            internal int fold_weight_norm;
            internal int unknown_types;
            internal IntPtr prototype;
            internal pon_pytree_options* pytree;
            internal int lift_loss;
            internal int stack;
        }

        /// <summary>An array of a file.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_entry
        {
            internal uint struct_size;
            internal int dtype;
            internal pon_str path;
            internal pon_str place;
            internal long* shape;
            internal int ndim;
            internal uint reserved;
            internal ulong bytes;
            internal ulong offset;
        }

        /// <summary>How a network is evaluated; noughts are defaults.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_evaluation_options
        {
            internal uint struct_size;
            internal int dtype;
            internal ulong seed;
        }

        /// <summary>Numbers under a name.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_blob
        {
            internal pon_str name;
            internal pon_view view;
        }

        /// <summary>A loss or a statistic.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_figure
        {
            internal uint struct_size;
            internal int kind;
            internal pon_str name;
            internal double value;
            internal ulong count;
        }

        /// <summary>Options of a session; noughts are defaults.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_session_options
        {
            internal uint struct_size;
            internal int device_kind;
            internal int device_index;
            internal int precision;
            internal uint threads;
            internal int isa;
            internal uint flags;
            internal uint reserved;
            internal ulong max_batch;
        }

        /// <summary>What a session has done.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_session_stats
        {
            internal uint struct_size;
            internal uint reserved;
            internal ulong workspace_bytes;
            internal ulong runs;
            internal ulong last_ns;
            internal ulong worst_ns;
            internal ulong allocations;
        }

        /// <summary>Options of saving; noughts are defaults.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_save_options
        {
            internal uint struct_size;
            internal uint flags;
            internal pon_str format;
            internal pon_str notes_json;
            internal IntPtr progress;
            internal void* progress_userdata;
            internal IntPtr cancel;
            internal pon_str group;
            internal IntPtr into;
        }

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int pon_writer_write(void* userdata, ulong at, void* data, UIntPtr size);

        /// <summary>Where the bytes of a file go; called on the thread of the call alone, and only during it.</summary>
        [StructLayout(LayoutKind.Sequential)]
        internal struct pon_writer
        {
            internal uint struct_size;
            internal uint reserved;
            internal void* userdata;
            internal IntPtr write;
        }

        /// <summary>Tells the interface number of the library: PON_ABI of the header it was built with.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern uint pon_abi();

        /// <summary>Tells the version of the library, as PON_HEADER.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern uint pon_version();

        /// <summary>Tells whether a caller built with this header can use the library; called first, as `pon_check(PON_ABI, PON_HEADER)`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_check(uint abi, uint header);

        /// <summary>Tells what the library was built as: a JSON object with `version`, `abi`, `target`, `debug_entries`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_build_info(pon_str* @out);

        /// <summary>Gives the stable name of a status, e.g.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_status_name(int status, pon_str* @out);

        /// <summary>Says what a status means, in a sentence for people; of a number this library does not know, that it does not.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_status_text(int status, pon_str* @out);

        /// <summary>Sets where the library's memory comes from, for the whole process; before any other call that makes something.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_set_allocator(pon_allocator* allocator);

        /// <summary>Tells the bits and the name of an element type; unknown ones are PON_E_VALUE.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_dtype_info(int dtype, uint* bits, pon_str* name);

        /// <summary>Makes a context.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_context_new(pon_context_options* options, IntPtr* @out);

        /// <summary>Frees a context.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_context_free(IntPtr context);

        /// <summary>Makes an empty list of faults.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_faults_new(IntPtr* @out);

        /// <summary>Empties a list.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_faults_clear(IntPtr faults);

        /// <summary>Tells how many faults a list holds.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr pon_faults_count(IntPtr faults);

        /// <summary>Gives one fault; `out-&gt;struct_size` is set before the call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_faults_get(IntPtr faults, UIntPtr index, pon_fault* @out);

        /// <summary>Gives the messages, a fault a line.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_faults_text(IntPtr faults, pon_str* @out);

        /// <summary>Gives all as JSON: `{"faults":[{"code","name","severity","path","place","offset","message","arguments"}]}`, and `"more"` if there were more than are kept.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_faults_json(IntPtr faults, pon_str* @out);

        /// <summary>Frees a list.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_faults_free(IntPtr faults);

        /// <summary>Makes a flag that is down.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_cancel_new(IntPtr* @out);

        /// <summary>Raises the flag: calls that were given it end with PON_STOPPED at their next look at it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_cancel_raise(IntPtr cancel);

        /// <summary>Takes the flag down, so that it can be used again.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_cancel_reset(IntPtr cancel);

        /// <summary>Frees a flag; no call that was given it may still run.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_cancel_free(IntPtr cancel);

        /// <summary>Makes an array of noughts.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_tensor_new(IntPtr context, int dtype, int ndim, long* shape, IntPtr* @out);

        /// <summary>Copies numbers into an array of its own, packed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_tensor_copy(IntPtr context, pon_view* from, IntPtr* @out);

        /// <summary>Makes an array over numbers of the caller, without a copy.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_tensor_wrap(pon_view* from, IntPtr release, void* userdata, IntPtr* @out);

        /// <summary>Makes one more handle of the same numbers.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_tensor_share(IntPtr tensor, IntPtr* @out);

        /// <summary>Lends the numbers to be read.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_tensor_view(IntPtr tensor, pon_view* @out);

        /// <summary>Lends the numbers to be written; refused while anything else holds them or if they are read only.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_tensor_view_mut(IntPtr tensor, pon_view* @out);

        /// <summary>Makes an array of the same numbers in another element type; shares them if the type is theirs already.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_tensor_cast(IntPtr tensor, int @to, IntPtr* @out);

        /// <summary>Frees a handle; the numbers go with the last one that holds them.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_tensor_free(IntPtr tensor);

        /// <summary>Takes an array of another library over, without a copy.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_tensor_from_dlpack(IntPtr managed, IntPtr* @out);

        /// <summary>Hands an array to another library, without a copy and read only.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_tensor_to_dlpack(IntPtr tensor, IntPtr* @out);

        /// <summary>Makes an empty set: a root of the kind PON_KIND_NAMED.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_new(IntPtr context, IntPtr* @out);

        /// <summary>Makes a copy that shares the numbers and nothing else.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_copy(IntPtr @params, IntPtr* @out);

        /// <summary>Tells how many nodes there are, the root counted.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern uint pon_params_count(IntPtr @params);

        /// <summary>Compares two sets: kinds, names of types, keys in their order, element types, shapes, and numbers bit by bit.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_equal(IntPtr @params, IntPtr other, int* @out, IntPtr faults);

        /// <summary>Tells the element type of all numbers below a node: PON_DTYPE_NONE if there are none, a fault that names both where there are two.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_eltype(IntPtr @params, uint from, int* @out, IntPtr faults);

        /// <summary>Makes a copy of a set whose numbers, metadata left out, have another element type.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_convert(IntPtr @params, int @to, IntPtr* @out, IntPtr faults);

        /// <summary>Makes a set of the shape of a prototype with the numbers of a looser one: kinds, order of keys, types and metadata of structured leaves are the prototype's.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_conform(IntPtr loose, IntPtr prototype, IntPtr* @out, IntPtr faults);

        /// <summary>Frees a set.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_params_free(IntPtr @params);

        /// <summary>Tells what a node is; `out-&gt;struct_size` is set before the call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_node(IntPtr @params, uint node, pon_node_info* @out);

        /// <summary>Gives a child of a branch by its place.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_child(IntPtr @params, uint node, uint index, uint* @out);

        /// <summary>Finds a node by its path from another: `/key/key`, `~0` for `~` and `~1` for `/` in a key, places as numbers, `~2` for the tree that is the key of a map's child.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_find(IntPtr @params, uint from, byte* path, UIntPtr path_len, uint* @out);

        /// <summary>Writes the path of a node from the root into a buffer, with a NUL.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_path(IntPtr @params, uint node, byte* buffer, UIntPtr capacity, UIntPtr* need);

        /// <summary>Gives the value of a leaf; `out-&gt;struct_size` is set before the call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_get(IntPtr @params, uint node, pon_value* @out);

        /// <summary>Lends the numbers of an array or typed scalar to be read.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_view(IntPtr @params, uint node, pon_view* @out);

        /// <summary>Lends the numbers of an array or typed scalar with its axes in an order of the host's: the numbers are not moved.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_view_as(IntPtr @params, uint node, int order, pon_view* @out);

        /// <summary>Adds a leaf as the last child of a branch; `value-&gt;struct_size` is set before the call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_add(IntPtr @params, uint parent, byte* key, UIntPtr key_len, pon_value* value, uint* @out);

        /// <summary>Adds an empty branch as the last child of a branch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_add_branch(IntPtr @params, uint parent, byte* key, UIntPtr key_len, int kind, uint* @out);

        /// <summary>Puts another value into a leaf; `value-&gt;struct_size` is set before the call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_set(IntPtr @params, uint node, pon_value* value);

        /// <summary>Takes a node and all below it away; not the root.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_remove(IntPtr @params, uint node);

        /// <summary>Adds an empty structured leaf (PON_KIND_STRUCTURED) or object (PON_KIND_OBJECT) as the last child of a branch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_add_typed(IntPtr @params, uint parent, byte* key, UIntPtr key_len, int kind, byte* type_name, UIntPtr type_name_len, uint* @out);

        /// <summary>Gives a child of a map its key: a leaf.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_key(IntPtr @params, uint child, pon_value* value, uint* @out);

        /// <summary>Gives a child of a map its key: an empty branch, to be filled.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_key_branch(IntPtr @params, uint child, int kind, byte* type_name, UIntPtr type_name_len, uint* @out);

        /// <summary>Says what a leaf is beyond its kind, e.g.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_set_type(IntPtr @params, uint leaf, byte* type_name, UIntPtr type_name_len);

        /// <summary>Makes the root a branch of another kind: any kind without a type while it is empty; afterwards a named one becomes a parameter set and the other way round.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_root(IntPtr @params, int kind);

        /// <summary>Adds a copy of a node of another set, with all below it, as the last child of a branch.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_graft(IntPtr @params, uint parent, byte* key, UIntPtr key_len, IntPtr from, uint node, uint* @out);

        /// <summary>Puts a copy of a node of another set, with all below it, in the place of a node, which keeps its number and key.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_replace(IntPtr @params, uint node, IntPtr from, uint source);

        /// <summary>Registers a type of structured leaves for all that is made with the context; one of the same name is forgotten.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_context_register_leaf(IntPtr context, byte* name, UIntPtr name_len, pon_leaf_type* leaf_type);

        /// <summary>Checks every structured leaf of a set against its type.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_check(IntPtr @params, int keep, IntPtr faults);

        /// <summary>Gives a structured leaf as its matrix, in the element type of its storage, of the shape columns, rows; an array or number as itself.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_dense(IntPtr @params, uint node, IntPtr* @out, IntPtr faults);

        /// <summary>Makes the structured leaf of a type that is nearest to a matrix (of the shape columns, rows), as the root of a set: of a symmetric matrix half the sum with its transpose, of a skew-symmetric one half the difference, of a triangular one its triangle; a lift has the number `n` of columns of its blocks, others take 0.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_project(IntPtr context, byte* type_name, UIntPtr type_name_len, pon_view* matrix, long n, IntPtr* @out, IntPtr faults);

        /// <summary>Makes a structured leaf of the type and metadata of another, with a storage of the host's: that node of `numbers` with all below it, in any element type.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_rebuild(IntPtr @params, uint leaf, IntPtr numbers, uint storage, IntPtr* @out, IntPtr faults);

        /// <summary>Computes the layout of a branch: depth first, in the order of the set; within an array slowest axis first, which of a set of Julia is column-major order.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_layout_new(IntPtr @params, uint from, IntPtr* @out, IntPtr faults);

        /// <summary>Tells how many numbers the flat vector has.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern ulong pon_layout_count(IntPtr layout);

        /// <summary>Tells how many leaves the layout has.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr pon_layout_segments(IntPtr layout);

        /// <summary>Tells a leaf's place; `out-&gt;struct_size` is set before the call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_layout_segment(IntPtr layout, UIntPtr index, pon_segment* @out);

        /// <summary>Tells where the numbers of a node stand, by its path from where the layout was made.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_layout_range(IntPtr layout, byte* path, UIntPtr path_len, ulong* first, ulong* count);

        /// <summary>Compares two layouts: `*out` is 1 if kinds, keys, ranges and shapes are the same; types of structured leaves and element types do not count.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_layout_equal(IntPtr layout, IntPtr other, int* @out);

        /// <summary>Copies the numbers of a set of this layout, its branch `from`, into a vector, converted where its element type is another.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_layout_gather(IntPtr layout, IntPtr @params, uint from, pon_view* flat);

        /// <summary>Copies a vector into a set of this layout, its branch `to`; each leaf keeps its element type, and single numbers are written too.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_layout_scatter(IntPtr layout, pon_view* flat, IntPtr @params, uint @to);

        /// <summary>Makes a set of this layout with the numbers of a vector, in its element type; structured leaves keep type and metadata.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_layout_unflatten(IntPtr layout, pon_view* flat, IntPtr* @out, IntPtr faults);

        /// <summary>Splits a matrix along `axis`, 0 or 1, which counts the flat numbers, a Jacobian for one: each leaf becomes its block, with the other axis whole; the blocks of a structured leaf's storage stand in its place.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_layout_unflatten_rows(IntPtr layout, pon_view* matrix, int axis, IntPtr* @out, IntPtr faults);

        /// <summary>Frees a layout.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_layout_free(IntPtr layout);

        /// <summary>Walks over the leaves of sets of the same shape in flat order: a fold keeps its sum in `userdata`; a map in place sets the leaves of the first set.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_each(IntPtr* sets, UIntPtr count, int depth, IntPtr call, void* userdata, IntPtr faults);

        /// <summary>Makes a set of the shape of the first one; each leaf is what the callback makes of the leaves at its place.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_map(IntPtr* sets, UIntPtr count, int depth, IntPtr call, void* userdata, IntPtr* @out, IntPtr faults);

        /// <summary>Makes the gradient of a set over the numbers it stores, of the cotangent that a reverse pass left of it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_gradient(IntPtr @params, IntPtr cotangent, IntPtr* @out, IntPtr faults);

        /// <summary>Walks over a set and its cotangent as `pon_params_gradient` does, and makes a set of the same shape and keys; each leaf is what the callback makes of the leaf and its cotangent.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_map_cotangent(IntPtr @params, IntPtr cotangent, IntPtr call, void* userdata, IntPtr* @out, IntPtr faults);

        /// <summary>Puts the gradient of one leaf over its storage in the place of a leaf of another set: of an array or number its cotangent in the leaf's element type, of a structured leaf what its type's rule makes, as `pon_params_gradient` says.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_params_storage_gradient(IntPtr @params, uint leaf, IntPtr cotangent, uint cotangent_leaf, IntPtr @out, uint out_leaf, IntPtr faults);

        /// <summary>Makes an empty description, to be filled layer by layer.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_description_new(IntPtr context, IntPtr* @out);

        /// <summary>Reads a description from its JSON text: `{"kind":"stack","layers":[…]}`, `{"kind":"graph","inputs":[…],"layers":[…], "outputs":[…]}`, or PyTorch's words, `{"style":"torch","layers":[…]}`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_description_parse(IntPtr context, byte* text, UIntPtr text_len, IntPtr* @out, IntPtr faults);

        /// <summary>Gives the JSON text of a description.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_description_print(IntPtr description, pon_str* @out);

        /// <summary>Adds an input.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_description_input(IntPtr description, byte* name, UIntPtr name_len, int dtype, int ndim, long* shape, uint* @out);

        /// <summary>Adds a layer.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_description_layer(IntPtr description, byte* word, UIntPtr word_len, byte* name, UIntPtr name_len, uint* @out);

        /// <summary>Feeds a layer: its input number `to_port` becomes what `from` makes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_description_connect(IntPtr description, uint from, uint from_port, uint @to, uint to_port);

        /// <summary>Adds an output: what a layer or an input makes, under a name.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_description_output(IntPtr description, uint from, uint from_port, byte* name, UIntPtr name_len);

        /// <summary>Frees a description.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_description_free(IntPtr description);

        /// <summary>Sets a setting of a layer to whole numbers: one number or a list, as the word wants it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_description_set_ints(IntPtr description, uint layer, byte* key, UIntPtr key_len, long* values, UIntPtr count);

        /// <summary>Sets a setting of a layer to numbers: one number or a list, as the word wants it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_description_set_reals(IntPtr description, uint layer, byte* key, UIntPtr key_len, double* values, UIntPtr count);

        /// <summary>Sets a setting of a layer to text.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_description_set_text(IntPtr description, uint layer, byte* key, UIntPtr key_len, byte* value, UIntPtr value_len);

        /// <summary>Sets a setting of a layer to true (1) or false (0).</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_description_set_bool(IntPtr description, uint layer, byte* key, UIntPtr key_len, int value);

        /// <summary>Tells how many layer words there are.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr pon_words_count(IntPtr context);

        /// <summary>Gives a layer word and the JSON schema of its layers.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_words_get(IntPtr context, UIntPtr index, pon_str* word, pon_str* schema_json);

        /// <summary>Builds a network: each slot once, in its shape, finite, and nothing else, or all that is wrong in `faults`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_network_build(IntPtr description, IntPtr @params, IntPtr* @out, IntPtr faults);

        /// <summary>Makes a network of the same plan with other numbers in the library's own layout, all or none; sessions may swap to it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_network_with(IntPtr network, IntPtr @params, IntPtr* @out, IntPtr faults);

        /// <summary>Makes one more handle of the same network.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_network_share(IntPtr network, IntPtr* @out);

        /// <summary>Gives the numbers of a network as a set of leaves by slot path, in the library's own layout.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_network_params(IntPtr network, IntPtr* @out);

        /// <summary>Gives the description of a network, in the library's own words.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_network_description(IntPtr network, IntPtr* @out);

        /// <summary>Finds a layer of a network by its name: that of the description, `id` in PyTorch's words.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_network_layer(IntPtr network, byte* name, UIntPtr name_len, uint* @out);

        /// <summary>Tells about what a layer makes, as a tap of it sees it: its name, and its shape with the batch first (1 where the value is the same for all examples), channels last whatever order the ports have; `out-&gt;struct_size` is set before the call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_network_layer_port(IntPtr network, uint layer, pon_port* @out);

        /// <summary>Tells how many slots a network has.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr pon_network_slots(IntPtr network);

        /// <summary>Tells about a slot; `out-&gt;struct_size` is set before the call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_network_slot(IntPtr network, UIntPtr index, pon_slot* @out);

        /// <summary>Tells how many inputs (PON_INPUT) or outputs (PON_OUTPUT) a network has.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr pon_network_ports(IntPtr network, int direction);

        /// <summary>Tells about an input or output; `out-&gt;struct_size` is set before the call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_network_port(IntPtr network, int direction, UIntPtr index, pon_port* @out);

        /// <summary>Frees a handle; the network goes with the last one, and with the last session of it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_network_free(IntPtr network);

        /// <summary>Tells the steps that a session of this precision runs, as text for people: for each step its kernel, the layer it works for, the shape and the bytes of what it makes of one example, the bytes of the network's numbers it reads, whose values it takes, which layers' work went into its numbers and what it does on the way; then the bytes of the numbers, which all sessions share, and of a session of one example and one thread.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_network_plan_text(IntPtr network, int precision, pon_str* @out, IntPtr faults);

        /// <summary>Opens a file, mapped where the system can; its path is UTF-8 on every system.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_source_path(IntPtr context, byte* path, UIntPtr path_len, IntPtr* @out, IntPtr faults);

        /// <summary>Takes bytes in memory, without a copy.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_source_bytes(IntPtr context, void* data, UIntPtr size, IntPtr release, void* userdata, IntPtr* @out);

        /// <summary>Takes bytes that the host reads when they are needed.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_source_reader(IntPtr context, pon_reader* reader, IntPtr* @out, IntPtr faults);

        /// <summary>Frees a source.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_source_free(IntPtr source);

        /// <summary>Opens the HDF5 files that a list names, a path a line, or a single HDF5 file, and looks at all of them: every top must be in each, of one shape and type, and the tops of a file must have as many examples.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_dataset_open(IntPtr context, IntPtr list, pon_dataset_options* options, IntPtr* @out, IntPtr faults);

        /// <summary>How many kinds of numbers each example has.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr pon_dataset_tops(IntPtr dataset);

        /// <summary>One kind of numbers; what it lends lives as long as the data set.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_dataset_top(IntPtr dataset, UIntPtr index, pon_top* @out);

        /// <summary>How many examples the set has.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern ulong pon_dataset_examples(IntPtr dataset);

        /// <summary>How often the last example of the set has been given, the last batch among it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern ulong pon_dataset_epoch(IntPtr dataset);

        /// <summary>Writes the next batch into the caller's views, a view a top in their order: the batch first, then the lengths of one example; F32 or F64, numbers are rounded where that is less than the file has.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_dataset_next(IntPtr dataset, pon_view* views, UIntPtr count, IntPtr faults);

        /// <summary>Frees a data set, and ends its thread if it has one.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_dataset_free(IntPtr dataset);

        /// <summary>Opens a file: tells its format and reads its listing, no numbers.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_import_open(IntPtr context, IntPtr source, pon_import_options* options, IntPtr* @out, IntPtr faults);

        /// <summary>Gives the name of the format.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_import_format(IntPtr import, pon_str* @out);

        /// <summary>Tells how many arrays the file lists.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr pon_import_entries(IntPtr import);

        /// <summary>Tells about an array of the file, without reading it; `out-&gt;struct_size` is set before the call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_import_entry(IntPtr import, UIntPtr index, pon_entry* @out);

        /// <summary>Gives a note of the file by its key, e.g.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_import_note(IntPtr import, byte* key, UIntPtr key_len, pon_str* @out);

        /// <summary>Reads one array into numbers of the caller, which have its shape and element type.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_import_read(IntPtr import, UIntPtr index, pon_view* @out, IntPtr faults);

        /// <summary>Reads all arrays into a set, as the file has them.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_import_params(IntPtr import, IntPtr* @out, IntPtr faults);

        /// <summary>Gives the description of the file's network, or of the options, in the library's own words.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_import_description(IntPtr import, IntPtr* @out, IntPtr faults);

        /// <summary>Makes the network: its description, and each slot filled once, in its shape, finite, from the file, or all that is wrong.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_import_network(IntPtr import, IntPtr* @out, IntPtr faults);

        /// <summary>Gives the loss the network was trained with, "" if nothing says it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_import_loss(IntPtr import, pon_str* @out);

        /// <summary>Frees an import.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_import_free(IntPtr import);

        /// <summary>Makes a network in Mocha's words ready to be evaluated, with the numbers of a file by the names of its layers: losses, statistics and layers that a session does not run among them.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_evaluation_new(IntPtr context, IntPtr description, IntPtr import, pon_evaluation_options* options, IntPtr* @out, IntPtr faults);

        /// <summary>Gives a layer that draws its numbers, for the next run that succeeds alone: a dropout one from 0 to 1 for each number it takes, a crop three from 0 to 1 (its place along width and height, the mirror), a layer of normal numbers these themselves, top after top.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_evaluation_draw(IntPtr evaluation, byte* layer, UIntPtr layer_len, double* numbers, UIntPtr count);

        /// <summary>Runs every layer once on the blobs that come from outside: the tops of data layers and the inputs, each with the batch first.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_evaluation_run(IntPtr evaluation, pon_blob* blobs, UIntPtr count, double* loss, IntPtr faults);

        /// <summary>How many losses and statistics there are.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr pon_evaluation_figures(IntPtr evaluation);

        /// <summary>Gives a loss or a statistic: first the losses of the last run, then the statistics, each in running order.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_evaluation_figure(IntPtr evaluation, UIntPtr index, pon_figure* @out);

        /// <summary>Lends a blob of the last run, as packed doubles: of a network of singles each is one that a single holds.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_evaluation_blob(IntPtr evaluation, byte* name, UIntPtr name_len, pon_view* @out);

        /// <summary>Begins all statistics anew, and forgets what output layers have kept.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_evaluation_reset(IntPtr evaluation);

        /// <summary>Writes the files of the network's HDF5 output layers: the batches of all runs since the last reset, one after another.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_evaluation_write(IntPtr evaluation, IntPtr faults);

        /// <summary>Frees an evaluation.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_evaluation_free(IntPtr evaluation);

        /// <summary>Tells how much memory for values a session of these options would hold, in bytes; nothing is laid out yet.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_session_bytes(IntPtr network, pon_session_options* options, ulong* size, IntPtr faults);

        /// <summary>Makes a session, with all the memory it will ever need.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_session_new(IntPtr network, pon_session_options* options, IntPtr* @out, IntPtr faults);

        /// <summary>Runs with the bound views.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_session_run(IntPtr session, IntPtr cancel);

        /// <summary>Runs with these views, one for each input and output, and leaves the bound ones alone.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_session_run_with(IntPtr session, pon_view* inputs, UIntPtr input_count, pon_view* outputs, UIntPtr output_count, IntPtr cancel);

        /// <summary>Tells the instruction set of a session's kernels: `portable`, `avx2`, `avx512`, `neon`.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_session_isa(IntPtr session, pon_str* @out);

        /// <summary>Goes on with the numbers of another network of the same plan, made by `pon_network_with`; on failure all stays as it was.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_session_swap(IntPtr session, IntPtr network);

        /// <summary>Makes a session usable again after PON_E_INTERNAL, which poisons it.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_session_reset(IntPtr session);

        /// <summary>Tells what a session has done; `out-&gt;struct_size` is set before the call.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_session_stats_get(IntPtr session, pon_session_stats* @out);

        /// <summary>Frees a session.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_session_free(IntPtr session);

        /// <summary>Binds an input (PON_INPUT) or output (PON_OUTPUT) to numbers of the caller for all runs to come; the batch is the first axis.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_session_bind(IntPtr session, int direction, UIntPtr port, pon_view* view);

        /// <summary>Gives the view of an input or output: the bound one, or else a buffer of the session's own, bound by this call, with room for `max_batch` examples.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_session_port(IntPtr session, int direction, UIntPtr port, pon_view* @out);

        /// <summary>Copies what a layer makes into numbers of the caller, at each run to come, as soon as it is made.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_session_tap(IntPtr session, uint layer, pon_view* @out);

        /// <summary>Saves a set or a network to a file, all or nothing: written beside it, then put in its place.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_save_path(IntPtr @params, IntPtr network, pon_save_options* options, byte* path, UIntPtr path_len, IntPtr faults);

        /// <summary>Saves a set or a network to memory, as `pon_save_path` does to a file.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_save_bytes(IntPtr @params, IntPtr network, pon_save_options* options, IntPtr* @out, IntPtr faults);

        /// <summary>Saves a set or a network to a writer of the host, as `pon_save_path` does to a file.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_save_writer(IntPtr @params, IntPtr network, pon_save_options* options, pon_writer* writer, IntPtr faults);

        /// <summary>Lends the bytes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int pon_bytes_get(IntPtr bytes, void** data, UIntPtr* size);

        /// <summary>Frees bytes.</summary>
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void pon_bytes_free(IntPtr bytes);
    }
}
