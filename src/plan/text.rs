//! A plan in words, for who wants to see what will run: a row for each step, and the memory they take.
//!
//! The text is for people and may gain columns; programs take the fields. Called by `pon_network_plan_text` and by
//! `pontil inspect --plan`.

use super::{Isa, Place, Plan, Precision, Step, Weights, lay_out};
use crate::{
    faults::{Code, Fault, Faults, Refused, quoted_str},
    kernels::Kernel,
    network::Network,
    tensor::shape_text,
};
use std::fmt::{self, Display, Formatter};

/// A network's plan, told.
#[derive(Clone, Debug)]
pub struct Told {
    /// In which precision sums are gathered.
    pub precision: Precision,
    /// The instruction set a session takes unless it is told another.
    pub isa: Isa,
    /// Layers of the network.
    pub layers: usize,
    /// The steps that run, in their order.
    pub rows: Vec<Row>,
    /// Bytes of the network's numbers as the steps read them, once for all sessions.
    pub weight_bytes: u64,
    /// Bytes of a session of one example and one thread.
    pub session_bytes: u64,
    /// Bytes of them that are working memory: each further thread takes so many again.
    pub working_bytes: u64,
}

/// A step, told.
#[derive(Clone, Debug)]
pub struct Row {
    /// The kind of kernel, in a word or two: `panels`, `winograd`, …
    pub kernel: String,
    /// The layer.
    pub layer: String,
    /// What it makes of one example.
    pub shape: Vec<usize>,
    /// Bytes of that.
    pub bytes: u64,
    /// Bytes of the network's numbers it reads.
    pub weight_bytes: u64,
    /// Layers and inputs whose values it takes.
    pub takes: Vec<String>,
    /// Layers whose work went into its numbers.
    pub folded: Vec<String>,
    /// What it does on the way: kernel and layer.
    pub then: Vec<[String; 2]>,
    /// Whether it changes a value where it lies.
    pub in_place: bool,
    /// The layer that joins what it makes with other values, where it writes it there itself.
    pub within: Option<String>,
}

impl Plan {
    /// Tells the plan of a network; refused as [`Plan::of`], or if there is no memory for the numbers, which are packed.
    pub fn told(network: &Network, precision: Precision, faults: &mut Faults) -> Result<Told, Refused> {
        let plan = Plan::of(network, precision, faults)?;
        let mut missing = || faults.refuse(Fault::new(Code::Memory, "There is no memory for the numbers of the plan."));
        let weights = Weights::prepared(network, precision).ok_or_else(&mut missing)?;
        let layout = lay_out(&plan, 1, 1).ok_or_else(&mut missing)?;
        let working = 4 * plan.scratch as u64;
        let whole = plan.whole.iter().map(|&each| 8 * each as u64).sum::<u64>();
        Ok(Told {
            precision,
            isa: Isa::best(),
            layers: network.graph().nodes.len(),
            rows: plan.steps.iter().filter(|step| step.runs()).map(|step| plan.row(step, &weights)).collect(),
            weight_bytes: weights.bytes(),
            session_bytes: 4 * layout.total as u64 + working + whole,
            working_bytes: working,
        })
    }

    fn row(&self, step: &Step, weights: &Weights) -> Row {
        let output = &self.buffers[step.output];
        let later = step.after.iter().map(|&later| &self.steps[later]);
        let all = || step.inputs.iter().chain(later.clone().flat_map(|later| &later.inputs));
        let named = |place: &Place| match *place {
            Place::Buffer(buffer) => Some(self.buffers[buffer].layer.clone()),
            Place::Whole(number) => {
                let port = self.inputs.iter().find(|port| port.place == Place::Whole(number));
                port.map(|port| port.name.clone())
            }
            Place::Number(_) => None,
        };
        let bytes = |place: &Place| match *place {
            Place::Number(number) => 4 * weights.numbers(number).len() as u64,
            _ => 0,
        };
        Row {
            kernel: step.name(),
            layer: step.layer.clone(),
            shape: step.shape.clone(),
            bytes: 4 * step.shape.iter().product::<usize>() as u64,
            weight_bytes: all().map(bytes).sum(),
            takes: all().filter_map(named).collect(),
            folded: step.folded.clone(),
            then: later.clone().map(|later| [later.name(), later.layer.clone()]).collect(),
            in_place: !step.within && self.changes(step),
            within: step.within.then(|| output.layer.clone()),
        }
    }

    /// Whether a step goes on writing a buffer that another has made.
    fn changes(&self, step: &Step) -> bool {
        let first = self.buffers[step.output].first.and_then(|first| self.steps.get(first));
        first.is_some_and(|first| !std::ptr::eq(first, step))
    }
}

