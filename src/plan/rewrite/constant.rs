//! Layers that depend on no input are computed once for the numbers of a network instead of at each run, by the kernels
//! they would have run with: the bits are the same.

use super::draft::Draft;
use crate::{
    describe::{Op, Port},
    faults::Faults,
    plan::Plan,
};

/// Most numbers that may be computed so; what is larger is computed by each session, within its limits.
const MOST: usize = 1 << 24;

/// How many layers went.
pub fn run(draft: &mut Draft) -> usize {
    fold(draft).unwrap_or(0)
}

fn fold(draft: &mut Draft) -> Option<usize> {
    let mut is_constant = vec![false; draft.places().len()];
    let (mut count, mut computed) = (0usize, 0);
    for at in draft.places() {
        let Some(node) = draft.node(at) else { continue };
        let known = |&value: &usize| draft.maker(value).is_some_and(|maker| is_constant[maker]);
        let all = node.inputs.iter().all(known) && !draft.is_batched(node.output);
        if all && (matches!(node.op, Op::Constant { .. }) || !node.inputs.is_empty()) {
            is_constant[at] = true;
            count = count.saturating_add(draft.shape(node.output).iter().copied().fold(1, usize::saturating_mul));
            computed += usize::from(!node.inputs.is_empty());
        }
    }
    if computed == 0 || count > MOST {
        return None;
    }
    let mut graph = draft.bare();
    let mut wanted = Vec::new();
    for at in draft.places().filter(|&at| is_constant[at]) {
        let node = draft.node(at)?;
        let leaves = draft.is_output(node.output) || draft.users(node.output).any(|user| !is_constant[user]);
        if leaves && !matches!(node.op, Op::Constant { .. }) {
            wanted.push(node.output);
            graph.outputs.push(Port { name: node.name.clone(), value: node.output });
        }
        graph.nodes.push(node.clone());
    }
    let plan = Plan::compile_as_it_is(&graph, draft.precision, &mut Faults::default()).ok()?;
    for at in draft.places().filter(|&at| is_constant[at]) {
        if draft.node(at).is_some_and(|node| !matches!(node.op, Op::Constant { .. })) {
            draft.take(at);
        }
    }
    draft.give(&wanted, plan);
    Some(computed)
}
