//! What a node takes: values, and constants that say shapes, axes and bounds.

use super::build::Given;
use super::call::Call;
use super::constant::Constant;
use super::flow::{Flow, Kind};
use crate::faults::Code;

impl Call<'_, '_, '_> {
    /// Whether input `place` is there.
    pub(super) fn has(&self, place: usize) -> bool {
        matches!(self.given.get(place), Some(Some(_)))
    }

    /// Refuses a node that takes more or fewer than two.
    pub(super) fn two(&mut self) -> Option<()> {
        match self.given.len() {
            2 => Some(()),
            count => self.refuse(Code::Connection, &format!("it takes two values and is given {count}")),
        }
    }

    /// The constant that input `place` is, if it is one.
    pub(super) fn constant(&self, place: usize) -> Option<Constant> {
        match self.given.get(place) {
            Some(Some(Given::Constant(constant))) => Some(constant.clone()),
            _ => None,
        }
    }

    /// The same, which it must be.
    pub(super) fn constant_needed(&mut self, place: usize, what: &str) -> Option<Constant> {
        let found = self.constant(place);
        if found.is_none() {
            let what = match self.has(place) {
                true => format!(
                    "its {what} (input {place}) is computed from what goes into the network, and is read only where it is a constant"
                ),
                false => format!("its {what} (input {place}) is missing"),
            };
            return self.unsupported(&what);
        }
        found
    }

    /// Whole numbers that input `place` is: a list, or one number alone. None, without a fault, where it is left out.
    pub(super) fn wholes(&mut self, place: usize, what: &str) -> Option<Option<Vec<i64>>> {
        if !self.has(place) {
            return Some(None);
        }
        let constant = self.constant_needed(place, what)?;
        self.room(constant.shape())?;
        match constant.integers() {
            Some(numbers) => Some(Some(numbers)),
            None => {
                let what = format!(
                    "its {what} (input {place}) depend on lengths that are not known: state the shape of one example of the input"
                );
                self.refuse(Code::Input, &what)
            }
        }
    }

    /// One number that input `place` is; none, without a fault, where it is left out.
    pub(super) fn number(&mut self, place: usize, what: &str) -> Option<Option<f64>> {
        if !self.has(place) {
            return Some(None);
        }
        let constant = self.constant_needed(place, what)?;
        match constant.scalar() {
            Some(number) => Some(Some(number)),
            None => self.unsupported(&format!("its {what} (input {place}) is not one number")),
        }
    }

    /// The axes an operator names by an attribute or, since some version, by an input.
    pub(super) fn axes_said(&mut self, place: usize) -> Option<Option<Vec<i64>>> {
        match self.attributes.ints("axes") {
            Some(axes) => Some(Some(axes)),
            None => self.wholes(place, "axes"),
        }
    }

    /// The value that input `place` is; a constant becomes a layer of its own.
    pub(super) fn flow(&mut self, place: usize) -> Option<Flow> {
        match self.given.get(place) {
            Some(Some(Given::Flow(flow))) => Some(flow.clone()),
            Some(Some(Given::Constant(_))) => {
                self.unsupported(&format!("its input {place} is a constant, which is not read there"))
            }
            _ => self.refuse(Code::Connection, &format!("its input {place} is missing")),
        }
    }

    fn ordered(&mut self, flow: Flow) -> Option<Flow> {
        if flow.at > 0 {
            return self.unsupported("what reaches it has the batch behind another axis, which it does not take");
        }
        Some(flow)
    }

    /// The same, of real numbers, the batch on the graph's first axis.
    pub(super) fn real(&mut self, place: usize) -> Option<Flow> {
        let flow = self.anywhere(place)?;
        self.ordered(flow)
    }

    /// The value that input `place` is, of real numbers, the batch on any axis.
    pub(super) fn anywhere(&mut self, place: usize) -> Option<Flow> {
        let flow = self.flow(place)?;
        if flow.kind != Kind::Real {
            return self.unsupported("it takes whole numbers of an input, which are read to look up rows alone");
        }
        Some(flow)
    }

    /// The same, the batch alone on the graph's axis 0.
    pub(super) fn whole(&mut self, place: usize) -> Option<Flow> {
        let flow = self.real(place)?;
        if flow.merged > 0 {
            return self.unsupported("what reaches it has the batch joined with another axis, which it does not take");
        }
        Some(flow)
    }

    /// What a slice takes, in the order of its axes as written: each axis with start, end and step.
    pub(super) fn ranges(&mut self) -> Option<Vec<(i64, [i64; 3])>> {
        let by_input = self.build.opset >= 10;
        let mut list = |name: &str, place: usize| match by_input {
            true => self.wholes(place, name),
            false => Some(self.attributes.ints(name)),
        };
        let (starts, ends) = (list("starts", 1)?, list("ends", 2)?);
        let (axes, steps) = (list("axes", 3)?, list("steps", 4)?);
        let (Some(starts), Some(ends)) = (starts, ends) else {
            return self.refuse(Code::Attribute, "it has not both starts and ends");
        };
        let axes = axes.unwrap_or_else(|| (0..starts.len()).filter_map(|axis| i64::try_from(axis).ok()).collect());
        let steps = steps.unwrap_or_else(|| vec![1; starts.len()]);
        if [ends.len(), axes.len(), steps.len()].iter().any(|count| *count != starts.len()) || steps.contains(&0) {
            return self
                .refuse(Code::Attribute, "its starts, ends, axes and steps are not equally many, or a step is 0");
        }
        let ranges = starts.into_iter().zip(ends).zip(steps).map(|((start, end), step)| [start, end, step]);
        Some(axes.into_iter().zip(ranges).collect())
    }

    /// The lengths of the parts that a split makes of an axis.
    pub(super) fn parts(&mut self, length: usize) -> Option<Vec<usize>> {
        let said = match self.attributes.ints("split") {
            Some(said) => Some(said),
            None => self.wholes(1, "split")?,
        };
        let outputs = usize::try_from(self.attributes.int("num_outputs", 0)).unwrap_or(0);
        let outputs = if outputs == 0 { self.node.outputs.len() } else { outputs };
        let parts: Vec<usize> = match said {
            Some(said) => said.iter().filter_map(|part| usize::try_from(*part).ok()).collect(),
            None if outputs > length.min(self.build.numbers).max(self.node.outputs.len()) => Vec::new(),
            // The last may be shorter.
            None => {
                let each = length.div_ceil(outputs.max(1));
                (0..outputs).map(|part| each.min(length.saturating_sub(part.saturating_mul(each)))).collect()
            }
        };
        let total = parts.iter().try_fold(0, |total: usize, part| total.checked_add(*part));
        if total != Some(length) || parts.len() < self.node.outputs.len() {
            return self.refuse(Code::Attribute, &format!("its parts do not make up an axis of {length}"));
        }
        Some(parts)
    }
}
