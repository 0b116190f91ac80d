//! Bytes of a text into lines and columns, quickly however long its lines are.

use crate::describe::Position;

/// Bytes from one remembered place to the next.
const STEP: usize = 1024;

/// Where the bytes of a text stand.
pub(super) struct Places<'a> {
    text: &'a str,
    /// The byte, at or after each multiple of `STEP`, where a character starts, and its position.
    known: Vec<(usize, Position)>,
}

impl<'a> Places<'a> {
    /// Walks the text once.
    pub(super) fn new(text: &'a str) -> Places<'a> {
        let (mut from, mut position) = (0, Position { line: 1, column: 1 });
        let mut known = vec![(from, position)];
        for byte in (STEP..text.len()).step_by(STEP) {
            let byte = (byte..text.len()).find(|&byte| text.is_char_boundary(byte)).unwrap_or(text.len());
            position = after(position, &text[from..byte]);
            from = byte;
            known.push((from, position));
        }
        Places { text, known }
    }

    /// The position of a byte at which a character starts.
    pub(super) fn position(&self, byte: usize) -> Position {
        let place = self.known.partition_point(|(known, _)| *known <= byte).saturating_sub(1);
        let Some(&(from, position)) = self.known.get(place) else { return Position::default() };
        after(position, self.text.get(from..byte).unwrap_or_default())
    }
}

/// The position after a piece of text.
fn after(position: Position, text: &str) -> Position {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    match text.rfind('\n') {
        None => Position { column: position.column.saturating_add(count(text.chars().count())), ..position },
        Some(last) => Position {
            line: position.line.saturating_add(count(text.matches('\n').count())),
            column: count(text[last..].chars().count()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_characters_of_long_lines() {
        let text = format!("{}\nü{}x", "é".repeat(3000), "a".repeat(5000));
        let places = Places::new(&text);
        for (byte, line, column) in [(0, 1, 1), (2048, 1, 1025), (6001, 2, 1), (6003, 2, 2), (text.len() - 1, 2, 5002)]
        {
            let position = places.position(byte);
            assert_eq!((position.line, position.column), (line, column), "{byte}");
        }
    }
}
