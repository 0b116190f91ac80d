//! Lengths of axes, slowest first.

/// How many numbers a shape holds; none if that overflows. A scalar's shape is empty and holds one.
pub fn count(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1usize, |product, &length| product.checked_mul(length))
}

/// The shape as a message shows it: `2x3`, or `scalar`.
pub fn shape_text(shape: &[usize]) -> String {
    text(shape, usize::to_string)
}

/// The same of a shape whose lengths may be unknown: `?x3`.
pub fn lengths_text(shape: &[Option<usize>]) -> String {
    text(shape, |length| length.map_or_else(|| "?".into(), |length| length.to_string()))
}

fn text<T>(shape: &[T], length: impl Fn(&T) -> String) -> String {
    if shape.is_empty() {
        return "scalar".into();
    }
    const MOST: usize = 16;
    let mut text = shape.iter().take(MOST).map(length).collect::<Vec<_>>().join("x");
    if shape.len() > MOST {
        text.push_str(&format!("\u{2026} ({} axes)", shape.len()));
    }
    text
}
