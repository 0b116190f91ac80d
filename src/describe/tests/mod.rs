//! Tests of the words, the text and the check together.

mod hostile;
mod ports;
mod shapes;
mod spell;
mod text;
mod words;

use super::{Description, Graph, parse};
use crate::faults::Faults;
use crate::limits::Limits;

/// The description of a text that is right.
fn read(text: &str) -> Description {
    let mut faults = Faults::default();
    parse(text.as_bytes(), &Limits::default(), &mut faults).unwrap_or_else(|_| panic!("{text}\n{}", faults.text()))
}

/// The graph of a text that is right.
fn graph(text: &str) -> Graph {
    let mut faults = Faults::default();
    let made = Graph::of(&read(text), &Limits::default(), &mut faults);
    made.unwrap_or_else(|_| panic!("{text}\n{}", faults.text()))
}

/// All faults of a text, which each keep the rule of one line.
fn faults(text: &[u8]) -> Faults {
    let mut faults = Faults::default();
    let limits = Limits::default();
    let made = parse(text, &limits, &mut faults).and_then(|made| Graph::of(&made, &limits, &mut faults));
    assert!(made.is_err(), "{}", String::from_utf8_lossy(text));
    for fault in faults.iter() {
        assert!(
            fault.message.chars().count() <= 1000 && !fault.message.contains(char::is_control),
            "{}",
            fault.message
        );
    }
    faults
}

/// The messages of all faults of a text.
fn messages(text: &str) -> String {
    faults(text.as_bytes()).text()
}
