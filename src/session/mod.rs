//! One thread's memory to run a network with.
//!
//! Made from a network, which it shares, with all memory it will ever need; then `run`, or its pieces `begin`, `read_input`,
//! `execute`, `write_output`, as often as wanted. With one thread a run neither allocates nor locks nor calls the system.

mod call;
mod options;
mod run;
mod step;
mod store;

pub use options::SessionOptions;

use crate::{
    device::{Parallel, Pool},
    faults::{Argument, Code, Fault, Faults, Refused, quoted_str},
    kernels::{Isa, Kernels, Ready, Values},
    limits::Limits,
    network::Network,
    plan::{Layout, Place, Plan, PlanPort, Precision, Weights, block_of, lay_out},
};
use call::{Calls, tables};
use std::{ops::Range, sync::Arc};
use step::Divided;
use store::Store;

/// Most threads of a session.
const THREADS: usize = 256;

/// A network made ready to run in memory of its own. One thread at a time.
pub struct Session {
    network: Network,
    plan: Arc<Plan>,
    store: Store,
    /// For a run in blocks of `block` examples, and for one of layers that are looked at, whole.
    layouts: [Layout; 2],
    block: usize,
    /// Where threads divide the examples of a run: there is none for one thread, or for fewer examples than threads.
    divided: Option<Divided>,
    /// The steps that run, for either layout.
    calls: [Calls; 2],
    /// The first of them, placed for the examples that were run last.
    ready: Ready,
    /// About how many multiplications go into an example.
    cost: usize,
    /// Tables that whole numbers are looked up in.
    tables: Vec<(usize, usize)>,
    /// Shapes of what taps see, the batch first.
    shapes: Vec<Vec<usize>>,
    parallel: Option<Arc<dyn Parallel>>,
    options: SessionOptions,
    /// Bytes it may take.
    most: u64,
    /// A session whose layers all have values, where some of this one's have gone: taps look at it.
    layers: Option<Box<Session>>,
    state: State,
}

/// How far a run has come.
struct State {
    batch: Option<usize>,
    /// Number of this run, and for each input of the run it was last read for.
    run: u64,
    read: Vec<u64>,
    done: bool,
}

impl Session {
    /// A session of a network; compiles it for this precision unless that has been done. Refused if the network can not
    /// run, the options make no sense, or the memory is beyond the limit or can not be had.
    pub fn new(
        network: &Network,
        options: &SessionOptions,
        limits: &Limits,
        faults: &mut Faults,
    ) -> Result<Session, Refused> {
        let isa = options.isa.unwrap_or_else(Isa::best);
        let kernels = Kernels::of(options.precision, isa).ok_or_else(|| {
            let message = format!("this processor has no instruction set \"{}\"", isa.name());
            faults.refuse(Fault::new(Code::Unsupported, message))
        })?;
        let needs = Needs::of(network, options, limits, faults)?;
        let Needs { plan, layouts, block, divided, singles, scratch, whole, .. } = needs;
        let too_much = |code| too_much(&plan, options.max_batch, limits, code);
        let weights = prepared(network, options);
        let memory = || Some((weights?, Values::noughts(singles)?, noughts(scratch)?, all_noughts(&whole)?));
        let (weights, arena, scratch, whole) = memory().ok_or_else(|| faults.refuse(too_much(Code::Memory)))?;
        let parallel = match &options.parallel {
            Some(parallel) => Some(parallel.clone()),
            None if options.threads > 1 => match Pool::new(options.threads) {
                Ok(pool) => Some(Arc::new(pool) as Arc<dyn Parallel>),
                Err(error) => {
                    let message = format!("the system gives no {} threads: {error}", options.threads);
                    return Err(faults.refuse(Fault::new(Code::Memory, message)));
                }
            },
            None => None,
        };
        let calls = |layout: &Layout, apart: bool| Calls::of(&plan, layout, kernels, apart);
        let all_calls = || {
            let divided = match &divided {
                Some((layout, block)) => {
                    Some(Divided { calls: calls(layout, false)?, block: *block, slot: layout.slot() })
                }
                None => None,
            };
            Some((calls(&layouts[0], false)?, calls(&layouts[1], true)?, divided))
        };
        let (together, apart, divided) = all_calls().ok_or_else(|| {
            let message = "a step is to be done by another that can not; this is a defect of the library";
            faults.refuse(Fault::new(Code::Internal, message))
        })?;
        let ready = Ready::new(together.calls.len()).ok_or_else(|| faults.refuse(too_much(Code::Memory)))?;
        let shapes = plan.steps.iter().map(|step| step.tap.as_ref().map_or(vec![], |tap| tap.shape.clone())).collect();
        let state = State { batch: None, run: 0, read: vec![0; plan.inputs.len()], done: false };
        Ok(Session {
            network: network.clone(),
            cost: together.cost(),
            calls: [together, apart],
            ready,
            tables: tables(&plan),
            layouts,
            block,
            divided,
            store: Store { weights, arena, whole, scratch, room: plan.scratch },
            shapes,
            options: SessionOptions { parallel: parallel.clone(), ..options.clone() },
            parallel,
            most: limits.session_bytes,
            layers: None,
            state,
            plan,
        })
    }

