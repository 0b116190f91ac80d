//! Where steps run: the threads of the processor. Other devices come in here, behind the same plan.

mod cut;
mod divide;
mod pool;
mod thread;

pub use cut::split;
pub use divide::divide;
pub use pool::{Parallel, Pool};
pub use thread::is_ours;
