//! The rules every fault keeps, whatever the file says.

use pontil::faults::{Faults, quoted};

/// What is wrong with the messages of some faults: too long, or with a character that is none to be shown raw.
pub fn wrong(faults: &Faults) -> Vec<String> {
    let mut wrong = Vec::new();
    for fault in faults.iter() {
        let length = fault.message.chars().count();
        if length > 1000 || length == 0 {
            wrong.push(format!("a message of {length} characters"));
        }
        if fault.message.chars().any(hidden) {
            wrong.push(format!("a message with a control, bidirectional or line character: {:?}", fault.message));
        }
    }
    wrong
}

/// Control, bidirectional and line characters.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Whether some fault's slot, place or message says `text`.
pub fn says(faults: &Faults, text: &str) -> bool {
    let within = |raw: &str| raw.contains(text);
    faults.iter().any(|fault| within(&quoted(&fault.path)) || within(&quoted(&fault.place)) || within(&fault.message))
}
