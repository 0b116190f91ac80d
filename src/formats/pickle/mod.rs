//! Python pickles, read as values.
//!
//! A pickle is a program for a stack machine that may import and call anything. Here it is followed as far as a file of
//! numbers needs: 34 instructions, the same that PyTorch's reader of weights alone follows, and the names its reader allows
//! ([`World`]). Any other is refused by its name and place. Nothing is imported, built or called: what a name would make of
//! its arguments is noted down ([`Pickle::call`]), and whoever reads it knows what that means. Values are nodes that name one
//! another by number, so that neither depth nor sharing nor a circle costs anything; memory is taken from the
//! budget of the file.

mod keys;
mod machine;
mod node;
mod objects;
mod opcode;
mod reader;
mod text;
mod world;
mod wrong;

pub use machine::Setting;
pub use node::{Node, NodeId, Pickle};
pub use world::{Rule, World};

use crate::{
    faults::{Faults, Refused},
    tensor::Storage,
};

impl Pickle {
    /// Reads the pickle at the beginning of `bytes`; it ends where it says.
    pub fn read(bytes: &Storage, setting: &Setting<'_>, faults: &mut Faults) -> Result<Pickle, Refused> {
        machine::run(bytes, setting).map_err(|fault| faults.refuse(fault))
    }
}

#[cfg(test)]
mod tests;
