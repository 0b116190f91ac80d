//! From the nodes of a graph to the steps of a plan.
//!
//! The graph has been checked: what does not fit here is a defect and said as such, never a panic. `layers` has an arm for
//! each operation; `windows` and `tables` compute which numbers of an input a place of the output looks at.

mod convolve;
mod fuse;
mod join;
mod layers;
mod products;
mod tables;
mod upsample;
mod windows;

use super::{
    rewrite::{Rewritten, rewrite},
    step::{Buffer, Place, Plan, PlanPort, Step, Tap},
    weights::Number,
};
use crate::{
    describe::{Graph, GraphValue, Node, Op, SlotId, ValueId},
    faults::{Code, Fault, Faults, Refused, quoted_str},
    kernels::{AXES, Kernel, Move, Precision},
    tensor::{DType, Tensor, count, packed_strides},
};
use std::sync::Arc;

/// A value: where it lies and its shape.
#[derive(Clone, Debug)]
struct Home {
    place: Place,
    shape: Vec<usize>,
    batched: bool,
}

impl Home {
    fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// How a kernel's output may be cut, and what a number costs.
#[derive(Clone, Copy)]
struct Work {
    grain: usize,
    cost: usize,
}

struct Compiler<'a> {
    graph: &'a Graph,
    plan: Plan,
    homes: Vec<Option<Home>>,
    uses: fuse::Uses,
    /// For each buffer the step that made it and the last that changed it.
    writers: Vec<Option<[usize; 2]>>,
    /// For each buffer the length of its last axis, as it was made.
    widths: Vec<usize>,
    /// Places that tables may still be made for.
    places: usize,
    /// Whether each layer has a value, for taps.
    keeps_layers: bool,
}

/// Most places of axes in all tables of a plan: some hundred MiB. A description may claim axes of any length.
const PLACES: usize = 1 << 24;

impl Plan {
    /// Compiles a graph, rewritten for the precision. Refused if it can not run: the order of running or a shape is not
    /// known.
    pub fn compile(graph: &Graph, precision: Precision, faults: &mut Faults) -> Result<Plan, Refused> {
        let Some(rewritten) = rewrite(graph, precision) else {
            return Plan::compile_as_it_is(graph, precision, faults);
        };
        let Rewritten { graph, folded, constants, derived, given } = rewritten;
        let mut plan = compile(&graph, &given, Some(&folded), precision, faults)?;
        plan.steps.iter_mut().for_each(|step| step.tap = None);
        (plan.constants, plan.derived, plan.is_rewritten) = (constants, derived, true);
        Ok(plan)
    }

    /// Compiles a graph so that each of its layers has a value, for taps. Refused as [`Plan::compile`].
    pub fn compile_as_it_is(graph: &Graph, precision: Precision, faults: &mut Faults) -> Result<Plan, Refused> {
        compile(graph, &[], None, precision, faults)
    }
}

/// Compiles a graph as it is; `given` values are the numbers of slots, `folded` names the layers that went into each node, if
/// some have: else each layer has a value.
fn compile(
    graph: &Graph,
    given: &[(ValueId, SlotId)],
    folded: Option<&[Vec<String>]>,
    precision: Precision,
    faults: &mut Faults,
) -> Result<Plan, Refused> {
    let mark = faults.mark();
    if !graph.runs {
        return Err(faults.refuse(Fault::new(
            Code::State,
            "the network is written as code: the order in which its layers run is not known, so it takes numbers but \
                 can not run; state it as a stack or a graph",
        )));
    }
    for (number, port) in graph.inputs.iter().enumerate() {
        if graph.values.get(port.value).is_none_or(|value| value.known().is_none()) {
            let remedy = match number {
                0 => "the shape of one example (`example`)",
                _ => "its shape in the description's own `inputs` (`example` is that of the first input)",
            };
            let name = quoted_str(&port.name);
            let message = format!("the shape of input \"{name}\" is not known in full: state {remedy}");
            faults.push(Fault::new(Code::Input, message).path(port.name.as_str()));
        }
    }
    faults.refused_since(mark)?;
    let mut compiler = Compiler {
        graph,
        plan: Plan {
            precision,
            steps: Vec::new(),
            buffers: Vec::new(),
            whole: Vec::new(),
            numbers: (0..graph.slots.len()).map(Number::Slot).collect(),
            constants: None,
            derived: Vec::new(),
            is_rewritten: false,
            inputs: Vec::new(),
            outputs: Vec::new(),
            scratch: 0,
        },
        homes: vec![None; graph.values.len()],
        uses: fuse::Uses::of(graph),
        writers: Vec::new(),
        widths: Vec::new(),
        places: PLACES,
        keeps_layers: folded.is_none(),
    };
    compiler.inputs();
    for &(value, slot) in given {
        let shape = graph.values.get(value).and_then(GraphValue::known).unwrap_or_default();
        if let Some(home) = compiler.homes.get_mut(value) {
            *home = Some(Home { place: Place::Number(slot), shape, batched: false });
        }
    }
    for (number, node) in graph.nodes.iter().enumerate() {
        let first = compiler.plan.steps.len();
        if let Err(fault) = compiler.node(node) {
            return Err(faults.refuse(fault.path(node.name.as_str())));
        }
        for step in &mut compiler.plan.steps[first..] {
            step.layer.clone_from(&node.name);
        }
        if let (Some(step), Some(folded)) =
            (compiler.plan.steps[first..].last_mut(), folded.and_then(|folded| folded.get(number)))
        {
            step.folded.clone_from(folded);
        }
    }
    compiler.outputs().map_err(|fault| faults.refuse(fault))?;
    compiler.drop_unused();
    Ok(compiler.plan)
}

