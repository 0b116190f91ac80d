//! The walk over a graph: nodes that only compute with constants are computed, all others become layers.

use super::attributes::Attributes;
use super::call::Call;
use super::constant::Constant;
use super::flow::Flow;
use super::fold;
use super::held::Held;
use super::lift::{Lifted, OWN};
use super::ops;
use super::ports;
use super::wiring::{Wiring, fault};
use crate::describe::lowering::Lowering;
use crate::describe::{Description, Form, Ports};
use crate::faults::{Code, Faults, Refused, quoted_str};
use crate::formats::onnx::{Data, Graph, Node};
use std::collections::{HashMap, HashSet};

/// What the graph's name for a value stands for.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Constant(Constant),
    Flow(Flow),
    /// What makes it was refused.
    Refused,
}

/// A graph that is becoming a description.
pub(super) struct Build<'a, 'f> {
    pub(super) data: &'a Data<'a>,
    pub(super) low: Lowering<'f>,
    /// Version of the operators.
    pub(super) opset: i64,
    /// The length of the batch, where the graph states one.
    pub(super) batch: Option<usize>,
    pub(super) held: Held,
    /// For each input the axis of one example that a layer over windows reads as channels.
    pub(super) hints: Vec<Option<usize>>,
    /// Numbers that may still be computed.
    pub(super) numbers: usize,
    /// Bytes that copies of the file's numbers may still take.
    pub(super) copies: usize,
    whole: &'a Whole<'a>,
    values: HashMap<&'a str, Given>,
    /// Nodes that have been dealt with.
    done: HashSet<usize>,
    /// Nodes whose rewrite does not hold.
    passed: HashSet<usize>,
}

/// A graph and what has been found out about it before it is walked.
pub(super) struct Whole<'a> {
    pub(super) graph: &'a Graph,
    pub(super) wiring: &'a Wiring,
    pub(super) lifts: &'a HashMap<usize, Lifted>,
    pub(super) data: &'a Data<'a>,
    /// The loss that takes the activation at its end over.
    pub(super) loss: Option<&'static str>,
}

/// Numbers that are computed at most: the shapes of a graph are few, and its weights are never copied here.
const NUMBERS: usize = 1 << 18;

/// How many times the bytes of the file copies of its numbers take at most: bytes with a scale become singles, and a weight that
/// several layers share may stand before each.
const COPIES: usize = 8;

/// A graph in Pontil's words.
pub(super) struct Built {
    pub(super) description: Description,
    pub(super) held: Held,
}

/// Makes layers of all that the outputs of a graph need, its ports as `ports` says. `known`: for each input the axis of one
/// example that is that of channels, as far as it is known before and as it is found.
pub(super) fn build(
    whole: &Whole<'_>,
    ports: &Ports,
    known: &mut Vec<Option<usize>>,
    faults: &mut Faults,
) -> Result<Built, Refused> {
    let mark = faults.mark();
    let mut own = Faults::default();
    let built = walked(whole, ports, known, &mut own);
    own.sort();
    faults.append(own);
    faults.refused_since(mark)?;
    Ok(built)
}

fn walked(whole: &Whole<'_>, ports: &Ports, known: &mut Vec<Option<usize>>, faults: &mut Faults) -> Built {
    let Whole { graph, wiring, data, .. } = *whole;
    let mut values = constants(graph, data, faults);
    let inputs = ports::named(graph);
    let names = inputs.iter().map(|port| port.name.clone());
    let taken: HashSet<String> = names.chain(wiring.names.iter().cloned()).collect();
    let mut described = Vec::new();
    for (number, port) in inputs.iter().enumerate() {
        let hint = known.get(number).copied().flatten();
        let made = ports::input(port, number, hint, ports, faults);
        values.insert(&port.name, made.as_ref().map_or(Given::Refused, |(_, flow)| Given::Flow(flow.clone())));
        described.extend(made.map(|(input, _)| input));
    }
    if described.len() == inputs.len() {
        crate::describe::counted(&ports.examples, &described, faults);
    }
    let batch = ports::batch(&inputs, faults);
    let mut build = Build {
        data,
        low: Lowering::new(taken, faults),
        opset: data.model.opset().unwrap_or(1),
        batch,
        held: Held::new(&wiring.names),
        hints: vec![None; inputs.len()],
        numbers: NUMBERS + data.bytes() / 16,
        copies: data.bytes().saturating_mul(COPIES).saturating_add(NUMBERS),
        whole,
        values,
        done: HashSet::new(),
        passed: HashSet::new(),
    };
    let mut outputs = Vec::new();
    for port in &graph.outputs {
        build.demand(&port.name);
        let given = build.values.get(port.name.as_str()).cloned();
        outputs.extend(ports::output(port, given, ports.layout, whole.loss, &mut build));
    }
    let Build { low, held, hints, .. } = build;
    let description = Description { form: Form::Graph, inputs: described, layers: low.layers, outputs };
    *known = hints;
    Built { description, held }
}

