//! The inputs and outputs of a network in PyTorch's words, in the axis order the host wants.

use super::table::{self, Reads};
use crate::describe::lower::{Ports, fits, unlike};
use crate::describe::lowering::Lowering;
use crate::describe::lowering::{Axes, Value, channels_last, plain};
use crate::describe::{self, Description, Input, Layer, Layout, Output, Position};
use crate::tensor::DType;
use std::collections::{HashMap, HashSet};

/// Most inputs a description may name by using them.
const MOST: usize = 256;

/// What the layers that read a value show about its axes.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown<'a> {
    /// The first layer that is not indifferent, and what it reads.
    first: Option<(&'a Layer, Reads)>,
    /// Whether the value is joined to others on the way there, so that lengths tell nothing.
    joined: bool,
    /// Whether any such layer wants channels and window axes, so many if it says so.
    image: Option<Option<usize>>,
}

/// The inputs as written; if none are, those that the layers name: `input`, `input.1`, and so on.
pub(super) fn inputs(description: &Description) -> Vec<Input> {
    if !description.inputs.is_empty() {
        return description.inputs.clone();
    }
    let layers: HashSet<&str> = description.layers.iter().map(|layer| layer.name.as_str()).collect();
    let from = description.layers.iter().flat_map(|layer| &layer.from).map(String::as_str);
    let named: HashSet<&str> = from.filter(|name| !layers.contains(name)).collect();
    let names = (1..MOST).map(|number| format!("input.{number}")).filter(|name| named.contains(name.as_str()));
    let name = |name| Input { name, shape: None, dtype: DType::F32, position: Position::default() };
    [name("input".to_owned())].into_iter().chain(names.map(name)).collect()
}

/// An input as the lowered description has it, and its value.
pub(super) fn input(
    input: &Input,
    example: Option<&[usize]>,
    ports: &Ports,
    shown: Shown,
    low: &mut Lowering,
) -> (Input, Value) {
    let last = ports.layout == Layout::ChannelsLast;
    let order = |rank: usize| match shown.image {
        Some(windows) if last && windows.map_or(rank > 1, |windows| rank == windows + 1) => channels_last(rank),
        _ => plain(rank),
    };
    let stated = input.shape.clone().map(|lengths| Axes { order: order(lengths.len()), lengths });
    let given = example.map(|lengths| {
        let lengths: Vec<Option<usize>> = lengths.iter().copied().map(Some).collect();
        Axes::lying(order(lengths.len()), &lengths)
    });
    if let (Some(stated), Some(given)) = (&stated, &given) {
        if !fits(&stated.lengths, &given.lengths) {
            low.faults.push(unlike(input));
        }
    }
    let guessed = || {
        let lengths = guess(shown)?;
        Some(Axes { order: order(lengths.len()), lengths })
    };
    let axes = given.or(stated).or_else(guessed);
    let ids = matches!(shown.first, Some((_, Reads::Ids)));
    let dtype = if ids && input.dtype == DType::F32 { DType::I64 } else { input.dtype };
    let shape = axes.as_ref().map(Axes::as_lying);
    let port = Input { name: input.name.clone(), shape, dtype, position: input.position };
    (port, Value { name: input.name.clone(), axes, image: shown.image.is_some() })
}

/// What is shown about every value, told backwards through layers that are indifferent to the axes.
pub(super) fn shown<'a>(description: &'a Description, from: &[Vec<&'a str>]) -> HashMap<&'a str, Shown<'a>> {
    let mut values: HashMap<&str, Shown> = HashMap::new();
    for (layer, from) in description.layers.iter().zip(from).rev() {
        let told = match table::find(&layer.kind).map_or(Reads::Other, |row| row.reads) {
            Reads::Any => values.get(layer.name.as_str()).copied().unwrap_or_default(),
            Reads::Joined => Shown { joined: true, ..values.get(layer.name.as_str()).copied().unwrap_or_default() },
            reads => Shown {
                first: Some((layer, reads)),
                joined: false,
                image: match reads {
                    Reads::Windows(dims) => Some(Some(dims)),
                    Reads::Channels => Some(None),
                    _ => None,
                },
            },
        };
        for name in from {
            let value = values.entry(name).or_default();
            let (first, joined) =
                if told.first.is_some() { (told.first, told.joined) } else { (value.first, value.joined) };
            *value = Shown { first, joined, image: told.image.or(value.image) };
        }
    }
    values
}

/// The shape of one example as far as the layers that read it say it, in PyTorch's order.
fn guess(shown: Shown) -> Option<Vec<Option<usize>>> {
    let told = shown.first.filter(|_| !shown.joined).and_then(|(layer, reads)| by_layer(layer, reads));
    told.or_else(|| Some(vec![None; shown.image?? + 1]))
}

/// The shape of one example that a layer says.
fn by_layer(layer: &Layer, reads: Reads) -> Option<Vec<Option<usize>>> {
    let length = |keys: &[&str]| {
        let attribute = layer.attributes.iter().find(|attribute| keys.contains(&attribute.key.as_str()))?;
        match &attribute.value {
            describe::Value::Int(length) => usize::try_from(*length).ok().filter(|length| *length > 0),
            _ => None,
        }
    };
    match reads {
        Reads::Windows(dims) => {
            let channels = length(&["in_channels", "num_features"]);
            Some([channels].into_iter().chain(std::iter::repeat_n(None, dims)).collect())
        }
        Reads::Channels => length(&["num_features"]).map(|features| vec![Some(features)]),
        Reads::Ids => Some(vec![None]),
        Reads::Last => length(&["in_features"]).map(|features| vec![Some(features)]),
        _ => None,
    }
}

/// The outputs as written; if none are, the last layer as `output`.
pub(super) fn outputs(description: &Description) -> Vec<Output> {
    match description.layers.last() {
        Some(layer) if description.outputs.is_empty() => {
            vec![Output { name: "output".into(), from: layer.name.clone(), position: layer.position }]
        }
        _ => description.outputs.clone(),
    }
}

/// An output as the lowered description has it.
pub(super) fn output(output: &Output, value: &Value, layout: Layout, low: &mut Lowering) -> Output {
    let rank = value.axes.as_ref().map_or(0, Axes::rank);
    let order = if value.image && layout == Layout::ChannelsLast { channels_last(rank) } else { plain(rank) };
    let value = low.turn((&output.name, output.position), value, &order);
    Output { name: output.name.clone(), from: value.name, position: output.position }
}
