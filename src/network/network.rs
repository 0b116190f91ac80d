//! A description, its graph and its numbers, shared and immutable.

use super::{Entry, Turn, load};
use crate::{
    describe::{Description, Graph, SlotId},
    faults::{Code, Fault, Faults, Refused, quoted_str},
    limits::Limits,
    tensor::{Tensor, count},
};
use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

/// A network with its numbers. Cloning shares everything; nothing of it ever changes.
#[derive(Clone)]
pub struct Network(Arc<Inner>);

struct Inner {
    form: Arc<Form>,
    numbers: Vec<Tensor>,
    cache: Cache,
}

/// What networks that differ in their numbers alone have in common.
struct Form {
    description: Description,
    graph: Graph,
    /// How the file keeps the slots that the numbers came from; none: in the canonical layout.
    turns: Option<Vec<Turn>>,
}

type Kept = Arc<dyn Any + Send + Sync>;
type Cache = Mutex<HashMap<(TypeId, u64), Arc<OnceLock<Kept>>>>;

impl Network {
    /// A network of numbers in the canonical layout. `description` is in Pontil's words.
    pub fn build(
        description: &Description,
        entries: &[Entry],
        limits: &Limits,
        faults: &mut Faults,
    ) -> Result<Network, Refused> {
        let graph = Graph::of(description, limits, faults)?;
        let numbers = load(&graph.slots, &canonical(&graph), entries, faults)?;
        Ok(Network::new(Arc::new(Form { description: description.clone(), graph, turns: None }), numbers))
    }

    /// A network of numbers as a file keeps them; `turns` has one for each slot of `graph`, which is that of `description`.
    pub fn turned(
        description: Description,
        graph: Graph,
        turns: Vec<Turn>,
        entries: &[Entry],
        faults: &mut Faults,
    ) -> Result<Network, Refused> {
        let numbers = load(&graph.slots, &turns, entries, faults)?;
        Ok(Network::new(Arc::new(Form { description, graph, turns: Some(turns) }), numbers))
    }

    /// A network whose numbers are all nought, for work on shapes alone.
    pub fn zeroed(description: &Description, limits: &Limits, faults: &mut Faults) -> Result<Network, Refused> {
        let graph = Graph::of(description, limits, faults)?;
        let bytes = graph.slots.iter().fold(0u64, |sum, slot| {
            let count = count(&slot.shape).map_or(u64::MAX, |count| count as u64);
            sum.saturating_add(count.saturating_mul(4))
        });
        if bytes > limits.session_bytes {
            let most = limits.session_bytes;
            let message = format!("A network of {bytes} bytes of numbers; the limit `session_bytes` is {most}.");
            return Err(faults.refuse(Fault::new(Code::Limit, message)));
        }
        let mut numbers = Vec::with_capacity(graph.slots.len());
        for slot in &graph.slots {
            numbers.push(Tensor::filled_f32(slot.shape.clone(), |_| ()).ok_or_else(|| {
                let message = format!("'{}' has no room: there is no memory for it.", quoted_str(&slot.path));
                faults.refuse(Fault::new(Code::Memory, message).path(&slot.path))
            })?);
        }
        Ok(Network::new(Arc::new(Form { description: description.clone(), graph, turns: None }), numbers))
    }

    /// The same description with other numbers in the canonical layout, all or none. This one stays as it is.
    pub fn with(&self, entries: &[Entry], faults: &mut Faults) -> Result<Network, Refused> {
        let numbers = load(&self.graph().slots, &canonical(self.graph()), entries, faults)?;
        Ok(Network::new(self.0.form.clone(), numbers))
    }

    /// As [`Network::with`], of numbers as the file keeps them that this network came from.
    pub fn with_written(&self, entries: &[Entry], faults: &mut Faults) -> Result<Network, Refused> {
        let Some(turns) = &self.0.form.turns else { return self.with(entries, faults) };
        let numbers = load(&self.graph().slots, turns, entries, faults)?;
        Ok(Network::new(self.0.form.clone(), numbers))
    }

    fn new(form: Arc<Form>, numbers: Vec<Tensor>) -> Network {
        Network(Arc::new(Inner { form, numbers, cache: Cache::default() }))
    }

    /// The description, in Pontil's words.
    pub fn description(&self) -> &Description {
        &self.0.form.description
    }

    /// The checked description.
    pub fn graph(&self) -> &Graph {
        &self.0.form.graph
    }

    /// The numbers of a slot: packed, aligned singles in the canonical layout.
    pub fn number(&self, slot: SlotId) -> &Tensor {
        &self.0.numbers[slot]
    }

    /// The numbers of all slots, in their order.
    pub fn numbers(&self) -> &[Tensor] {
        &self.0.numbers
    }

    /// The numbers by path, in the canonical layout; shares them.
    pub fn entries(&self) -> Vec<Entry> {
        self.0.numbers.iter().enumerate().map(|(slot, numbers)| self.entry(slot, numbers.clone())).collect()
    }

    /// The numbers by path as the file keeps them that they came from, bit for bit; none if memory can not be had.
    pub fn written(&self) -> Option<Vec<Entry>> {
        let Some(turns) = &self.0.form.turns else { return Some(self.entries()) };
        let turned = turns.iter().zip(&self.0.numbers).enumerate();
        turned.map(|(slot, (turn, numbers))| Some(self.entry(slot, turn.turn_back(numbers)?))).collect()
    }

    /// Whether the numbers came from a file that keeps them in an order of its own.
    pub fn is_turned(&self) -> bool {
        self.0.form.turns.is_some()
    }

    fn entry(&self, slot: SlotId, tensor: Tensor) -> Entry {
        let path = &self.graph().slots[slot].path;
        Entry { path: path.into(), tensor, place: path.into(), offset: None }
    }

    /// Whether both come from one description by [`Network::with`]: a session of the one may go on with the other.
    pub fn same_plan(&self, other: &Network) -> bool {
        Arc::ptr_eq(&self.0.form, &other.0.form)
    }

    /// What `make` gave when it was first asked for with this key: kept as long as the network, made once whoever asks.
    pub fn cached<T: Any + Send + Sync>(&self, key: u64, make: impl FnOnce() -> T) -> Arc<T> {
        let cell = {
            let mut cache = self.0.cache.lock().unwrap_or_else(PoisonError::into_inner);
            cache.entry((TypeId::of::<T>(), key)).or_default().clone()
        };
        let kept = cell.get_or_init(|| Arc::new(make()));
        kept.clone().downcast().unwrap_or_else(|_| unreachable!("the key holds the type"))
    }
}

fn canonical(graph: &Graph) -> Vec<Turn> {
    graph.slots.iter().map(|slot| Turn::none(&slot.shape)).collect()
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({} layers, {} slots)", self.graph().nodes.len(), self.graph().slots.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::parse;

    #[test]
    fn noughts_beyond_the_limit_are_refused_and_not_held() {
        let layer = r#"{"kind":"dense","inputs":30000,"outputs":30000}"#;
        let text = format!(r#"{{"kind":"stack","layers":[{}]}}"#, [layer; 300].join(","));
        let (limits, mut faults) = (Limits::default(), Faults::default());
        let description = parse(text.as_bytes(), &limits, &mut faults).unwrap();
        let refused = Network::zeroed(&description, &limits, &mut faults).err().unwrap();
        assert_eq!(refused, Refused(Code::Limit));
        assert!(faults.text().contains("session_bytes"));
    }
}