/// The initialisers, where they lie.
fn constants<'a>(graph: &'a Graph, data: &Data<'_>, faults: &mut Faults) -> HashMap<&'a str, Given> {
    let mut values = HashMap::new();
    for stored in &graph.initialisers {
        let given = match data.tensor(stored, faults) {
            Ok(tensor) => Given::Constant(Constant::stored(tensor, Some(&stored.name))),
            Err(_) => Given::Refused,
        };
        values.insert(stored.name.as_str(), given);
    }
    values
}

impl<'a> Build<'a, '_> {
    /// Makes everything that a value needs, and it itself.
    fn demand(&mut self, value: &str) {
        let whole = self.whole;
        let mut stack: Vec<usize> = whole.wiring.makers.get(value).copied().into_iter().collect();
        while let Some(&number) = stack.last() {
            let (Some(plain), false) = (whole.graph.nodes.get(number), self.done.contains(&number)) else {
                stack.pop();
                continue;
            };
            let lifted = whole.lifts.get(&number).filter(|_| !self.passed.contains(&number));
            let node = lifted.map_or(plain, |lifted| &lifted.node);
            let waiting = stack.len();
            for input in &node.inputs {
                let maker = whole.wiring.makers.get(input.as_str());
                stack.extend(maker.filter(|maker| !self.done.contains(maker)));
            }
            if stack.len() > waiting {
                continue;
            }
            let first = node.inputs.first().and_then(|name| self.values.get(name.as_str()));
            if lifted.is_some_and(|lifted| !lifted.holds(first)) {
                self.passed.insert(number);
                continue;
            }
            if let Some(name) = whole.wiring.names.get(number) {
                self.node(node, number, name, whole.wiring);
            }
            self.done.insert(number);
            stack.pop();
        }
    }

    /// Computes a node or makes layers of it.
    fn node(&mut self, node: &'a Node, number: usize, name: &'a str, wiring: &Wiring) {
        let given: Vec<Option<Given>> =
            node.inputs.iter().map(|name| self.values.get(name.as_str()).cloned()).collect();
        let refused = given.iter().any(|given| matches!(given, Some(Given::Refused)));
        let mark = self.low.faults.mark();
        let made = match self.known(node, number) {
            Some(row) if !refused => self.made(node, number, name, given, row),
            _ => None,
        };
        if made.is_none() && !refused && self.low.faults.refused_since(mark).is_ok() {
            let what = "what reaches it does not fit it, or it wants lengths that are not known";
            self.low.faults.push(fault(node, number, Code::LayerShape, what));
        }
        let refused = made.is_none();
        let mut made = made.unwrap_or_default().into_iter();
        for (place, output) in node.outputs.iter().enumerate() {
            let given = made.next();
            if output.is_empty() {
                continue;
            }
            let used = wiring.uses.contains(output);
            if given.is_none() && used && place > 0 && !refused {
                let what = format!("its output {place} ('{}') is used, and only the first is made", quoted_str(output));
                self.low.faults.push(fault(node, number, Code::Unsupported, &what));
            }
            self.values.insert(output, given.unwrap_or(Given::Refused));
        }
    }

    /// The row of an operator; refused by name if there is none.
    fn known(&mut self, node: &Node, number: usize) -> Option<&'static ops::Row> {
        let lifted = node.domain == OWN;
        let found = if node.is_own() || lifted { ops::find(&node.op) } else { None };
        let fault = match found {
            _ if !node.is_own() && !lifted => {
                let domain = quoted_str(&node.domain);
                fault(node, number, Code::Unsupported, &format!("operators of the domain '{domain}' are not known"))
            }
            None => {
                let what = ops::why_not(&node.op);
                fault(node, number, Code::Unsupported, what)
            }
            Some(row) if row.since > self.opset && !lifted => {
                let what = format!(
                    "the operator is there since version {}, and the graph is of version {}",
                    row.since, self.opset
                );
                fault(node, number, Code::Unsupported, &what)
            }
            Some(row) => return Some(row),
        };
        self.low.faults.push(fault);
        None
    }

    fn made(
        &mut self,
        node: &'a Node,
        number: usize,
        name: &'a str,
        given: Vec<Option<Given>>,
        row: &'static ops::Row,
    ) -> Option<Vec<Given>> {
        let attributes = Attributes::of(node);
        let mut call = Call { node, number, attributes, build: self, given, name, more: Vec::new(), named: false };
        if let Some(folding) = fold::find(&node.op) {
            match fold::run(folding, &mut call) {
                fold::Folded::To(constants) => return Some(constants.into_iter().map(Given::Constant).collect()),
                fold::Folded::Refused => return None,
                fold::Folded::Not => call.attributes = Attributes::of(node),
            }
        }
        let Some(lower) = row.lower else {
            let what = "it is read where it can be computed from constants and shapes alone";
            return call.unsupported(what);
        };
        let first = lower(&mut call)?;
        let more = std::mem::take(&mut call.more);
        Some([first].into_iter().chain(more).map(Given::Flow).collect())
    }
}
