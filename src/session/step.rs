//! The steps of a run, for some of its examples: on this thread, or cut between several.
//!
//! Where a run has examples enough, each thread takes some of them through all steps, in memory of its own, and waits for the
//! others once, at the end. Else the output of each step that is worth it is cut between the threads.

use super::{
    Session,
    call::{Calls, Numbered},
};
use crate::{
    cancel::Cancel,
    device::{divide, split},
    faults::Code,
    kernels::{Examples, Job, Memory},
};
use std::ops::Range;

/// About how many multiplications are worth a second thread: some 5 to 10 µs.
const WORTH: usize = 1 << 18;

/// About how many multiplications pass between two looks at the cancel flag.
const LOOK: usize = 1 << 25;

/// So many times as many examples as threads are enough, even if some threads have one more than others.
const ENOUGH: usize = 4;

/// How threads divide the examples of a run.
pub(super) struct Divided {
    /// The steps, for blocks of `block` examples.
    pub(super) calls: Calls,
    pub(super) block: usize,
    /// Singles of what lies between inputs and outputs, for a thread.
    pub(super) slot: usize,
}

impl Session {
    /// Whether each thread takes some of so many examples through all steps.
    pub(super) fn divides(&self, batch: usize) -> bool {
        let threads = self.options.threads;
        self.divided.is_some()
            && (batch.is_multiple_of(threads) || batch >= ENOUGH * threads)
            && batch.saturating_mul(self.cost) >= WORTH
    }

    /// Runs all steps for all examples, each thread some of them.
    pub(super) fn run_divided(&mut self, batch: usize, cancel: Option<&Cancel>) -> Result<(), Code> {
        let (Some(parallel), Some(divided)) = (&self.parallel, &self.divided) else { return Err(Code::Internal) };
        let parts = self.options.threads;
        let run = |part: usize, mut memory: Memory<'_>| {
            let own = share(batch, parts, part)..share(batch, parts, part + 1);
            for examples in blocks(own, divided.block, part * divided.slot).take_while(|_| !is_raised(cancel)) {
                divided.calls.run(examples, &mut memory, cancel);
            }
        };
        // SAFETY: each part has examples of its own, and all inputs and outputs are there for each example (what is alike for
        // all is copied into an output of its own: `Needs::of` holds the plan to that); what lies between is in the slot of the
        // part, for which there is room.
        let good = unsafe { divide(&**parallel, parts, self.store.memory(parts), run) };
        if good { Ok(()) } else { Err(Code::Internal) }
    }

    /// Runs all steps for all examples, block by block.
    #[inline(always)]
    pub(super) fn run_blocks(&mut self, batch: usize, cancel: Option<&Cancel>) -> Result<(), Code> {
        if batch <= self.block {
            return self.run_block(Examples { first: 0, count: batch, moved: 0 }, cancel);
        }
        blocks(0..batch, self.block, 0)
            .take_while(|_| !is_raised(cancel))
            .try_for_each(|examples| self.run_block(examples, cancel))
    }

    /// Runs all steps for some examples, each by itself.
    #[inline(always)]
    fn run_block(&mut self, examples: Examples, cancel: Option<&Cancel>) -> Result<(), Code> {
        if self.parallel.is_none() || examples.count.saturating_mul(self.cost) < WORTH {
            let (calls, mut memory) = (&self.calls[0], self.store.memory(1));
            match cancel {
                // SAFETY: a session keeps its steps and its values; where it takes other numbers, it has this forgotten.
                None => unsafe { self.ready.run(&calls.calls, examples, &mut memory) },
                _ => calls.run(examples, &mut memory, cancel),
            }
            return Ok(());
        }
        self.run_cut(examples, cancel)
    }

    /// Runs all steps for some examples, each cut between the threads.
    fn run_cut(&mut self, examples: Examples, cancel: Option<&Cancel>) -> Result<(), Code> {
        let mut calls = (0..self.calls[0].calls.len()).take_while(|_| !is_raised(cancel));
        calls.try_for_each(|call| self.call(call, examples, false, cancel))
    }

    /// Runs one of the steps, with those that have joined it unless all run `apart`. On a raised flag its output is left half
    /// done.
    pub(super) fn call(
        &mut self,
        number: usize,
        examples: Examples,
        apart: bool,
        cancel: Option<&Cancel>,
    ) -> Result<(), Code> {
        let Calls { calls, steps } = &self.calls[usize::from(apart)];
        let room = self.store.room;
        let mut memory = self.store.memory(self.options.threads);
        let Some((job, out, scratch)) = calls[number].job(examples, &mut memory) else { return Ok(()) };
        let step = &steps[number];
        let (pieces, units) = (Pieces { job, step, cancel }, step.units(out.len()));
        let parts = self.options.threads.min(units);
        match &self.parallel {
            Some(parallel) if parts > 1 && out.len().saturating_mul(step.cost) >= WORTH => {
                let first = |part: usize| share(units, parts, part);
                let run = |part: usize, out: &mut [f32], scratch: &mut [f32]| {
                    pieces.run(first(part), first(part + 1), out, scratch);
                };
                let scratch = &mut scratch[..room * parts];
                let good = split(&**parallel, parts, out, |part| step.at(first(part)), scratch, run);
                if good { Ok(()) } else { Err(Code::Internal) }
            }
            _ => {
                pieces.run(0, units, out, &mut scratch[..room]);
                Ok(())
            }
        }
    }
}

fn is_raised(cancel: Option<&Cancel>) -> bool {
    cancel.is_some_and(Cancel::is_raised)
}

/// The first of `count` that falls to a part, where the first parts have one more if they do not come out even.
fn share(count: usize, parts: usize, part: usize) -> usize {
    count / parts * part + (count % parts).min(part)
}

/// Examples in blocks of at most `block`.
fn blocks(examples: Range<usize>, block: usize, moved: usize) -> impl Iterator<Item = Examples> {
    let end = examples.end;
    examples.step_by(block).map(move |first| Examples { first, count: block.min(end - first), moved })
}

impl Calls {
    /// Runs the steps for some examples, on this thread.
    fn run(&self, examples: Examples, memory: &mut Memory<'_>, cancel: Option<&Cancel>) {
        for (call, step) in self.calls.iter().zip(&self.steps).take_while(|_| !is_raised(cancel)) {
            if let Some((job, out, scratch)) = call.job(examples, memory) {
                Pieces { job, step, cancel }.run(0, step.units(out.len()), out, scratch);
            }
        }
    }
}

/// A step with its operands, which ends early on a raised flag.
struct Pieces<'a> {
    job: Job<'a>,
    step: &'a Numbered,
    cancel: Option<&'a Cancel>,
}

impl Pieces<'_> {
    /// Runs it for the units from `first` to `end`, which `out` holds; piece by piece if there is a flag to look at.
    fn run(&self, first: usize, end: usize, out: &mut [f32], scratch: &mut [f32]) {
        let piece = match self.cancel {
            Some(_) => (LOOK / self.step.grain.saturating_mul(self.step.cost).max(1)).max(1),
            None => usize::MAX,
        };
        let (mut unit, mut rest) = (first, out);
        while unit < end && !is_raised(self.cancel) {
            let next = unit.saturating_add(piece).min(end);
            let at = self.step.at(unit);
            let (out, later) = std::mem::take(&mut rest).split_at_mut(self.step.at(next) - at);
            self.job.run(at, out, scratch);
            (unit, rest) = (next, later);
        }
    }
}
