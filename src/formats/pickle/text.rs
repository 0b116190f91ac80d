//! Text of a pickle: UTF-8 in which a lone surrogate may stand as its three bytes.

/// Whether `bytes` are such text. Two halves of a pair, each written by itself, are not: they would be one character.
pub(super) fn is_text(mut bytes: &[u8]) -> bool {
    let mut high = false;
    loop {
        let Err(error) = std::str::from_utf8(bytes) else { return true };
        let (good, rest) = bytes.split_at(error.valid_up_to());
        let &[0xED, second @ 0xA0..=0xBF, 0x80..=0xBF, ref after @ ..] = rest else { return false };
        let low = second >= 0xB0;
        if low && high && good.is_empty() {
            return false;
        }
        (high, bytes) = (!low, after);
    }
}

#[cfg(test)]
mod tests {
    use super::is_text;

    #[test]
    fn surrogates_stand_alone() {
        for good in [
            &b""[..],
            "\u{1F600}m".as_bytes(),
            b"extra\xED\xB2\x80",
            b"\xED\xB2\x80\xED\xA0\x80",
            b"\xED\xA0\x80m\xED\xB2\x80",
        ] {
            assert!(is_text(good), "{good:?}");
        }
        for bad in [
            &b"\xFF"[..],
            b"\xED\xA0",
            b"\xED\xA0\x80\xED\xB0\x80",
            b"m\xED\xA0\x80\xED\xB0\x80",
            b"\xC0\x80",
            b"\xED\xA0\x7F",
        ] {
            assert!(!is_text(bad), "{bad:?}");
        }
    }
}
