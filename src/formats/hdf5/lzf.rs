//! LZF, the compression that h5py brings along: runs of bytes, and copies of what went before.

/// The bytes behind `kept`, at most `most`; none if it is unsound.
pub(super) fn decompress(kept: &[u8], most: usize) -> Option<Vec<u8>> {
    const RUN: u8 = 32;
    const LONG: usize = 7;
    let mut kept = kept.iter().copied();
    let mut out: Vec<u8> = Vec::new();
    while let Some(control) = kept.next() {
        if control < RUN {
            for _ in 0..=control {
                out.push(kept.next()?);
            }
        } else {
            let mut length = usize::from(control >> 5);
            if length == LONG {
                length += usize::from(kept.next()?);
            }
            let back = (usize::from(control & 31) << 8) + usize::from(kept.next()?) + 1;
            let start = out.len().checked_sub(back)?;
            for at in start..start + length + 2 {
                out.push(*out.get(at)?);
            }
        }
        if out.len() > most {
            return None;
        }
    }
    Some(out)
}
