//! One step of a run: its operands found, its output cut, its kernel called.

use super::Session;
use crate::{
    cancel::Cancel,
    device::split,
    faults::Code,
    kernels::{After, Kernel, Kernels, Part},
    plan::{Place, Step},
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

impl Session {
    /// Runs a step, with those that have joined it. On a raised flag its output is left half done.
    pub(super) fn step(&mut self, number: usize, examples: Examples, cancel: Option<&Cancel>) -> Result<(), Code> {
        let apart = examples.apart;
        let step = &self.plan.steps[number];
        let Some(kernel) = step.kernel.as_ref().filter(|_| apart || !step.joined) else { return Ok(()) };
        let buffers = &self.plan.buffers;
        let each = buffers[step.output].each;
        let starts = &self.layouts[usize::from(apart)].starts;
        let stretch = |buffer: usize| {
            let own = &buffers[buffer];
            let skipped = if own.port { own.count(examples.first) } else { 0 };
            (starts[buffer] + skipped, own.count(examples.count))
        };
        let (start, count) = stretch(step.output);
        if count == 0 {
            return Ok(());
        }
        let (below, rest) = self.arena.split_at_mut(start);
        let (out, above) = rest.split_at_mut(count);
        let (below, above): (&[f32], &[f32]) = (below, above);
        let weights = &self.weights;
        let operand = |place: Place| -> &[f32] {
            match place {
                Place::Number(number) => weights.numbers(number),
                Place::Buffer(buffer) => {
                    let (at, numbers) = stretch(buffer);
                    match at.checked_sub(start + count) {
                        _ if numbers == 0 => &[],
                        Some(at) => &above[at..at + numbers],
                        None => &below[at..at + numbers],
                    }
                }
                Place::Whole(_) => &[],
            }
        };
        let (mut inputs, mut filled): ([&[f32]; Step::OPERANDS], usize) = ([&[]; Step::OPERANDS], 0);
        let mut whole: &[i64] = &[];
        for &place in &step.inputs {
            if let Place::Whole(number) = place {
                whole = &self.whole[number][self.plan.whole[number] * examples.first..];
                continue;
            }
            inputs[filled] = operand(place);
            filled += 1;
        }
        let (mut after, mut follow) = ([After::Add(&[]); After::MOST], 0);
        for &later in if apart { &[][..] } else { &step.after } {
            let later = &self.plan.steps[later];
            after[follow] = match (&later.kernel, later.inputs.as_slice()) {
                (Some(Kernel::Map(map)), _) => After::Map(map.function),
                (_, &[mean, scale, bias]) => After::Affine([mean, scale, bias].map(operand)),
                (_, &[other]) => After::Add(operand(other)),
                _ => return Err(Code::Internal),
            };
            follow += 1;
        }
        let (inputs, after) = (&inputs[..filled], &after[..follow]);
        let alone = self.parallel.is_none() || count.saturating_mul(step.cost) < WORTH;
        if alone && cancel.is_none() {
            let scratch = &mut self.scratch[..self.plan.scratch];
            self.kernels.run(kernel, Part { inputs, whole, at: 0, out, scratch, after });
            return Ok(());
        }
        let cuts = Cuts { each, grain: step.grain, an_example: each.div_ceil(step.grain) };
        let job = Job { step, kernel, kernels: self.kernels, inputs, whole, after, cuts, cancel };
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
    kernels: Kernels,
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
            self.kernels.run(self.kernel, Part { inputs, whole, at, out, scratch, after });
            (unit, rest) = (next, later);
        }
    }
}