impl Compiler<'_> {
    fn inputs(&mut self) {
        for port in &self.graph.inputs {
            let value = &self.graph.values[port.value];
            let shape = value.known().unwrap_or_default();
            let each = shape.iter().product();
            let place = if value.dtype == DType::F32 {
                self.buffer(each, true, None, &port.name)
            } else {
                self.plan.whole.push(each);
                Place::Whole(self.plan.whole.len() - 1)
            };
            self.homes[port.value] = Some(Home { place, shape: shape.clone(), batched: true });
            let name = port.name.clone();
            self.plan.inputs.push(PlanPort { name, shape, dtype: value.dtype, place });
        }
    }

    fn node(&mut self, node: &Node) -> Result<(), Fault> {
        let name = quoted_str(&node.name);
        let unknown =
            || Fault::new(Code::Input, format!("layer \"{name}\": the shape it makes is not known: state `example`"));
        let made = self.graph.values.get(node.output).ok_or_else(|| broken(&name))?;
        let shape = made.known().ok_or_else(unknown)?;
        if count(&shape).is_none() {
            return Err(Fault::new(Code::Overflow, format!("layer \"{name}\" makes a value too large to count")));
        }
        let inputs: Option<Vec<Home>> = node.inputs.iter().map(|&value| self.home(value)).collect();
        let inputs = inputs.ok_or_else(|| broken(&name))?;
        let demanded = tables_of(&node.op, &inputs, &shape);
        self.places = self.places.checked_sub(demanded).ok_or_else(|| {
            let message = format!("layer \"{name}\" has axes too long to be laid out: {demanded} places in all");
            Fault::new(Code::Limit, message)
        })?;
        let before = self.plan.steps.len();
        let home = self.layer(node, &inputs, shape, made.batched).ok_or_else(|| broken(&name))?;
        if let Place::Whole(_) = home.place {
            self.homes[node.output] = Some(home);
            return Ok(());
        }
        let mut shape = vec![1];
        shape.extend(&home.shape);
        let tap = Some(Tap { layer: node.layer, place: home.place, shape, batched: home.batched });
        match self.plan.steps[before..].last_mut() {
            Some(step) => step.tap = tap,
            None => {
                let step = self.plan.steps.len();
                self.touch(home.place, step);
                self.push(None, vec![], 0, &home.shape, Work { grain: 1, cost: 0 });
                self.plan.steps[step].tap = tap;
            }
        }
        self.homes[node.output] = Some(home);
        Ok(())
    }

    /// Outputs live to the end; one that is the same for every example is written for each.
    fn outputs(&mut self) -> Result<(), Fault> {
        for port in &self.graph.outputs {
            let name = quoted_str(&port.name);
            let mut home = self.home(port.value).ok_or_else(|| broken(&name))?;
            if let Place::Whole(_) = home.place {
                let message = format!("output \"{name}\" would be an input of whole numbers given on as it is");
                return Err(Fault::new(Code::Unsupported, message).path(port.name.as_str()));
            }
            if !home.batched {
                let tables = vec![(0..home.count()).collect()];
                let kernel = Kernel::Move(Move { tables, fill: 0.0, each: 0 });
                let work = Work { grain: home.count(), cost: 1 };
                home = self.step(&port.name, kernel, vec![home.place], home.shape.clone(), true, work);
                if let Some(step) = self.plan.steps.last_mut() {
                    step.layer.clone_from(&port.name);
                }
            }
            if let Place::Buffer(buffer) = home.place {
                (self.plan.buffers[buffer].last, self.plan.buffers[buffer].port) = (None, true);
            }
            let name = port.name.clone();
            self.plan.outputs.push(PlanPort { name, shape: home.shape, dtype: DType::F32, place: home.place });
        }
        Ok(())
    }

    /// Forgets numbers that no step reads: weights that are packed, or were turned into others.
    fn drop_unused(&mut self) {
        let mut used = vec![false; self.plan.numbers.len()];
        let read = self.plan.steps.iter().flat_map(|step| &step.inputs);
        let seen = self.plan.steps.iter().filter_map(|step| step.tap.as_ref()).map(|tap| &tap.place);
        let given = self.plan.outputs.iter().map(|port| &port.place);
        for place in read.chain(seen).chain(given) {
            if let Place::Number(number) = *place {
                used[number] = true;
            }
        }
        let unused = self.plan.numbers.iter_mut().zip(used).filter(|(_, used)| !used);
        unused.for_each(|(number, _)| *number = Number::Unused);
    }

    fn home(&self, value: ValueId) -> Option<Home> {
        self.homes.get(value)?.clone()
    }

    fn buffer(&mut self, each: usize, batched: bool, first: Option<usize>, layer: &str) -> Place {
        let port = first.is_none();
        self.plan.buffers.push(Buffer { each, batched, port, first, last: first, layer: layer.into() });
        self.writers.push(None);
        self.widths.push(1);
        Place::Buffer(self.plan.buffers.len() - 1)
    }

    /// Keeps what lies at a place until a step is done.
    fn touch(&mut self, place: Place, step: usize) {
        if let Place::Buffer(buffer) = place {
            self.plan.buffers[buffer].last = Some(step);
        }
    }

    /// Adds a step that makes a new value.
    fn step(
        &mut self,
        layer: &str,
        kernel: Kernel,
        inputs: Vec<Place>,
        shape: Vec<usize>,
        batched: bool,
        work: Work,
    ) -> Home {
        let place = self.buffer(shape.iter().product(), batched, Some(self.plan.steps.len()), layer);
        if let Some(width) = self.widths.last_mut() {
            *width = shape.last().copied().unwrap_or(1);
        }
        let home = Home { place, shape, batched };
        self.step_into(&home, kernel, inputs, work);
        home
    }

    /// Adds a step that goes on writing a value.
    fn step_into(&mut self, home: &Home, kernel: Kernel, inputs: Vec<Place>, work: Work) {
        let step = self.plan.steps.len();
        for &place in inputs.iter().chain([&home.place]) {
            self.touch(place, step);
        }
        let scratch = match &kernel {
            Kernel::Conv(conv) => conv.scratch(),
            Kernel::Panels(panels) => panels.scratch(),
            Kernel::Winograd(winograd) => winograd.scratch(),
            _ => 0,
        };
        self.plan.scratch = self.plan.scratch.max(scratch);
        let Place::Buffer(output) = home.place else { return };
        self.writers[output] = Some([self.writers[output].map_or(step, |[first, _]| first), step]);
        self.push(Some(kernel), inputs, output, &home.shape, work);
    }

    fn push(
        &mut self,
        kernel: Option<Kernel>,
        inputs: Vec<Place>,
        output: usize,
        shape: &[usize],
        Work { grain, cost }: Work,
    ) {
        self.plan.steps.push(Step {
            kernel: kernel.map(Arc::new),
            inputs,
            output,
            layer: String::new(),
            shape: shape.to_vec(),
            grain: grain.max(1),
            cost,
            after: vec![],
            joined: false,
            within: false,
            tap: None,
            folded: vec![],
        });
    }

    fn number(&mut self, number: Number) -> Place {
        self.plan.numbers.push(number);
        Place::Number(self.plan.numbers.len() - 1)
    }

    fn constant(&mut self, shape: &[usize], values: &[f32]) -> Option<Place> {
        (count(shape)? == values.len()).then_some(())?;
        let tensor = Tensor::filled_f32(shape.to_vec(), |to| to.copy_from_slice(values))?;
        Some(self.number(Number::Given(tensor)))
    }
}

