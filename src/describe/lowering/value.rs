//! A value of the network as its framework sees it, and how its axes lie in Pontil.

use crate::describe::Layout;

/// A value between layers.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    /// The layer or input of the lowered description that makes it.
    pub(crate) name: String,
    /// Its axes; none if not even their number is known. Then they lie in the framework's order.
    pub(crate) axes: Option<Axes>,
    /// Whether its first axis is that of the channels a layer over windows reads or makes.
    pub(crate) image: bool,
}

/// The axes of one example.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axes {
    /// Axis `i` as it lies is the framework's axis `order[i]`, the batch left out.
    pub(crate) order: Vec<usize>,
    /// Lengths in the framework's order; none where not known.
    pub(crate) lengths: Vec<Option<usize>>,
}

impl Axes {
    /// Axes of known number in the framework's order.
    pub(crate) fn plain(lengths: Vec<Option<usize>>) -> Axes {
        Axes { order: plain(lengths.len()), lengths }
    }

    /// Axes from their lengths as they lie.
    pub(crate) fn lying(order: Vec<usize>, lying: &[Option<usize>]) -> Axes {
        let mut lengths = vec![None; order.len()];
        for (axis, length) in order.iter().zip(lying) {
            if let Some(place) = lengths.get_mut(*axis) {
                *place = *length;
            }
        }
        Axes { order, lengths }
    }

    /// How many axes.
    pub(crate) fn rank(&self) -> usize {
        self.order.len()
    }

    /// The length of the framework's axis, if known.
    pub(crate) fn length(&self, axis: usize) -> Option<usize> {
        self.lengths.get(axis).copied().flatten()
    }

    /// Where the framework's axis lies.
    pub(crate) fn place(&self, axis: usize) -> usize {
        self.order.iter().position(|lying| *lying == axis).unwrap_or(axis)
    }

    /// Lengths as the axes lie.
    pub(crate) fn as_lying(&self) -> Vec<Option<usize>> {
        self.order.iter().map(|axis| self.length(*axis)).collect()
    }
}

/// The framework's order of `rank` axes.
pub(crate) fn plain(rank: usize) -> Vec<usize> {
    (0..rank).collect()
}

/// The order in which the first axis, the channels, lies last.
pub(crate) fn channels_last(rank: usize) -> Vec<usize> {
    (1..rank).chain((rank > 0).then_some(0)).collect()
}

/// What an axis is called once the axes `gone` are; none if it is one of them.
pub(crate) fn left(axis: usize, gone: &[usize]) -> Option<usize> {
    (!gone.contains(&axis)).then(|| axis - gone.iter().filter(|gone| **gone < axis).count())
}

/// The order in which axes lie once the axes `gone` are, each called by its new number.
pub(crate) fn without(order: &[usize], gone: &[usize]) -> Vec<usize> {
    order.iter().filter_map(|axis| left(*axis, gone)).collect()
}

/// The order in which the axes of a port lie, `channel` being that of its channels if a layer over windows has told it.
pub(crate) fn at_port(rank: usize, channel: Option<usize>, layout: Layout) -> Vec<usize> {
    let rest = |channel: usize| (0..rank).filter(move |axis| *axis != channel);
    match (channel.filter(|channel| *channel < rank), layout) {
        (Some(channel), Layout::ChannelsLast) => rest(channel).chain([channel]).collect(),
        (Some(channel), Layout::ChannelsFirst) => [channel].into_iter().chain(rest(channel)).collect(),
        _ => plain(rank),
    }
}
