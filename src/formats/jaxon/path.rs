//! References: paths of names from the root, as they stand in values.

use super::number::strip;

/// The names of a path of Jaxon 2: between slashes that stand in no text; white space at their ends goes. None if the path
/// does not begin with a slash, or a text in it has no end. Of Jaxon 1 (`older`) slashes and backslashes of a name stand
/// behind a backslash.
pub fn segments(path: &str, older: bool) -> Option<Vec<String>> {
    let rest = path.strip_prefix('/')?;
    let (mut names, mut name) = (Vec::new(), String::new());
    let mut quoted = false;
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if older => name.push(chars.next()?),
            '\\' if quoted => {
                name.push(c);
                name.push(chars.next()?);
            }
            '/' if !quoted => names.push(std::mem::take(&mut name)),
            '\'' if !older => {
                quoted = !quoted;
                name.push(c);
            }
            c => name.push(c),
        }
    }
    names.push(name);
    if !older {
        names.iter_mut().for_each(|name| *name = strip(name).to_owned());
    }
    (!quoted).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_paths() {
        assert_eq!(segments(r"/JAXON_ROOT/'a/\'b' / 0", false).unwrap(), ["JAXON_ROOT", r"'a/\'b'", "0"]);
        assert_eq!(
            segments(r"/JAXON_ROOT/'k\/h'/'a':numpy.ndarray", true).unwrap()[1..],
            ["'k/h'", "'a':numpy.ndarray"]
        );
        assert_eq!(segments("/a//b", false).unwrap(), ["a", "", "b"]);
        assert_eq!((segments("a", false), segments("/'a", false), segments(r"/'a\", false)), (None, None, None));
    }
}
