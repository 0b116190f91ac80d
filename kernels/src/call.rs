//! Steps of a run, as a session calls them: what runs each, and where its operands lie.
//!
//! A session's memory is one row of singles. Inputs and outputs lie in it with all examples of a run; what lies between is
//! there for a block of them, once for each thread that runs blocks of its own: its slot. The loop over the steps stands
//! here and not with the session, for a small network takes about as long as the way through it.

use super::{After, Found, Kernel, Numbers, Part, Unary};
use std::{marker::PhantomData, mem::MaybeUninit, sync::Arc};

/// Which examples steps run for.
#[derive(Clone, Copy)]
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
    /// Where it begins for some examples, and its numbers.
    #[inline]
    pub fn at(&self, examples: Examples) -> (usize, usize) {
        let moved = if self.port { self.each * examples.first } else { examples.moved };
        (self.start + moved, self.once + self.each * examples.count)
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

/// What is done on the way.
#[derive(Clone, Copy)]
pub enum Follow {
    /// As [`After::Map`].
    Map(Unary),
    /// As [`After::Affine`].
    Affine([Operand; 3]),
    /// As [`After::Add`].
    Add(Operand),
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
    pub after: Vec<Follow>,
}

/// Numbers that several threads may hold a way to, each to parts of its own.
pub struct Shared<'a> {
    numbers: *mut f32,
    count: usize,
    lent: PhantomData<&'a mut [f32]>,
}

// SAFETY: a way to singles; who holds it twice has promised that nobody uses the same part.
unsafe impl Send for Shared<'_> {}
// SAFETY: numbers are reached only by steps, for which the same has been promised, and through [`Shared::again`].
unsafe impl Sync for Shared<'_> {}

impl<'a> Shared<'a> {
    /// The only way to these numbers.
    pub fn new(numbers: &'a mut [f32]) -> Shared<'a> {
        Shared { numbers: numbers.as_mut_ptr(), count: numbers.len(), lent: PhantomData }
    }

    /// Another way to the same numbers.
    ///
    /// # Safety
    /// No number that is written through one of the two is used through the other meanwhile.
    pub unsafe fn again(&self) -> Shared<'a> {
        Shared { ..*self }
    }
}

/// What steps read and write.
pub struct Memory<'a> {
    /// The values.
    pub values: Shared<'a>,
    /// Working memory of this thread.
    pub scratch: &'a mut [f32],
    /// The network's numbers.
    pub numbers: &'a [Numbers],
    /// The inputs of whole numbers.
    pub whole: &'a [Vec<i64>],
}

/// A step with its operands.
pub struct Job<'a> {
    call: &'a Call,
    operands: Operands<'a>,
}

impl Job<'_> {
    /// Runs it for the part of its output that begins with number `at`.
    pub fn run(&self, at: usize, out: &mut [f32], scratch: &mut [f32]) {
        // SAFETY: `Call::job` has found them for this call.
        unsafe { self.operands.run(self.call, at, out, scratch) };
    }
}

