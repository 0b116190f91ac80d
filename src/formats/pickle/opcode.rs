//! What each instruction of a pickle is called, in every protocol there is.

/// The name that Python's `pickletools` gives an instruction; none if no protocol knows the byte.
pub(super) fn name(byte: u8) -> Option<&'static str> {
    NAMES.binary_search_by_key(&byte, |row| row.0).ok().and_then(|at| NAMES.get(at)).map(|row| row.1)
}

/// Whether a writer uses an instruction for plain values in another protocol than the one that is followed.
pub(super) fn is_of_another_protocol(byte: u8) -> bool {
    matches!(
        byte,
        b'0'..=b'2' | b'B' | b'C' | b'F' | b'I' | b'L' | b'P' | b'S' | b'T' | b'V' | b'd' | b'g' | b'l' | b'p'
    ) || matches!(byte, 0x8B..=0x8E | 0x90 | 0x91 | 0x94..=0x96)
}

/// By byte.
const NAMES: [(u8, &str); 68] = [
    (b'(', "MARK"),
    (b')', "EMPTY_TUPLE"),
    (b'.', "STOP"),
    (b'0', "POP"),
    (b'1', "POP_MARK"),
    (b'2', "DUP"),
    (b'B', "BINBYTES"),
    (b'C', "SHORT_BINBYTES"),
    (b'F', "FLOAT"),
    (b'G', "BINFLOAT"),
    (b'I', "INT"),
    (b'J', "BININT"),
    (b'K', "BININT1"),
    (b'L', "LONG"),
    (b'M', "BININT2"),
    (b'N', "NONE"),
    (b'P', "PERSID"),
    (b'Q', "BINPERSID"),
    (b'R', "REDUCE"),
    (b'S', "STRING"),
    (b'T', "BINSTRING"),
    (b'U', "SHORT_BINSTRING"),
    (b'V', "UNICODE"),
    (b'X', "BINUNICODE"),
    (b']', "EMPTY_LIST"),
    (b'a', "APPEND"),
    (b'b', "BUILD"),
    (b'c', "GLOBAL"),
    (b'd', "DICT"),
    (b'e', "APPENDS"),
    (b'g', "GET"),
    (b'h', "BINGET"),
    (b'i', "INST"),
    (b'j', "LONG_BINGET"),
    (b'l', "LIST"),
    (b'o', "OBJ"),
    (b'p', "PUT"),
    (b'q', "BINPUT"),
    (b'r', "LONG_BINPUT"),
    (b's', "SETITEM"),
    (b't', "TUPLE"),
    (b'u', "SETITEMS"),
    (b'}', "EMPTY_DICT"),
    (0x80, "PROTO"),
    (0x81, "NEWOBJ"),
    (0x82, "EXT1"),
    (0x83, "EXT2"),
    (0x84, "EXT4"),
    (0x85, "TUPLE1"),
    (0x86, "TUPLE2"),
    (0x87, "TUPLE3"),
    (0x88, "NEWTRUE"),
    (0x89, "NEWFALSE"),
    (0x8A, "LONG1"),
    (0x8B, "LONG4"),
    (0x8C, "SHORT_BINUNICODE"),
    (0x8D, "BINUNICODE8"),
    (0x8E, "BINBYTES8"),
    (0x8F, "EMPTY_SET"),
    (0x90, "ADDITEMS"),
    (0x91, "FROZENSET"),
    (0x92, "NEWOBJ_EX"),
    (0x93, "STACK_GLOBAL"),
    (0x94, "MEMOIZE"),
    (0x95, "FRAME"),
    (0x96, "BYTEARRAY8"),
    (0x97, "NEXT_BUFFER"),
    (0x98, "READONLY_BUFFER"),
];
