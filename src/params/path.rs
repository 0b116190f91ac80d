//! Keys in paths.

use crate::faults::Text;

/// The part of a path that leads from a map's child to the tree that is its key.
pub(super) const KEY_TREE: &[u8] = b"~2";

/// A key as it stands in a path: `~` as `~0`, `/` as `~1`.
pub fn escaped(key: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(key.len());
    for &byte in key {
        match byte {
            b'~' => out.extend_from_slice(b"~0"),
            b'/' => out.extend_from_slice(b"~1"),
            other => out.push(other),
        }
    }
    out
}

/// The keys of a path, `None` standing for the way to a key tree; none if it begins with anything but a slash, or a tilde
/// stands alone. The empty path has no keys.
pub(super) fn keys(path: &[u8]) -> Option<Vec<Option<Text>>> {
    let Some((&first, rest)) = path.split_first() else { return Some(Vec::new()) };
    if first != b'/' {
        return None;
    }
    let part = |part: &[u8]| if part == KEY_TREE { Some(None) } else { plain(part).map(Some) };
    rest.split(|&byte| byte == b'/').map(part).collect()
}

fn plain(part: &[u8]) -> Option<Text> {
    let mut out = Vec::with_capacity(part.len());
    let mut bytes = part.iter();
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            b'~' => match bytes.next()? {
                b'0' => b'~',
                b'1' => b'/',
                _ => return None,
            },
            other => other,
        });
    }
    Some(Text::from_wtf8(&out))
}
