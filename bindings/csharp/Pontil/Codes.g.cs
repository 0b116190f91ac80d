// Generated from include/pontil.h by `PONTIL_WRITE_GOLDENS=1 cargo test --test bindings`; do not edit.

namespace Pontil
{
    /// <summary>What a call answered. An open set: a newer library may have others.</summary>
    public enum Status
    {
        /// <summary>Done.</summary>
        Ok = 0,

        /// <summary>A callback or a raised cancel flag ended the call.</summary>
        Stopped = 1,

        /// <summary>A pointer that must not be NULL is.</summary>
        Null = 100,

        /// <summary>A handle is of another kind, or was freed (seen where it can be).</summary>
        Handle = 101,

        /// <summary>A value outside what the call takes.</summary>
        Value = 102,

        /// <summary>A `struct_size` this library does not know.</summary>
        StructSize = 103,

        /// <summary>The object is not in a state that allows the call.</summary>
        State = 104,

        /// <summary>A buffer of the caller is too small.</summary>
        TooSmall = 105,

        /// <summary>The call comes too late, e.g.</summary>
        TooLate = 106,

        /// <summary>Header and library do not fit.</summary>
        Abi = 107,

        /// <summary>Text that is not UTF-8, or holds a NUL.</summary>
        Text = 108,

        /// <summary>The object is shared and can not be changed.</summary>
        Shared = 109,

        /// <summary>No such file.</summary>
        NotFound = 200,

        /// <summary>The system refused a read or a write.</summary>
        Io = 201,

        /// <summary>The source ends before its format does.</summary>
        Truncated = 202,

        /// <summary>A limit of the context was met.</summary>
        Limit = 203,

        /// <summary>No format this library knows.</summary>
        Unrecognised = 300,

        /// <summary>The format's own rules are broken.</summary>
        Malformed = 301,

        /// <summary>Sound, but not read by this library.</summary>
        Unsupported = 302,

        /// <summary>Refused as hostile by construction.</summary>
        Hostile = 303,

        /// <summary>One name twice.</summary>
        Duplicate = 304,

        /// <summary>Bytes that belong to nothing.</summary>
        Gap = 305,

        /// <summary>Bytes that belong to two things.</summary>
        Overlap = 306,

        /// <summary>Bytes after the end.</summary>
        Trailing = 307,

        /// <summary>A product of sizes that no machine can hold.</summary>
        Overflow = 308,

        /// <summary>Text that is not UTF-8.</summary>
        Encoding = 309,

        /// <summary>An element type the format does not have.</summary>
        Dtype = 310,

        /// <summary>A note (metadata) that does not fit.</summary>
        Metadata = 311,

        /// <summary>A thing the format demands is not there.</summary>
        Absent = 312,

        /// <summary>No node at this path.</summary>
        NoPath = 400,

        /// <summary>A key twice under one branch.</summary>
        KeyTwice = 401,

        /// <summary>A node of another kind than asked for.</summary>
        Kind = 402,

        /// <summary>Two element types where one is wanted.</summary>
        Eltype = 403,

        /// <summary>A shape, or a count of numbers, other than the one that is wanted.</summary>
        Shape = 404,

        /// <summary>A type of structured leaf that nobody registered, or another than the one that is wanted.</summary>
        Type = 405,

        /// <summary>A node that a prototype has and a set has not.</summary>
        Missing = 406,

        /// <summary>A node that a set has and its prototype has not.</summary>
        Unexpected = 407,

        /// <summary>Keys whose order a file may have lost.</summary>
        KeyOrder = 408,

        /// <summary>References that lead round in a circle.</summary>
        Circle = 409,

        /// <summary>A layer word nobody knows.</summary>
        Word = 500,

        /// <summary>An attribute that is missing, unknown, repeated or out of range.</summary>
        Attribute = 501,

        /// <summary>A layer that does not take the shape reaching it.</summary>
        LayerShape = 502,

        /// <summary>A slot nobody wrote.</summary>
        SlotMissing = 503,

        /// <summary>A name that is no slot.</summary>
        SlotUnknown = 504,

        /// <summary>A slot that would hold a NaN or an infinity.</summary>
        SlotNonfinite = 505,

        /// <summary>A loss that does not fit the network.</summary>
        Loss = 506,

        /// <summary>Layers that feed one another in a ring.</summary>
        Cycle = 507,

        /// <summary>A slot written twice.</summary>
        SlotTwice = 508,

        /// <summary>A slot written in another shape.</summary>
        SlotShape = 509,

        /// <summary>A slot written in an element type it does not take.</summary>
        SlotDtype = 510,

        /// <summary>A slot whose axis order can not be told.</summary>
        SlotLayout = 511,

        /// <summary>Every name stands behind a prefix that was not said.</summary>
        SlotPrefix = 512,

        /// <summary>Text that is no JSON.</summary>
        Syntax = 513,

        /// <summary>A key that is unknown, repeated or missing in a description.</summary>
        Key = 514,

        /// <summary>A connection to a layer that is not there, or a name taken twice.</summary>
        Connection = 515,

        /// <summary>An input whose shape is not known.</summary>
        Input = 516,

        /// <summary>A port without a view.</summary>
        NotBound = 600,

        /// <summary>No such device.</summary>
        NoDevice = 601,

        /// <summary>Memory that could not be had.</summary>
        Memory = 602,

        /// <summary>The device went away.</summary>
        DeviceLost = 603,

        /// <summary>A defect of this library; nothing was changed.</summary>
        Internal = 900,

        /// <summary>An earlier defect left the object unusable.</summary>
        Poisoned = 901,
    }

