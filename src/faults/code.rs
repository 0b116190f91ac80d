//! The numbers and names of all outcomes: one space, ranges by area, never reused.

use std::ffi::CStr;

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $variant:ident = $number:literal, $name:literal;)*) => {
        /// What an outcome is called. The number is `pon_status` in the C header, the name its stable text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(i32)]
        pub enum Code { $($(#[doc = $doc])* $variant = $number,)* }

        impl Code {
            /// Every code there is, in the order of their numbers.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// The stable text name, e.g. `slot.shape`.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// The same with a NUL after its end.
            pub fn c_name(self) -> &'static CStr {
                match self { $(Code::$variant => const {
                    match CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) { Ok(name) => name, Err(_) => panic!() }
                },)* }
            }

            /// What it means, in a sentence, with a NUL after its end.
            pub fn c_meaning(self) -> &'static CStr {
                match self { $(Code::$variant => const {
                    match CStr::from_bytes_with_nul(concat!($($doc,)* "\0").as_bytes().split_at(1).1) { Ok(text) => text, Err(_) => panic!() }
                },)* }
            }

            /// The code of a number, if this build knows it.
            pub fn from_number(number: i32) -> Option<Code> {
                match number { $($number => Some(Code::$variant),)* _ => None }
            }
        }
    };
}

codes! {
    /// Done.
    Ok = 0, "ok";
    /// A callback or a raised cancel flag ended the call.
    Stopped = 1, "stopped";

    /// A pointer that must not be NULL is.
    Null = 100, "argument.null";
    /// A handle is of another kind, or was freed (seen where it can be).
    Handle = 101, "argument.handle";
    /// A value outside what the call takes.
    Value = 102, "argument.value";
    /// A `struct_size` this library does not know.
    StructSize = 103, "argument.struct_size";
    /// The object is not in a state that allows the call.
    State = 104, "argument.state";
    /// A buffer of the caller is too small.
    TooSmall = 105, "argument.too_small";
    /// The call comes too late, e.g. an allocator after the first allocation.
    TooLate = 106, "argument.too_late";
    /// Header and library do not fit.
    Abi = 107, "argument.abi";
    /// Text that is not UTF-8, or holds a NUL.
    Text = 108, "argument.text";
    /// The object is shared and can not be changed.
    Shared = 109, "argument.shared";

    /// No such file.
    NotFound = 200, "source.not_found";
    /// The system refused a read or a write.
    Io = 201, "source.io";
    /// The source ends before its format does.
    Truncated = 202, "source.truncated";
    /// A limit of the context was met.
    Limit = 203, "source.limit";

    /// No format this library knows.
    Unrecognised = 300, "format.unrecognised";
    /// The format's own rules are broken.
    Malformed = 301, "format.malformed";
    /// Sound, but not read by this library.
    Unsupported = 302, "format.unsupported";
    /// Refused as hostile by construction.
    Hostile = 303, "format.refused";
    /// One name twice.
    Duplicate = 304, "format.duplicate";
    /// Bytes that belong to nothing.
    Gap = 305, "format.gap";
    /// Bytes that belong to two things.
    Overlap = 306, "format.overlap";
    /// Bytes after the end.
    Trailing = 307, "format.trailing";
    /// A product of sizes that no machine can hold.
    Overflow = 308, "format.overflow";
    /// Text that is not UTF-8.
    Encoding = 309, "format.encoding";
    /// An element type the format does not have.
    DType = 310, "format.dtype";
    /// A note (metadata) that does not fit.
    Metadata = 311, "format.metadata";
    /// A thing the format demands is not there.
    Absent = 312, "format.missing";

    /// No node at this path.
    NoPath = 400, "set.no_path";
    /// A key twice under one branch.
    KeyTwice = 401, "set.twice";
    /// A node of another kind than asked for.
    Kind = 402, "set.kind";
    /// Two element types where one is wanted.
    Eltype = 403, "set.eltype";
    /// A shape, or a count of numbers, other than the one that is wanted.
    Shape = 404, "set.shape";
    /// A type of structured leaf that nobody registered, or another than the one that is wanted.
    Type = 405, "set.type";
    /// A node that a prototype has and a set has not.
    Missing = 406, "set.missing";
    /// A node that a set has and its prototype has not.
    Unexpected = 407, "set.unexpected";
    /// Keys whose order a file may have lost.
    KeyOrder = 408, "set.key_order";
    /// References that lead round in a circle.
    Circle = 409, "set.circle";

    /// A layer word nobody knows.
    Word = 500, "network.word";
    /// An attribute that is missing, unknown, repeated or out of range.
    Attribute = 501, "network.attribute";
    /// A layer that does not take the shape reaching it.
    LayerShape = 502, "network.shape";
    /// A slot nobody wrote.
    SlotMissing = 503, "slot.missing";
    /// A name that is no slot.
    SlotUnknown = 504, "slot.unknown";
    /// A slot that would hold a NaN or an infinity.
    SlotNonfinite = 505, "slot.nonfinite";
    /// A loss that does not fit the network.
    Loss = 506, "network.loss";
    /// Layers that feed one another in a ring.
    Cycle = 507, "network.cycle";
    /// A slot written twice.
    SlotTwice = 508, "slot.twice";
    /// A slot written in another shape.
    SlotShape = 509, "slot.shape";
    /// A slot written in an element type it does not take.
    SlotDtype = 510, "slot.dtype";
    /// A slot whose axis order can not be told.
    SlotLayout = 511, "slot.layout";
    /// Every name stands behind a prefix that was not said.
    SlotPrefix = 512, "slot.prefix";
    /// Text that is no JSON.
    Syntax = 513, "text.syntax";
    /// A key that is unknown, repeated or missing in a description.
    Key = 514, "text.key";
    /// A connection to a layer that is not there, or a name taken twice.
    Connection = 515, "network.connection";
    /// An input whose shape is not known.
    Input = 516, "network.input";

    /// A port without a view.
    NotBound = 600, "run.not_bound";
    /// No such device.
    NoDevice = 601, "run.no_device";
    /// Memory that could not be had.
    Memory = 602, "run.memory";
    /// The device went away.
    DeviceLost = 603, "run.device_lost";

    /// A defect of this library; nothing was changed.
    Internal = 900, "internal";
    /// An earlier defect left the object unusable.
    Poisoned = 901, "internal.poisoned";
}

impl Code {
    /// The number, as `pon_status`.
    pub fn number(self) -> i32 {
        self as i32
    }

    /// Whether the caller, and not the file, is to blame (numbers 100 to 149).
    pub fn is_callers(self) -> bool {
        (100..150).contains(&self.number())
    }
}
