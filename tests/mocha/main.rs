//! Mocha's networks, held to an independent reference: the cases of `fixtures/mocha`, forward, in single and in double
//! precision, and in a session wherever one runs them.

#[path = "../support/mod.rs"]
mod support;

mod attack;
mod case;
mod data;
mod files;
mod forward;
mod given;
mod layers;
mod quirks;
mod whole;
