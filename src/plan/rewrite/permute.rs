//! A permute of a permute becomes one: axis `i` of the second is axis `first[second[i]]` of what the first got.

use super::{draft::Draft, sink::order};
use crate::describe::{Node, Op};

/// How many permutes take what an earlier one got.
pub fn run(draft: &mut Draft) -> usize {
    draft.places().filter(|&at| merge(draft, at).is_some()).count()
}

fn merge(draft: &mut Draft, at: usize) -> Option<()> {
    let second = draft.node(at)?;
    let first = draft.made_by(*second.inputs.first()?)?;
    let (outer, inner) = (order(second)?, order(first)?);
    let axes = outer.iter().map(|&axis| inner.get(axis).map(|&axis| axis as i64)).collect::<Option<_>>()?;
    let inputs = first.inputs.clone();
    let node = draft.take(at)?;
    draft.put(at, Node { op: Op::Permute { axes }, inputs, ..node });
    Some(())
}
