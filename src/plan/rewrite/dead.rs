//! Layers whose value nobody takes are removed.

use super::draft::Draft;

/// From the last layer to the first, so that one look at each is enough. How many went.
pub fn run(draft: &mut Draft) -> usize {
    let mut gone = 0;
    for at in draft.places().rev() {
        let unused = draft.node(at).is_some_and(|node| draft.is_unused(node.output));
        gone += usize::from(unused && draft.take(at).is_some());
    }
    gone
}
