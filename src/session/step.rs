//! One step of a run: its operands found, its output cut, its kernel called.

use super::Session;
use crate::{
    cancel::Cancel,
    device::split,
    faults::Code,
    kernels::{Kernel, Part},
    plan::{Place, Step},
};

/// About how many multiplications are worth a second thread: some 20 µs.
const WORTH: usize = 1 << 17;

/// About how many multiplications pass between two looks at the cancel flag.
const LOOK: usize = 1 << 25;

impl Session {
    /// Runs a step. On a raised flag its output is left half done.
    pub(super) fn step(&mut self, number: usize, batch: usize, cancel: Option<&Cancel>) -> Result<(), Code> {
        let step = &self.plan.steps[number];
        let Some(kernel) = &step.kernel else { return Ok(()) };
        let buffers = &self.plan.buffers;
        let each = buffers[step.output].each;
        let (start, count) = (self.layout.starts[step.output], buffers[step.output].count(batch));
        if count == 0 {
            return Ok(());
        }
        let (below, rest) = self.arena.split_at_mut(start);
        let (out, above) = rest.split_at_mut(count);
        let (mut inputs, mut filled): ([&[f32]; Step::OPERANDS], usize) = ([&[]; Step::OPERANDS], 0);
        let mut whole: &[i64] = &[];
        for &place in &step.inputs {
            inputs[filled] = match place {
                Place::Number(number) => self.weights.numbers(number),
                Place::Whole(number) => {
                    whole = &self.whole[number];
                    continue;
                }
                Place::Buffer(buffer) => {
                    let (at, count) = (self.layout.starts[buffer], buffers[buffer].count(batch));
                    match at.checked_sub(start + out.len()) {
                        _ if count == 0 => &[],
                        Some(at) => &above[at..at + count],
                        None => &below[at..at + count],
                    }
                }
            };
            filled += 1;
        }
        let cuts = Cuts { each, grain: step.grain, an_example: each.div_ceil(step.grain) };
        let job = Job { step, kernel, inputs: &inputs[..filled], whole, cuts, cancel };
        let units = count / each * job.cuts.an_example;
        let parts = match &self.parallel {
            Some(_) if count.saturating_mul(step.cost) >= WORTH => self.threads.min(units),
            _ => 1,
        };
        let room = self.plan.scratch;
        let scratch = &mut self.scratch[..room * parts];
        match &self.parallel {
            Some(parallel) if parts > 1 => {
                let first = |part: usize| units / parts * part + (units % parts).min(part);
                let run = |part: usize, out: &mut [f32], scratch: &mut [f32]| {
                    job.run(first(part), first(part + 1), out, scratch);
                };
                let good = split(&**parallel, parts, out, |part| job.cuts.at(first(part)), scratch, run);
                if good { Ok(()) } else { Err(Code::Internal) }
            }
            _ => {
                job.run(0, units, out, scratch);
                Ok(())
            }
        }
    }
}

/// Where an output may be cut.
#[derive(Clone, Copy)]
struct Cuts {
    each: usize,
    grain: usize,
    an_example: usize,
}

impl Cuts {
    /// The number that a unit begins with.
    fn at(&self, unit: usize) -> usize {
        unit / self.an_example * self.each + (unit % self.an_example * self.grain).min(self.each)
    }
}

/// A step with its operands.
struct Job<'a> {
    step: &'a Step,
    kernel: &'a Kernel,
    inputs: &'a [&'a [f32]],
    whole: &'a [i64],
    cuts: Cuts,
    cancel: Option<&'a Cancel>,
}

impl Job<'_> {
    /// Units `first..end`, whose numbers are `out`; in pieces if there is a flag to look at.
    fn run(&self, first: usize, end: usize, out: &mut [f32], scratch: &mut [f32]) {
        let piece = match self.cancel {
            Some(_) => (LOOK / self.cuts.grain.saturating_mul(self.step.cost).max(1)).max(1),
            None => usize::MAX,
        };
        let (mut unit, mut rest) = (first, out);
        while unit < end && !self.cancel.is_some_and(Cancel::is_raised) {
            let next = unit.saturating_add(piece).min(end);
            let at = self.cuts.at(unit);
            let (out, later) = std::mem::take(&mut rest).split_at_mut(self.cuts.at(next) - at);
            (self.step.run)(self.kernel, Part { inputs: self.inputs, whole: self.whole, at, out, scratch });
            (unit, rest) = (next, later);
        }
    }
}
