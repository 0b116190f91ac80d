//! What the tests that judge fixtures share. Each test program takes a part of it.

#![allow(dead_code)]

pub mod answers;
pub mod bombs;
pub mod case;
pub mod files;
pub mod floods;
pub mod keras;
pub mod layer;
pub mod messages;
pub mod random;
pub mod repaired;
pub mod torch;