impl Display for Told {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let precision = self.precision.name();
        let (steps, layers, isa) = (self.rows.len(), self.layers, self.isa.name());
        writeln!(f, "plan: {precision} precision, {steps} steps for {layers} layers, kernels for {isa}")?;
        let quoted = |name: &String| format!("'{}'", quoted_str(name));
        let list = |names: &[String]| names.iter().map(quoted).collect::<Vec<_>>().join(", ");
        let head = ["step", "kernel", "layer", "makes", "bytes", "numbers", "of"].map(str::to_owned);
        let cells = self.rows.iter().enumerate().map(|(number, row)| {
            let (shape, kernel) = (shape_text(&row.shape), row.kernel.clone());
            let [bytes, weights] = [row.bytes, row.weight_bytes].map(|bytes| bytes.to_string());
            [number.to_string(), kernel, quoted(&row.layer), shape, bytes, weights, list(&row.takes)]
        });
        let table: Vec<[String; 7]> = std::iter::once(head).chain(cells).collect();
        let width = |column: usize| {
            let longest = table.iter().map(|row| row[column].chars().count()).max();
            longest.unwrap_or(0).min(WIDEST)
        };
        let widths: [usize; 7] = std::array::from_fn(width);
        for (number, cells) in table.iter().enumerate() {
            let mut line = String::new();
            for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
                let cell = if RIGHT.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:width$}") };
                line.push_str("  ");
                line.push_str(&cell);
            }
            if let Some(row) = number.checked_sub(1).and_then(|number| self.rows.get(number)) {
                line.push_str(&row.more(&list));
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        let Told { weight_bytes, session_bytes, working_bytes, .. } = self;
        writeln!(f, "numbers: {weight_bytes} bytes, once for all sessions")?;
        write!(f, "session: {session_bytes} bytes for one example, {working_bytes} of them working memory of a thread")
    }
}

/// Longest cell that a column is made wide enough for.
const WIDEST: usize = 32;

/// Columns of numbers.
const RIGHT: [usize; 3] = [0, 4, 5];

impl Row {
    /// What it does beside its own work.
    fn more(&self, list: &dyn Fn(&[String]) -> String) -> String {
        let folded = (!self.folded.is_empty()).then(|| format!("with {} in its numbers", list(&self.folded)));
        let then =
            self.then.iter().map(|[kernel, layer]| format!("then {kernel} {}", list(std::slice::from_ref(layer))));
        let place = self.in_place.then(|| "in place".to_owned());
        let within = self.within.as_ref().map(|layer| format!("within {}", list(std::slice::from_ref(layer))));
        let parts: Vec<String> = place.into_iter().chain(folded).chain(then).chain(within).collect();
        if parts.is_empty() { String::new() } else { format!("  {}", parts.join(", ")) }
    }
}

impl Step {
    /// Whether it runs by itself, unless layers are looked at.
    fn runs(&self) -> bool {
        self.kernel.is_some() && !self.joined
    }

    /// The name of its kernel, or of the function of one that has several.
    fn name(&self) -> String {
        let name = match self.kernel.as_deref() {
            None => "",
            Some(Kernel::Panels(_)) => "panels",
            Some(Kernel::Dots(_)) => "dots",
            Some(Kernel::Direct(_)) => "direct",
            Some(Kernel::Winograd(_)) => "winograd",
            Some(Kernel::Depthwise(_)) => "depthwise",
            Some(Kernel::Border(_)) => "border",
            Some(Kernel::Affine(_)) => "affine",
            Some(Kernel::Dense(_)) => "dense",
            Some(Kernel::MatMul(_)) => "matmul",
            Some(Kernel::Conv(_)) => "unfold",
            Some(Kernel::Window(_)) => "window",
            Some(Kernel::Fold(fold)) => return first_word(&fold.what),
            Some(Kernel::BatchNorm(_)) => "batchnorm",
            Some(Kernel::LayerNorm(_)) => "layernorm",
            Some(Kernel::GroupNorm(_)) => "groupnorm",
            Some(Kernel::Lrn(_)) => "lrn",
            Some(Kernel::Along(along)) => return first_word(&along.what),
            Some(Kernel::Map(map)) => return first_word(&map.function),
            Some(Kernel::Binary(binary)) => return first_word(&binary.join),
            Some(Kernel::Select(_)) => "select",
            Some(Kernel::Move(_)) => "move",
            Some(Kernel::Join(_)) => "join",
            Some(Kernel::Linear(_)) => "linear",
            Some(Kernel::Embedding(_)) => "embedding",
        };
        name.to_owned()
    }
}

/// The name of a variant, in small letters.
fn first_word(variant: &dyn fmt::Debug) -> String {
    let name = format!("{variant:?}");
    name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase()
}