    /// Bytes that [`Session::workspace_bytes`] of such a session would be; nothing is laid out, and the same is refused.
    pub fn needs(
        network: &Network,
        options: &SessionOptions,
        limits: &Limits,
        faults: &mut Faults,
    ) -> Result<u64, Refused> {
        Ok(Needs::of(network, options, limits, faults)?.bytes)
    }

    /// The network whose numbers it runs with.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Most examples of a run.
    pub fn max_batch(&self) -> usize {
        self.options.max_batch
    }

    /// In which precision it runs.
    pub fn precision(&self) -> Precision {
        self.plan.precision
    }

    /// The instruction set of its kernels.
    pub fn isa(&self) -> Isa {
        self.options.isa.unwrap_or_else(Isa::best)
    }

    /// The inputs, in the order of the description.
    pub fn inputs(&self) -> &[PlanPort] {
        &self.plan.inputs
    }

    /// The outputs, in the order of the description.
    pub fn outputs(&self) -> &[PlanPort] {
        &self.plan.outputs
    }

    /// Shape of one example of an input; panics if there is no such input.
    pub fn input_shape(&self, port: usize) -> &[usize] {
        &self.plan.inputs[port].shape
    }

    /// Shape of one example of an output; panics if there is no such output.
    pub fn output_shape(&self, port: usize) -> &[usize] {
        &self.plan.outputs[port].shape
    }

    /// Bytes of the memory it holds for values; the network's numbers are shared and not counted.
    pub fn workspace_bytes(&self) -> u64 {
        let whole = self.store.whole.iter().map(Vec::len).sum::<usize>() as u64;
        let layers = self.layers.as_ref().map_or(0, |layers| layers.workspace_bytes());
        4 * (self.store.arena.count() + self.store.scratch.len()) as u64 + 8 * whole + layers
    }

    /// Takes the memory for taps, so that the first run with one does not have to: where layers have gone into others, a
    /// session whose layers all have values. [`Code::Limit`] or [`Code::Memory`] if it can not be had.
    pub fn prepare_taps(&mut self) -> Result<(), Code> {
        if self.plan.is_rewritten && self.layers.is_none() {
            let options = SessionOptions { layers: true, ..self.options.clone() };
            let limits =
                Limits { session_bytes: self.most.saturating_sub(self.workspace_bytes()), ..Limits::default() };
            let made = Session::new(&self.network, &options, &limits, &mut Faults::default());
            self.layers = Some(Box::new(made.map_err(|refused| refused.0)?));
        }
        Ok(())
    }

    /// Goes on with the numbers of another network of the same plan (see [`Network::with`]). [`Code::Value`] for any other;
    /// on an error this session stays as it was. Quick and free of allocation if [`Weights::prepared`] has been called for
    /// that network before, e.g. on the thread that loaded it.
    pub fn swap(&mut self, network: &Network) -> Result<(), Code> {
        if !self.network.same_plan(network) {
            return Err(Code::Value);
        }
        let weights = prepared(network, &self.options).ok_or(Code::Memory)?;
        if let Some(layers) = &mut self.layers {
            layers.swap(network)?;
        }
        self.ready.forget();
        (self.store.weights, self.network) = (weights, network.clone());
        Ok(())
    }

    /// The singles of a place for so many examples, after a run of all of them at once; of inputs and outputs after any.
    #[inline(always)]
    fn numbers(&self, place: Place, batch: usize) -> &[f32] {
        match place {
            Place::Number(number) => self.store.weights.numbers(number),
            Place::Buffer(buffer) => self.store.arena.part(range(&self.plan, &self.layouts[1], buffer, batch)),
            Place::Whole(_) => &[],
        }
    }
}

/// Where the numbers of a buffer lie, for so many examples that are all run at once; of an input or output in any case.
#[inline(always)]
fn range(plan: &Plan, layout: &Layout, buffer: usize, batch: usize) -> Range<usize> {
    let start = layout.starts[buffer];
    start..start + plan.buffers[buffer].count(batch)
}