/// The operands of a step; of each list as many are set as the step has.
struct Operands<'a> {
    inputs: [&'a [f32]; Call::OPERANDS],
    whole: &'a [i64],
    after: [MaybeUninit<After<'a>>; After::MOST],
}

impl Operands<'_> {
    const NONE: Self =
        Operands { inputs: [&[]; Call::OPERANDS], whole: &[], after: [const { MaybeUninit::uninit() }; After::MOST] };

    /// Runs the call that they were found for.
    ///
    /// # Safety
    /// They were found for it last.
    #[inline(always)]
    unsafe fn run(&self, call: &Call, at: usize, out: &mut [f32], scratch: &mut [f32]) {
        let (inputs, after) = (&self.inputs[..call.inputs.len()], &self.after[..call.after.len()]);
        // SAFETY: as many have been set as the call has.
        let after = unsafe { std::slice::from_raw_parts(after.as_ptr().cast::<After<'_>>(), after.len()) };
        call.run.run(&call.kernel, Part { inputs, whole: self.whole, at, out, scratch, after });
    }
}

/// The memory while a step writes a stretch of it.
struct Rest<'a> {
    values: *const f32,
    count: usize,
    /// The stretch.
    start: usize,
    end: usize,
    numbers: &'a [Numbers],
    examples: Examples,
}

impl<'a> Rest<'a> {
    #[inline(always)]
    fn numbers(&self, operand: &Operand) -> &'a [f32] {
        match operand {
            Operand::Number(number) => self.numbers[*number].all(),
            Operand::Stretch(stretch) => {
                let (start, count) = stretch.at(self.examples);
                let end = start + count;
                if count == 0 {
                    return &[];
                }
                let is_there = start <= end && end <= self.count;
                assert!(is_there && (end <= self.start || start >= self.end), "no operand is written");
                // SAFETY: within the values, and apart from what is written.
                unsafe { std::slice::from_raw_parts(self.values.add(start), count) }
            }
        }
    }
}

impl Call {
    /// Most operands.
    pub const OPERANDS: usize = 5;

    /// Sets its operands, and gives out what it writes; nothing if that is empty. They are written into a place that is used
    /// again: moving them takes longer than a small layer.
    ///
    /// # Safety
    /// What is given out is used up before `values` is used for anything else, and nobody else uses it meanwhile.
    #[inline(always)]
    unsafe fn find<'a>(
        &self,
        examples: Examples,
        values: &Shared<'a>,
        (numbers, whole): (&'a [Numbers], &'a [Vec<i64>]),
        to: &mut Operands<'a>,
    ) -> &'a mut [f32] {
        let (start, count) = self.out.at(examples);
        if count == 0 {
            return &mut [];
        }
        let end = start + count;
        assert!(start <= end && end <= values.count, "what is written is there");
        let rest = Rest { values: values.numbers, count: values.count, start, end, numbers, examples };
        for (to, from) in to.inputs.iter_mut().zip(&self.inputs) {
            *to = rest.numbers(from);
        }
        for (to, from) in to.after.iter_mut().zip(&self.after) {
            to.write(match from {
                Follow::Map(function) => After::Map(*function),
                Follow::Affine([mean, scale, bias]) => {
                    After::Affine([rest.numbers(mean), rest.numbers(scale), rest.numbers(bias)])
                }
                Follow::Add(other) => After::Add(rest.numbers(other)),
            });
        }
        to.whole = self.whole.map_or(&[], |(number, each)| &whole[number][each * examples.first..]);
        // SAFETY: within the values, of which no operand holds this stretch.
        unsafe { std::slice::from_raw_parts_mut(values.numbers.add(start), count) }
    }

    /// The step with its operands, what it writes, and the working memory, for who runs it part by part; none if there is
    /// nothing to write.
    pub fn job<'a>(
        &'a self,
        examples: Examples,
        memory: &'a mut Memory<'_>,
    ) -> Option<(Job<'a>, &'a mut [f32], &'a mut [f32])> {
        let mut operands = Operands::NONE;
        // SAFETY: the memory is lent for as long as what is given out.
        let out = unsafe { self.find(examples, &memory.values, (memory.numbers, memory.whole), &mut operands) };
        (!out.is_empty()).then(|| (Job { call: self, operands }, out, &mut *memory.scratch))
    }

    /// Runs steps one after another, on this thread.
    pub fn run_all(calls: &[Call], examples: Examples, memory: &mut Memory<'_>) {
        let Memory { values, scratch, numbers, whole } = memory;
        let mut operands = Operands::NONE;
        for call in calls {
            // SAFETY: the memory is lent, and each step is done, with what was found for it, before the next.
            unsafe {
                let out = call.find(examples, values, (*numbers, *whole), &mut operands);
                if !out.is_empty() {
                    operands.run(call, 0, out, scratch);
                }
            }
        }
    }
}
