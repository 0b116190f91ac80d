//! PyTorch files that say one thing in very many places, or very many things in little room.

use super::bombs::{archive, record, text};

/// So many values, made one by one, within `open` and `close`.
fn many(open: &[u8], count: u32, value: impl Fn(u32) -> Vec<u8>, close: &[u8]) -> Vec<u8> {
    let values = (0..count).flat_map(value).collect::<Vec<u8>>();
    archive(&[record("data.pkl", &[open, &values, close].concat())])
}

/// A whole number that is the same as no small one.
fn number(number: u32) -> Vec<u8> {
    [&b"J"[..], &(number + 1000).to_le_bytes()].concat()
}

/// A list of a value in so many places.
fn places(value: &[u8], count: u32) -> Vec<u8> {
    many(&[b"](", value, b"q\0"].concat(), count, |_| b"h\0".to_vec(), b"e.")
}

/// A list of so many numbers.
pub fn numbers(count: u32) -> Vec<u8> {
    many(b"](", count, |_| b"G?\xF0\0\0\0\0\0\x01".to_vec(), b"e.")
}

/// Every file of this kind, with its name.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    let letters = |count: usize| text(&"k".repeat(count));
    let encoded = |count| [&b"c_codecs\nencode\n"[..], &letters(count), &text("latin1"), b"\x86R"].concat();
    let scalar = [
        &b"cnumpy.core.multiarray\nscalar\ncnumpy\ndtype\n"[..],
        &text("f8"),
        b"\x89\x88\x87R(K\x03",
        &text("<"),
        b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb",
        &encoded(8),
        b"\x86R",
    ]
    .concat();
    let first = [letters(500_000), b"q\0".to_vec()].concat();
    let keyed = |at: u32, value: &[u8]| [&if at == 0 { first.clone() } else { b"h\0".to_vec() }, value].concat();
    let deep = [&b"}"[..], &letters(1 << 20), b"q\0}", &b"h\0}".repeat(60), b"h\0N", &b"s".repeat(62), b"."].concat();
    vec![
        (
            "one long text in many keys",
            many(b"}(", 100_000, |at| keyed(at, &[number(at), b"\x86N".to_vec()].concat()), b"u."),
        ),
        ("a long key under itself", archive(&[record("data.pkl", &deep)])),
        ("bytes in many places", places(&encoded(1 << 20), 2000)),
        ("a long text in many places", places(&letters(1 << 20), 2000)),
        ("a long number in many places", places(&[&b"\x8A\xFF"[..], &[0x7F; 255]].concat(), 200_000)),
        ("an array in many places", places(&scalar, 200_000)),
        ("no tensors under a long key", {
            let open = [&b"}"[..], &letters(400_000), b"}("].concat();
            many(&open, 9000, |at| [text(&at.to_string()), b"(Nt\x85Q".to_vec()].concat(), b"us.")
        }),
        ("no tensors under long keys", {
            many(b"}(", 9000, |at| [text(&format!("{at:02000}")), b"N".to_vec()].concat(), b"u.")
        }),
        (
            "a memo of many numbers",
            many(b"](", 400_000, |at| [&b"Nr"[..], &at.wrapping_mul(7919 << 8).to_le_bytes()].concat(), b"e."),
        ),
        ("lists of nothing", many(b"(", 300_000, |_| b"]Na".to_vec(), b"t.")),
        ("dictionaries of nothing", many(b"(", 250_000, |_| b"}K\x01Ns".to_vec(), b"t.")),
        ("many dictionaries", many(b"}(", 200_000, |at| [number(at), b"}".to_vec()].concat(), b"u.")),
        ("many times nothing", many(b"](", 500_000, |_| b"N".to_vec(), b"e.")),
        ("many numbers", numbers(500_000)),
        ("dictionaries of one another", {
            let copy = b"h\x01h\0\x85R";
            let items: Vec<u8> = (0..1000).flat_map(|at| [number(at), b"N".to_vec()].concat()).collect();
            let open = [&b"(ccollections\nOrderedDict\nq\x01}("[..], &items, b"uq\0"].concat();
            many(&open, 4000, |_| copy.to_vec(), b"t.")
        }),
    ]
}
