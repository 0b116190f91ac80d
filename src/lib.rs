//! Pontil takes a network trained elsewhere in, hands it to any host language through one C ABI, and runs it.
//!
//! ```text
//! bytes ─source─▶ formats/* ─import/*─▶ description ─┐
//!  path, memory,  what a file what a     params      ├─build─▶ network ─plan─▶ session ─run─▶ views
//!  read callback  physically  framework              │         slots,   steps,  one thread's
//!                 is          means by it            ┘         strict   packed  memory
//! ```
//!
//! `faults`, `limits` and `cancel` run beside every arrow; `capi` sees everything and is seen by nobody.

pub mod cancel;
pub mod capi;
pub mod dataset;
pub mod describe;
pub mod device;
pub mod faults;
mod formats;
pub mod import;
pub mod limits;
pub mod mocha;
pub mod network;
pub mod params;
pub mod plan;
pub mod progress;
pub mod save;
pub mod session;
pub mod source;
pub mod tensor;

use pontil_kernels as kernels;
