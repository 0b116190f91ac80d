//! A network made ready to run: steps over buffers, for one precision and any batch.
//!
//! `compile` turns the nodes of a graph into steps, `memory` gives every buffer a place in one block of memory,
//! `weights` keeps the numbers in the order the kernels want them, once for each network. A session runs the steps; a
//! device other than the processor would run the same ones.

mod compile;
mod derived;
mod evaluate;
mod memory;
mod phased;
mod rewrite;
mod slots;
mod step;
mod text;
mod transformed;
mod weights;

pub use crate::kernels::{Isa, Precision};
pub use memory::{Layout, block_of, lay_out};
pub use step::{Buffer, Place, Plan, PlanPort, Step, Tap};
pub use text::{Row, Told};
pub use weights::Weights;

use crate::{
    faults::{Faults, Refused},
    network::Network,
};
use std::sync::Arc;

impl Plan {
    /// The plan of a network for a precision: compiled when it is first asked for, kept with the network.
    pub fn of(network: &Network, precision: Precision, faults: &mut Faults) -> Result<Arc<Plan>, Refused> {
        Plan::kept(network, precision, false, faults)
    }

    /// The plan in which every layer has a value of its own, for taps; that of [`Plan::of`] where no layer has gone.
    pub fn of_layers(network: &Network, precision: Precision, faults: &mut Faults) -> Result<Arc<Plan>, Refused> {
        let plan = Plan::of(network, precision, faults)?;
        if plan.is_rewritten { Plan::kept(network, precision, true, faults) } else { Ok(plan) }
    }

    fn kept(network: &Network, precision: Precision, layers: bool, faults: &mut Faults) -> Result<Arc<Plan>, Refused> {
        let compile = if layers { Plan::compile_as_it_is } else { Plan::compile };
        let compiled = network.cached(key(precision, layers), || {
            let mut faults = Faults::default();
            compile(network.graph(), precision, &mut faults).map(Arc::new).map_err(|refused| (refused, faults))
        });
        match &*compiled {
            Ok(plan) => Ok(plan.clone()),
            Err((refused, found)) => {
                faults.append(found.clone());
                Err(*refused)
            }
        }
    }
}

impl Weights {
    /// The network's numbers as its plan for a precision wants them: made when they are first asked for, kept with the
    /// network. None if the network can not run, or memory can not be had. Call it on a worker before `Session::swap`.
    pub fn prepared(network: &Network, precision: Precision) -> Option<Arc<Weights>> {
        Weights::kept(network, &*Plan::of(network, precision, &mut Faults::default()).ok()?, false)
    }

    /// The same for [`Plan::of_layers`].
    pub fn prepared_for_layers(network: &Network, precision: Precision) -> Option<Arc<Weights>> {
        if !Plan::of(network, precision, &mut Faults::default()).ok()?.is_rewritten {
            return Weights::prepared(network, precision);
        }
        Weights::kept(network, &*Plan::of_layers(network, precision, &mut Faults::default()).ok()?, true)
    }

    fn kept(network: &Network, plan: &Plan, layers: bool) -> Option<Arc<Weights>> {
        let made = network.cached(key(plan.precision, layers), || Weights::of(plan, network.numbers()).map(Arc::new));
        (*made).clone()
    }
}

/// What a network keeps a plan by.
fn key(precision: Precision, layers: bool) -> u64 {
    2 * precision as u64 + u64::from(layers)
}
