//! The slots of a plan while its weights are made: the network's own, what its constant layers make, and derived ones, which
//! are computed when they are first asked for and dropped when nobody will ask again.

use super::{Plan, derived::Derived, evaluate::evaluate, weights::Number};
use crate::{describe::SlotId, tensor::Tensor};
use std::cell::RefCell;

/// All slots of a plan for the numbers of one network.
pub struct Slots<'a> {
    own: &'a [Tensor],
    constants: Vec<Tensor>,
    derived: &'a [Derived],
    /// Of each derived slot: how often it will still be asked for, and its numbers once they are there.
    kept: RefCell<Vec<(usize, Option<Tensor>)>>,
}

impl<'a> Slots<'a> {
    /// Those of a network's numbers; none if memory can not be had.
    pub fn of(plan: &'a Plan, own: &'a [Tensor]) -> Option<Slots<'a>> {
        let constants = match &plan.constants {
            Some(constants) => evaluate(constants, own)?,
            None => Vec::new(),
        };
        let first = own.len() + constants.len();
        let mut kept = vec![(0, None); plan.derived.len()];
        let asked = plan.numbers.iter().flat_map(Number::slots);
        for slot in asked.chain(plan.derived.iter().flat_map(Derived::slots)) {
            if let Some((uses, _)) = slot.checked_sub(first).and_then(|derived| kept.get_mut(derived)) {
                *uses += 1;
            }
        }
        Some(Slots { own, constants, derived: &plan.derived, kept: RefCell::new(kept) })
    }

    /// The numbers of a slot as singles.
    pub fn get(&self, slot: SlotId) -> Option<Tensor> {
        if let Some(own) = self.own.get(slot) {
            return own.to_f32();
        }
        let slot = slot - self.own.len();
        if let Some(constant) = self.constants.get(slot) {
            return Some(constant.clone());
        }
        let number = slot - self.constants.len();
        let known = self.kept.borrow().get(number)?.1.clone();
        let made = match known {
            Some(made) => made,
            None => self.derived.get(number)?.make(|slot| self.get(slot))?,
        };
        let mut kept = self.kept.borrow_mut();
        let (uses, room) = kept.get_mut(number)?;
        *uses = uses.saturating_sub(1);
        *room = (*uses > 0).then(|| made.clone());
        Some(made)
    }
}
