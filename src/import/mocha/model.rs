//! HDF5 models: datasets `<layer>___<parameter>` at the root.

use super::{Wanted, fitted::fitted, path, root};
use crate::{
    describe::Graph,
    faults::{Faults, Refused, Text},
    formats::hdf5::{Dataset, File, SIGNATURE},
    import::{
        ImportOptions,
        format::{Format, Opened, Order, Read},
        listed::listed,
    },
    limits::Limits,
    network::{Entry, Listed, Turn},
    source::Source,
    tensor::Tensor,
};

/// The row of the table.
pub(in crate::import) struct Model;

/// What stands between a layer's name and its parameter's.
const BETWEEN: &[u8] = b"___";

impl Format for Model {
    fn name(&self) -> &'static str {
        "mocha"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        head.starts_with(SIGNATURE)
    }

    fn confirms(&self, source: &Source, _: &[u8], limits: &Limits) -> bool {
        let Some(root) = root(source, limits) else { return false };
        let members = root.members(&mut Faults::default());
        members.is_ok_and(|links| links.iter().any(|link| cut(&link.name).is_some()))
    }

    fn open(
        &self,
        source: &Source,
        options: &ImportOptions<'_>,
        faults: &mut Faults,
    ) -> Result<Box<dyn Opened>, Refused> {
        let mark = faults.mark();
        let root = File::open(source, &options.limits, faults)?.root(faults)?;
        let (mut entries, mut datasets) = (Vec::new(), Vec::new());
        for link in root.members(faults)? {
            let Some((layer, parameter)) = cut(&link.name) else { continue };
            let path = path(layer, parameter);
            let Ok(object) = root.open(link, faults) else { continue };
            let Some(dataset) = object.dataset() else { continue };
            let Some(listed) = listed(path, dataset) else { continue };
            entries.push(listed);
            datasets.push(dataset.clone());
        }
        faults.refused_since(mark)?;
        Ok(Box::new(Open { entries, datasets, wanted: Wanted::of(options) }))
    }
}

/// The layer and the parameter of a name; none if it is not of such a form.
fn cut(name: &Text) -> Option<(&[u8], &[u8])> {
    let bytes = name.as_bytes();
    let at = bytes.windows(BETWEEN.len()).rposition(|window| window == BETWEEN)?;
    let (layer, rest) = bytes.split_at(at);
    let parameter = rest.get(BETWEEN.len()..)?;
    (!layer.is_empty() && !parameter.is_empty()).then_some((layer, parameter))
}

struct Open {
    entries: Vec<Listed>,
    datasets: Vec<Dataset>,
    wanted: Wanted,
}

impl Opened for Open {
    fn entries(&self) -> &[Listed] {
        &self.entries
    }

    fn tensor(&self, index: usize, faults: &mut Faults) -> Result<Tensor, Refused> {
        self.datasets[index].tensor(faults)
    }

    fn fitted(
        &self,
        graph: &Graph,
        read: Read<'_>,
        faults: &mut Faults,
    ) -> Option<Result<Vec<(Entry, Turn)>, Refused>> {
        fitted(&self.wanted, graph, read, faults)
    }

    fn order(&self, _: &mut Faults) -> Result<Order, Refused> {
        Ok(Order::Pytorch)
    }
}
