//! How a fault of a description says where it stands.

use super::Position;
use crate::faults::{Code, Fault};

/// A fault at a position: `line 3, column 7: …`, and the same place in the fault's own field. A position that comes from no
/// text leaves both out.
pub(crate) fn at(position: Position, code: Code, message: String) -> Fault {
    if position.line == 0 {
        return Fault::new(code, message);
    }
    let place = format!("line {}, column {}", position.line, position.column);
    Fault::new(code, format!("{place}: {message}")).place(place)
}
