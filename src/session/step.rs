//! One step of a run: its operands found, its output cut, its kernel called.

use super::{
    Session,
    call::{Follow, Operand},
};
use crate::{
    cancel::Cancel,
    device::split,
    faults::Code,
    kernels::{After, Found, Kernel, Part},
    plan::{Step, Weights},
};

/// About how many multiplications are worth a second thread: some 5 to 10 µs.
const WORTH: usize = 1 << 18;

/// About how many multiplications pass between two looks at the cancel flag.
const LOOK: usize = 1 << 25;

/// Which examples a step runs for.
#[derive(Clone, Copy)]
pub(super) struct Examples {
    /// The first, counted within the run.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// Whether steps that have joined another run by themselves.
    pub apart: bool,
}

/// The session's memory while a step writes a stretch of it.
struct Rest<'a> {
    below: &'a [f32],
    above: &'a [f32],
    /// Where `above` begins.
    end: usize,
    weights: &'a Weights,
    examples: Examples,
}

impl<'a> Rest<'a> {
    fn numbers(&self, operand: Operand) -> &'a [f32] {
        let stretch = match operand {
            Operand::Number(number) => return self.weights.numbers(number),
            Operand::Stretch(stretch) => stretch,
        };
        let (at, count) = stretch.at(self.examples);
        match at.checked_sub(self.end) {
            _ if count == 0 => &[],
            Some(at) => &self.above[at..at + count],
            None => &self.below[at..at + count],
        }
    }
}

impl Session {
    /// Runs a call, with the steps that have joined it. On a raised flag its output is left half done.
    pub(super) fn call(&mut self, number: usize, examples: Examples, cancel: Option<&Cancel>) -> Result<(), Code> {
        let call = &self.calls[usize::from(examples.apart)][number];
        let step = &self.plan.steps[call.step];
        let Some(kernel) = &step.kernel else { return Ok(()) };
        let (start, count) = call.out.at(examples);
        if count == 0 {
            return Ok(());
        }
        let (below, rest) = self.arena.split_at_mut(start);
        let (out, above) = rest.split_at_mut(count);
        let rest = Rest { below, above, end: start + count, weights: &self.weights, examples };
        let mut inputs: [&[f32]; Step::OPERANDS] = [&[]; Step::OPERANDS];
        for (to, &from) in inputs.iter_mut().zip(&call.inputs) {
            *to = rest.numbers(from);
        }
        let mut after = [After::Add(&[]); After::MOST];
        for (to, from) in after.iter_mut().zip(&call.after) {
            *to = match *from {
                Follow::Map(function) => After::Map(function),
                Follow::Affine(numbers) => After::Affine(numbers.map(|operand| rest.numbers(operand))),
                Follow::Add(other) => After::Add(rest.numbers(other)),
            };
        }
        let (inputs, after) = (&inputs[..call.inputs.len()], &after[..call.after.len()]);
        let whole =
            call.whole.map_or(&[][..], |number| &self.whole[number][self.plan.whole[number] * examples.first..]);
        let alone = self.parallel.is_none() || count.saturating_mul(step.cost) < WORTH;
        if alone && cancel.is_none() {
            let scratch = &mut self.scratch[..self.plan.scratch];
            call.run.run(kernel, Part { inputs, whole, at: 0, out, scratch, after });
            return Ok(());
        }
        let each = self.plan.buffers[step.output].each;
        let cuts = Cuts { each, grain: step.grain, an_example: each.div_ceil(step.grain) };
        let job = Job { step, kernel, run: call.run, inputs, whole, after, cuts, cancel };
        let units = count / each * job.cuts.an_example;
        let parts = if alone { 1 } else { self.options.threads.min(units) };
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
    run: Found,
    inputs: &'a [&'a [f32]],
    whole: &'a [i64],
    after: &'a [After<'a>],
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
            let Job { inputs, whole, after, .. } = *self;
            self.run.run(self.kernel, Part { inputs, whole, at, out, scratch, after });
            (unit, rest) = (next, later);
        }
    }
}