    /// <summary>What one number is. An open set: a newer library may have others.</summary>
    public enum ElementType
    {
        /// <summary>No element type, or one this library does not know.</summary>
        None = 0,

        /// <summary>IEEE 754 single precision.</summary>
        F32 = 1,

        /// <summary>IEEE 754 double precision.</summary>
        F64 = 2,

        /// <summary>IEEE 754 half precision.</summary>
        F16 = 3,

        /// <summary>The upper half of a single.</summary>
        Bf16 = 4,

        /// <summary>Signed whole number of 8 bits.</summary>
        I8 = 5,

        /// <summary>Signed whole number of 16 bits.</summary>
        I16 = 6,

        /// <summary>Signed whole number of 32 bits.</summary>
        I32 = 7,

        /// <summary>Signed whole number of 64 bits.</summary>
        I64 = 8,

        /// <summary>Whole number of 8 bits.</summary>
        U8 = 9,

        /// <summary>Whole number of 16 bits.</summary>
        U16 = 10,

        /// <summary>Whole number of 32 bits.</summary>
        U32 = 11,

        /// <summary>Whole number of 64 bits.</summary>
        U64 = 12,

        /// <summary>A byte that is 0 or 1.</summary>
        Bool = 13,

        /// <summary>Two singles: real and imaginary part.</summary>
        C64 = 14,

        /// <summary>Two doubles: real and imaginary part.</summary>
        C128 = 15,

        /// <summary>8-bit float, 4 bits of exponent, finite.</summary>
        F8E4m3 = 16,

        /// <summary>8-bit float, 5 bits of exponent.</summary>
        F8E5m2 = 17,

        /// <summary>8 bits of exponent alone.</summary>
        F8E8m0 = 18,

        /// <summary>8-bit float, 4 bits of exponent, no negative nought.</summary>
        F8E4m3fnuz = 19,

        /// <summary>8-bit float, 5 bits of exponent, no negative nought.</summary>
        F8E5m2fnuz = 20,

        /// <summary>4-bit float, two in a byte.</summary>
        F4 = 21,

        /// <summary>6-bit float, 2 bits of exponent, four in three bytes.</summary>
        F6E2m3 = 22,

        /// <summary>6-bit float, 3 bits of exponent, four in three bytes.</summary>
        F6E3m2 = 23,

        /// <summary>8-bit float, 3 bits of exponent.</summary>
        F8E3m4 = 24,

        /// <summary>8-bit float, 4 bits of exponent, with infinities.</summary>
        F8E4m3Ieee = 25,

        /// <summary>8-bit float, 4 bits of exponent with the bias 11, no negative nought.</summary>
        F8E4m3b11fnuz = 26,

        /// <summary>4-bit float, one in a byte: its low bits.</summary>
        F4E2m1 = 27,

        /// <summary>Signed whole number of 4 bits, one in a byte: its low bits.</summary>
        I4 = 28,

        /// <summary>Whole number of 4 bits, one in a byte.</summary>
        U4 = 29,

        /// <summary>Signed whole number of 2 bits, one in a byte: its low bits.</summary>
        I2 = 30,

        /// <summary>Whole number of 2 bits, one in a byte.</summary>
        U2 = 31,
    }

    /// <summary>What a node of a parameter set is. An open set: a newer library may have others.</summary>
    public enum NodeKind
    {
        /// <summary>A branch of children by name.</summary>
        Named = 1,

        /// <summary>The same, kept as the root of a parameter set.</summary>
        Parameters = 2,

        /// <summary>A branch of children by place.</summary>
        List = 3,

        /// <summary>A branch of children by place, of a fixed number.</summary>
        Tuple = 4,

        /// <summary>A branch of children in no order that counts.</summary>
        Set = 5,

        /// <summary>The same, unchangeable in its own world.</summary>
        FrozenSet = 6,

        /// <summary>A branch of children by place, each with a key that is a tree.</summary>
        Map = 7,

        /// <summary>A branch of the fields of a type with a name.</summary>
        Object = 8,

        /// <summary>A leaf of several parts: children `storage` and maybe `metadata`, and a type with a name.</summary>
        Structured = 9,

        /// <summary>A leaf: an array, in `tensor`.</summary>
        Tensor = 32,

        /// <summary>A leaf: a whole number, in `i`.</summary>
        Int = 33,

        /// <summary>A leaf: a whole number of more than 64 bits, its decimal digits in `text`.</summary>
        BigInt = 34,

        /// <summary>A leaf: a number, in `re`.</summary>
        Real = 35,

        /// <summary>A leaf: a complex number, in `re` and `im`.</summary>
        Complex = 36,

        /// <summary>A leaf: 0 or 1, in `i`.</summary>
        Bool = 37,

        /// <summary>A leaf: text, in `text`.</summary>
        Text = 38,

        /// <summary>A leaf: bytes, in `text`.</summary>
        Bytes = 39,

        /// <summary>A leaf: nothing.</summary>
        None = 40,

        /// <summary>A leaf: Python's `...`.</summary>
        Ellipsis = 41,

        /// <summary>A leaf: a range of whole numbers, from `i` on, in steps of `step`, before `end`.</summary>
        Range = 42,

        /// <summary>A leaf: one number of an element type of its own, in `tensor`, which has no axes.</summary>
        Scalar = 43,

        /// <summary>A leaf: elements of a type of its own; `descr` says which, `shape` and `ndim` how many, `text` has their bytes.</summary>
        Opaque = 45,

        /// <summary>A leaf that was left out on purpose.</summary>
        NotLoaded = 44,

        /// <summary>A leaf: the same object as the node in `i`.</summary>
        Reference = 64,
    }
}
