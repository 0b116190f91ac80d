//! Rewrites of a graph before it is compiled: fewer layers that make the same answers.
//!
//! Each file holds one rewrite: what it looks for, and why the answers stay. Those of the standard precision alone move
//! roundings; the others change no bit. A plan of a rewritten graph has no value for a layer that is gone: layers are
//! looked at in the plan that is not rewritten.

mod after;
mod before;
mod constant;
mod dead;
mod draft;
mod flatten;
mod identity;
mod permute;
mod sink;

use crate::{describe::Graph, kernels::Precision};
use draft::Draft;
pub use draft::Rewritten;

/// Rounds of the rewrites that make room for one another.
const ROUNDS: usize = 4;

/// The graph rewritten for a precision; none if there is nothing to rewrite, or the graph can not run.
pub fn rewrite(graph: &Graph, precision: Precision) -> Option<Rewritten> {
    let mut draft = Draft::of(graph, precision)?;
    let mut changes = dead::run(&mut draft) + constant::run(&mut draft);
    for _ in 0..ROUNDS {
        let more = identity::run(&mut draft) + permute::run(&mut draft) + sink::run(&mut draft);
        changes += more;
        if more == 0 {
            break;
        }
    }
    if precision == Precision::Standard {
        changes += flatten::run(&mut draft) + after::run(&mut draft) + before::run(&mut draft);
    }
    changes += dead::run(&mut draft);
    // What is joined is made where it will lie: then it is no value of its own.
    changes += draft.places().filter(|&at| draft.joins(at)).count();
    (changes > 0).then(|| draft.finish())
}