/// What a session takes, before any of it is there.
struct Needs {
    plan: Arc<Plan>,
    layouts: [Layout; 2],
    block: usize,
    /// For threads that divide a run, with the examples of a block of theirs.
    divided: Option<(Layout, usize)>,
    /// Singles of the largest layout.
    singles: usize,
    /// Singles of working memory, of all threads.
    scratch: usize,
    /// Numbers of each input of whole numbers.
    whole: Vec<usize>,
    bytes: u64,
}

impl Needs {
    fn of(network: &Network, options: &SessionOptions, limits: &Limits, faults: &mut Faults) -> Result<Needs, Refused> {
        let plan = if options.layers { Plan::of_layers } else { Plan::of };
        let plan = plan(network, options.precision, faults)?;
        let value = |name: &str, most: usize| {
            Fault::new(Code::Value, format!("`{name}` must be from 1 to {most}"))
                .argument("most", Argument::Int(most as i64))
        };
        if options.max_batch == 0 {
            return Err(faults.refuse(value("max_batch", usize::MAX >> 1)));
        }
        if options.threads == 0 || options.threads > THREADS {
            return Err(faults.refuse(value("threads", THREADS)));
        }
        let too_much = |code| too_much(&plan, options.max_batch, limits, code);
        let numbers = network.numbers().iter().map(|numbers| numbers.shape().iter().product::<usize>());
        let weights = numbers.fold(0, usize::saturating_add).saturating_mul(4);
        debug_assert!(
            plan.buffers.iter().all(|buffer| !buffer.port || buffer.batched),
            "ports are there for each example"
        );
        // Fewer examples than threads are never divided.
        let divides = options.threads > 1 && options.max_batch >= options.threads;
        let block = block_of(&plan, weights, options.max_batch).saturating_mul(options.threads).min(options.max_batch);
        let own = block_of(&plan, weights, options.max_batch.div_ceil(options.threads));
        let layouts = || {
            let blocks = lay_out(&plan, options.max_batch, block)?;
            let whole = lay_out(&plan, options.max_batch, options.max_batch)?;
            let mut singles = blocks.total.max(whole.total);
            let mut divided = None;
            if divides {
                let layout = lay_out(&plan, options.max_batch, own)?;
                singles = singles.max(layout.with_slots(options.threads)?);
                divided = Some((layout, own));
            }
            Some((singles, [blocks, whole], divided))
        };
        let (singles, layouts, divided) = layouts().ok_or_else(|| faults.refuse(too_much(Code::Limit)))?;
        let scratch = plan.scratch.checked_mul(options.threads);
        let whole: Option<Vec<usize>> = plan.whole.iter().map(|each| each.checked_mul(options.max_batch)).collect();
        let (Some(scratch), Some(whole)) = (scratch, whole) else {
            return Err(faults.refuse(too_much(Code::Limit)));
        };
        let counts = [singles, scratch].into_iter().chain(whole.iter().map(|&count| count.saturating_mul(2)));
        let bytes = counts.fold(0u64, |sum, count| sum.saturating_add((count as u64).saturating_mul(4)));
        if bytes > limits.session_bytes {
            return Err(faults.refuse(too_much(Code::Limit)));
        }
        Ok(Needs { layouts, block, divided, singles, scratch, whole, bytes, plan })
    }
}

fn prepared(network: &Network, options: &SessionOptions) -> Option<Arc<Weights>> {
    let prepared = if options.layers { Weights::prepared_for_layers } else { Weights::prepared };
    prepared(network, options.precision)
}

fn noughts<T: Copy + Default>(count: usize) -> Option<Vec<T>> {
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(count).ok()?;
    numbers.resize(count, T::default());
    Some(numbers)
}

fn all_noughts(counts: &[usize]) -> Option<Vec<Vec<i64>>> {
    counts.iter().map(|&count| noughts(count)).collect()
}

fn too_much(plan: &Plan, max_batch: usize, limits: &Limits, code: Code) -> Fault {
    let largest = plan.buffers.iter().rev().max_by_key(|buffer| buffer.each);
    let (layer, each) = largest.map_or(("", 0), |buffer| (buffer.layer.as_str(), buffer.each));
    let why = match code {
        Code::Memory => "can not be had".to_owned(),
        _ => format!("is beyond the limit of {} bytes (`session_bytes`)", limits.session_bytes),
    };
    let message = format!(
        "the memory for {max_batch} examples at once {why}; the largest value is that of \"{}\" with {each} numbers an \
         example: a smaller `max_batch` takes less",
        quoted_str(layer)
    );
    Fault::new(code, message).path(layer)
}