/// Places that the tables of an operation may take.
fn tables_of(op: &Op, inputs: &[Home], shape: &[usize]) -> usize {
    let products = |lengths: &[usize]| lengths.iter().copied().fold(1, usize::saturating_mul);
    let sum = |shape: &[usize]| shape.iter().copied().fold(0, usize::saturating_add);
    match op {
        Op::MatMul => shape.iter().rev().skip(2).product(),
        Op::Reduce { .. } if inputs.iter().any(|input| input.shape.len() > AXES) => {
            inputs.iter().map(Home::count).sum()
        }
        Op::Conv(conv) => products(&conv.window.size).saturating_mul(conv.inputs.checked_div(conv.groups).unwrap_or(0)),
        Op::ConvTranspose { conv, .. } => {
            let phases = conv.window.stride.iter().zip(shape).map(|(&stride, &made)| stride.min(made));
            let seen = products(&conv.window.size).saturating_mul(conv.inputs.checked_div(conv.groups).unwrap_or(0));
            phases.fold(1, usize::saturating_mul).saturating_add(seen)
        }
        Op::Pool { .. }
        | Op::AdaptivePool { .. }
        | Op::GlobalPool { .. }
        | Op::Reduce { .. }
        | Op::Lrn { across: false, .. }
        | Op::Permute { .. }
        | Op::Slice { .. }
        | Op::Pad { .. }
        | Op::Upsample { .. } => inputs.iter().map(|input| sum(&input.shape)).fold(sum(shape), usize::saturating_add),
        _ => 0,
    }
}

/// An axis of one example, as the check of shapes has left it.
fn axis(resolved: i64, rank: usize) -> Option<usize> {
    usize::try_from(resolved).ok().filter(|&axis| axis < rank)
}

/// Numbers from one place of each axis to the next.
fn strides(shape: &[usize]) -> Vec<usize> {
    packed_strides(shape).into_iter().map(|stride| stride as usize).collect()
}

fn broken(name: &str) -> Fault {
    Fault::new(
        Code::Internal,
        format!(
            "layer \"{name}\" does not fit what the check of the description said of it; this is a defect of the library"
        ),
    )
}
