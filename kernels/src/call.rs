//! Steps of a run, as a session calls them: what runs each, and where its operands lie.
//!
//! A step is placed for some examples, which finds where in the memory it reads and writes, and then run: one by one and
//! maybe part by part ([`Call::job`]), or all of them on one thread ([`Ready`]). The loop over the steps stands here and not
//! with the session, for a small network takes about as long as the way through it.

use super::{After, Follow, Found, Kernel, Memory, Part};
use arrayvec::ArrayVec;
use std::{ptr, sync::Arc};

/// Which examples steps run for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Examples {
    /// The first, counted within the run.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// Numbers by which all that lies between inputs and outputs is moved: those of the slots before.
    pub moved: usize,
}

/// A stretch of the memory.
#[derive(Clone, Copy)]
pub struct Stretch {
    /// Where it begins for the first example, in the first slot.
    pub start: usize,
    /// Numbers of an example.
    pub each: usize,
    /// Numbers that are there but once, if those of an example are none.
    pub once: usize,
    /// Whether it holds all examples of the run, and lies in no slot.
    pub port: bool,
}

impl Stretch {
    /// Where it begins and ends for some examples; panics if that is not within so many values.
    fn at(&self, examples: Examples, values: usize) -> (usize, usize) {
        let moved = if self.port { self.each * examples.first } else { examples.moved };
        let start = self.start + moved;
        let end = start + self.once + self.each * examples.count;
        assert!(start <= end && end <= values, "what a step reads and writes is there");
        (start, end)
    }
}

/// Where an operand lies.
#[derive(Clone, Copy)]
pub enum Operand {
    /// In the memory.
    Stretch(Stretch),
    /// Among the network's numbers.
    Number(usize),
}

/// A step that runs.
pub struct Call {
    /// Its kernel.
    pub kernel: Arc<Kernel>,
    /// What runs it.
    pub run: Found,
    /// What it writes.
    pub out: Stretch,
    /// What it reads, at most [`Call::OPERANDS`].
    pub inputs: Vec<Operand>,
    /// The input of whole numbers it reads, and how many of them there are for an example.
    pub whole: Option<(usize, usize)>,
    /// What follows, at most [`After::MOST`].
    pub after: Vec<Follow<Operand>>,
}

/// Where a step reads and writes for some examples: within the memory, and nothing it reads is written.
struct Placed {
    out: *mut [f32],
    inputs: ArrayVec<*const [f32], { Call::OPERANDS }>,
    after: ArrayVec<Follow<*const [f32]>, { After::MOST }>,
}

impl Call {
    /// Most operands.
    pub const OPERANDS: usize = 5;

    /// Finds where it reads and writes.
    fn placed(&self, examples: Examples, memory: &Memory<'_>) -> Placed {
        let values = &memory.values;
        let (start, end) = self.out.at(examples, values.count);
        let numbers = |operand: Operand| match operand {
            Operand::Number(number) => ptr::from_ref(memory.numbers[number].all()),
            Operand::Stretch(stretch) => {
                let (first, last) = stretch.at(examples, values.count);
                assert!(last <= start || first >= end || first == last, "no operand is written");
                ptr::slice_from_raw_parts(values.numbers.wrapping_add(first), last - first)
            }
        };
        Placed {
            out: ptr::slice_from_raw_parts_mut(values.numbers.wrapping_add(start), end - start),
            inputs: self.inputs.iter().map(|&operand| numbers(operand)).collect(),
            after: self.after.iter().map(|follow| follow.with(numbers)).collect(),
        }
    }

    /// The whole numbers it reads.
    #[inline(always)]
    fn whole<'a>(&self, examples: Examples, whole: &'a [Vec<i64>]) -> &'a [i64] {
        self.whole.map_or(&[], |(number, each)| &whole[number][each * examples.first..])
    }

    /// The step with its operands, what it writes, and the working memory, for who runs it part by part; none if there is
    /// nothing to write.
    pub fn job<'a>(
        &'a self,
        examples: Examples,
        memory: &'a mut Memory<'_>,
    ) -> Option<(Job<'a>, &'a mut [f32], &'a mut [f32])> {
        let placed = self.placed(examples, memory);
        // SAFETY: the memory is lent for as long as what is given out.
        let out = unsafe { &mut *placed.out };
        let whole = self.whole(examples, memory.whole);
        (!out.is_empty()).then(|| (Job { call: self, placed, whole }, out, &mut *memory.scratch))
    }

    /// Runs it where it has been placed.
    ///
    /// # Safety
    /// All that it reads is there, and nobody writes it meanwhile.
    #[inline(always)]
    unsafe fn run(&self, placed: &Placed, whole: &[i64], at: usize, out: &mut [f32], scratch: &mut [f32]) {
        // To make new lists takes longer than a small layer.
        let (inputs, after) = (ptr::from_ref(placed.inputs.as_slice()), ptr::from_ref(placed.after.as_slice()));
        // SAFETY: a pointer and a reference lie alike, and so do operations that follow with either; the caller's promise.
        let (inputs, after) = unsafe { (&*(inputs as *const [&[f32]]), &*(after as *const [After<'_>])) };
        self.run.run(&self.kernel, Part { inputs, whole, at, out, scratch, after });
    }
}

/// A step with its operands.
pub struct Job<'a> {
    call: &'a Call,
    placed: Placed,
    whole: &'a [i64],
}

// SAFETY: numbers that nobody writes while it is there, and what is written it does not reach.
unsafe impl Sync for Job<'_> {}

impl Job<'_> {
    /// Runs it for the part of its output that begins with number `at`.
    pub fn run(&self, at: usize, out: &mut [f32], scratch: &mut [f32]) {
        // SAFETY: `Call::job` has found them for this call, and holds the memory as long as this is there.
        unsafe { self.call.run(&self.placed, self.whole, at, out, scratch) };
    }
}

/// Steps placed for some examples: run again for the same ones, they find everything where it was.
pub struct Ready {
    placed: Vec<Placed>,
    examples: Option<Examples>,
}

// SAFETY: places, which are looked at by `run` alone, whose caller promises all that they need.
unsafe impl Send for Ready {}
// SAFETY: as above.
unsafe impl Sync for Ready {}

impl Ready {
    /// Room for so many steps; none if there is no memory for it.
    pub fn new(calls: usize) -> Option<Ready> {
        let mut placed = Vec::new();
        placed.try_reserve_exact(calls).ok()?;
        Some(Ready { placed, examples: None })
    }

    /// Forgets where everything was.
    pub fn forget(&mut self) {
        self.examples = None;
    }

    /// Runs steps one after another, on this thread.
    ///
    /// # Safety
    /// Since this was new or has last forgotten, steps, values and numbers have been the same, and where they were.
    pub unsafe fn run(&mut self, calls: &[Call], examples: Examples, memory: &mut Memory<'_>) {
        if self.examples != Some(examples) {
            self.examples = None;
            self.placed.clear();
            self.placed.extend(calls.iter().map(|call| call.placed(examples, memory)));
            self.examples = Some(examples);
        }
        for (call, placed) in calls.iter().zip(&self.placed) {
            // SAFETY: within values that are lent for this call, and apart from what the step reads; each step is done before
            // the next.
            unsafe {
                let out = &mut *placed.out;
                if !out.is_empty() {
                    call.run(placed, call.whole(examples, memory.whole), 0, out, memory.scratch);
                }
            }
        }
    }
}
