//! Numbers by layers to the slots of a session's network.

use super::Wanted;
use crate::{
    describe::{
        Graph,
        mocha::{Kind, Net, Shapes, with_examples},
    },
    faults::{Faults, Refused},
    import::{format::Read, pytorch},
    mocha::{Fitted, fit},
    network::{Entry, Listed, Turn},
    tensor::DType,
};
use std::collections::{HashMap, HashSet};

/// The numbers of the slots of `graph`, each with its turn; none if the network is not in Mocha's words. Layers of one
/// parameter key share a slot, which has the numbers of the last of them, as in Mocha. A tied layer has the weight of its
/// encoder turned round.
pub(super) fn fitted(
    wanted: &Wanted,
    graph: &Graph,
    read: Read<'_>,
    faults: &mut Faults,
) -> Option<Result<Vec<(Entry, Turn)>, Refused>> {
    let description = wanted.network.as_ref()?;
    Some(Net::of(&with_examples(description, &wanted.ports), faults).and_then(|net| {
        let shaped = net.shapes(net.batch().unwrap_or(1), &Shapes::new(), faults)?;
        let layers: HashSet<&[u8]> = net.layers().iter().map(|layer| layer.name.as_bytes()).collect();
        let entries = read(&|listed| layer_of(listed).is_some_and(|layer| layers.contains(layer)), faults)?;
        let fitted = fit(&net, &shaped, &entries, DType::F32, faults)?;
        Ok(slots(&net, &fitted, graph))
    }))
}

/// The layer that an entry belongs to by its name.
fn layer_of(listed: &Listed) -> Option<&[u8]> {
    let path = listed.path.as_bytes();
    path.iter().rposition(|&byte| byte == b'.').and_then(|dot| path.get(..dot))
}

fn slots(net: &Net, fitted: &[Fitted], graph: &Graph) -> Vec<(Entry, Turn)> {
    let mut by_path: HashMap<String, Entry> = HashMap::new();
    let entry = |path: &str, one: &Fitted| Entry {
        path: path.into(),
        tensor: one.tensor.clone(),
        place: one.place.clone(),
        offset: one.offset,
    };
    for one in fitted {
        let Some(layer) = net.layers().get(one.layer) else { continue };
        let path = format!("{}.{}", layer.key, one.slot);
        by_path.insert(path.clone(), entry(&path, one));
    }
    for layer in net.layers() {
        let Kind::TiedInnerProduct { tied, .. } = &layer.kind else { continue };
        let path = format!("{}.weight", layer.key);
        let Some(encoder) = by_path.get(&format!("{tied}.weight")).cloned() else { continue };
        if let Some(tensor) = encoder.tensor.reversed().and_then(|turned| turned.to_packed()) {
            by_path.insert(path.clone(), Entry { path: path.as_str().into(), tensor, ..encoder });
        }
    }
    let turns = pytorch::kernels(graph);
    let slots = graph.slots.iter().zip(turns);
    slots.filter_map(|(slot, turn)| Some((by_path.remove(&slot.path)?, turn))).collect()
}
