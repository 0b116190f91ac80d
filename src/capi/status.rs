//! The numbers of outcomes, kinds and choices as the header has them; a test compares each with the enum it mirrors.
//!
//! Plain integers cross the boundary, never a Rust enum: a number that nobody knows must be an error, not undefined.

/// What a call answers: 0 is done; any other number, known or not, is not done.
pub type pon_status = i32;

/// Done. `ok`.
pub const PON_OK: pon_status = 0;
/// A callback or a raised cancel flag ended the call. `stopped`.
pub const PON_STOPPED: pon_status = 1;
/// A pointer that must not be NULL is. `argument.null`.
pub const PON_E_NULL: pon_status = 100;
/// A handle is of another kind, or was freed (seen where it can be). `argument.handle`.
pub const PON_E_HANDLE: pon_status = 101;
/// A value outside what the call takes. `argument.value`.
pub const PON_E_VALUE: pon_status = 102;
/// A `struct_size` this library does not know. `argument.struct_size`.
pub const PON_E_STRUCT_SIZE: pon_status = 103;
/// The object is not in a state that allows the call. `argument.state`.
pub const PON_E_STATE: pon_status = 104;
/// A buffer of the caller is too small. `argument.too_small`.
pub const PON_E_TOO_SMALL: pon_status = 105;
/// The call comes too late, e.g. an allocator after the first allocation. `argument.too_late`.
pub const PON_E_TOO_LATE: pon_status = 106;
/// Header and library do not fit. `argument.abi`.
pub const PON_E_ABI: pon_status = 107;
/// Text that is not UTF-8, or holds a NUL. `argument.text`.
pub const PON_E_TEXT: pon_status = 108;
/// The object is shared and can not be changed. `argument.shared`.
pub const PON_E_SHARED: pon_status = 109;
/// No such file. `source.not_found`.
pub const PON_E_NOT_FOUND: pon_status = 200;
/// The system refused a read or a write. `source.io`.
pub const PON_E_IO: pon_status = 201;
/// The source ends before its format does. `source.truncated`.
pub const PON_E_TRUNCATED: pon_status = 202;
/// A limit of the context was met. `source.limit`.
pub const PON_E_LIMIT: pon_status = 203;
/// No format this library knows. `format.unrecognised`.
pub const PON_E_UNRECOGNISED: pon_status = 300;
/// The format's own rules are broken. `format.malformed`.
pub const PON_E_MALFORMED: pon_status = 301;
/// Sound, but not read by this library. `format.unsupported`.
pub const PON_E_UNSUPPORTED: pon_status = 302;
/// Refused as hostile by construction. `format.refused`.
pub const PON_E_HOSTILE: pon_status = 303;
/// One name twice. `format.duplicate`.
pub const PON_E_DUPLICATE: pon_status = 304;
/// Bytes that belong to nothing. `format.gap`.
pub const PON_E_GAP: pon_status = 305;
/// Bytes that belong to two things. `format.overlap`.
pub const PON_E_OVERLAP: pon_status = 306;
/// Bytes after the end. `format.trailing`.
pub const PON_E_TRAILING: pon_status = 307;
/// A product of sizes that no machine can hold. `format.overflow`.
pub const PON_E_OVERFLOW: pon_status = 308;
/// Text that is not UTF-8. `format.encoding`.
pub const PON_E_ENCODING: pon_status = 309;
/// An element type the format does not have. `format.dtype`.
pub const PON_E_DTYPE: pon_status = 310;
/// A note (metadata) that does not fit. `format.metadata`.
pub const PON_E_METADATA: pon_status = 311;
/// A thing the format demands is not there. `format.missing`.
pub const PON_E_ABSENT: pon_status = 312;
/// No node at this path. `set.no_path`.
pub const PON_E_NO_PATH: pon_status = 400;
/// A key twice under one branch. `set.twice`.
pub const PON_E_KEY_TWICE: pon_status = 401;
/// A node of another kind than asked for. `set.kind`.
pub const PON_E_KIND: pon_status = 402;
/// Two element types where one is wanted. `set.eltype`.
pub const PON_E_ELTYPE: pon_status = 403;
/// A shape, or a count of numbers, other than the one that is wanted. `set.shape`.
pub const PON_E_SHAPE: pon_status = 404;
/// A type of structured leaf that nobody registered, or another than the one that is wanted. `set.type`.
pub const PON_E_TYPE: pon_status = 405;
/// A node that a prototype has and a set has not. `set.missing`.
pub const PON_E_MISSING: pon_status = 406;
/// A node that a set has and its prototype has not. `set.unexpected`.
pub const PON_E_UNEXPECTED: pon_status = 407;
/// Keys whose order a file may have lost. `set.key_order`.
pub const PON_E_KEY_ORDER: pon_status = 408;
/// References that lead round in a circle. `set.circle`.
pub const PON_E_CIRCLE: pon_status = 409;
/// A layer word nobody knows. `network.word`.
pub const PON_E_WORD: pon_status = 500;
/// An attribute that is missing, unknown, repeated or out of range. `network.attribute`.
pub const PON_E_ATTRIBUTE: pon_status = 501;
/// A layer that does not take the shape reaching it. `network.shape`.
pub const PON_E_LAYER_SHAPE: pon_status = 502;
/// A slot nobody wrote. `slot.missing`.
pub const PON_E_SLOT_MISSING: pon_status = 503;
/// A name that is no slot. `slot.unknown`.
pub const PON_E_SLOT_UNKNOWN: pon_status = 504;
/// A slot that would hold a NaN or an infinity. `slot.nonfinite`.
pub const PON_E_SLOT_NONFINITE: pon_status = 505;
/// A loss that does not fit the network. `network.loss`.
pub const PON_E_LOSS: pon_status = 506;
/// Layers that feed one another in a ring. `network.cycle`.
pub const PON_E_CYCLE: pon_status = 507;
/// A slot written twice. `slot.twice`.
pub const PON_E_SLOT_TWICE: pon_status = 508;
/// A slot written in another shape. `slot.shape`.
pub const PON_E_SLOT_SHAPE: pon_status = 509;
/// A slot written in an element type it does not take. `slot.dtype`.
pub const PON_E_SLOT_DTYPE: pon_status = 510;
/// A slot whose axis order can not be told. `slot.layout`.
pub const PON_E_SLOT_LAYOUT: pon_status = 511;
/// Every name stands behind a prefix that was not said. `slot.prefix`.
pub const PON_E_SLOT_PREFIX: pon_status = 512;
/// Text that is no JSON. `text.syntax`.
pub const PON_E_SYNTAX: pon_status = 513;
/// A key that is unknown, repeated or missing in a description. `text.key`.
pub const PON_E_KEY: pon_status = 514;
/// A connection to a layer that is not there, or a name taken twice. `network.connection`.
pub const PON_E_CONNECTION: pon_status = 515;
/// An input whose shape is not known. `network.input`.
pub const PON_E_INPUT: pon_status = 516;
/// A port without a view. `run.not_bound`.
pub const PON_E_NOT_BOUND: pon_status = 600;
/// No such device. `run.no_device`.
pub const PON_E_NO_DEVICE: pon_status = 601;
/// Memory that could not be had. `run.memory`.
pub const PON_E_MEMORY: pon_status = 602;
/// The device went away. `run.device_lost`.
pub const PON_E_DEVICE_LOST: pon_status = 603;
/// A defect of this library; nothing was changed. `internal`.
pub const PON_E_INTERNAL: pon_status = 900;
/// An earlier defect left the object unusable. `internal.poisoned`.
pub const PON_E_POISONED: pon_status = 901;
