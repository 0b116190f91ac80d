//! A value of the network as PyTorch sees it, and how its axes lie in Pontil.

/// A value between layers.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// The layer or input of the lowered description that makes it.
    pub(super) name: String,
    /// Its axes; none if not even their number is known. Then they lie in PyTorch's order.
    pub(super) axes: Option<Axes>,
    /// Whether its first axis is that of the channels a layer over windows reads or makes.
    pub(super) image: bool,
}

/// The axes of one example.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axes {
    /// Axis `i` as it lies is PyTorch's axis `order[i]`, the batch left out.
    pub(super) order: Vec<usize>,
    /// Lengths in PyTorch's order; none where not known.
    pub(super) lengths: Vec<Option<usize>>,
}

impl Axes {
    /// Axes of known number in PyTorch's order.
    pub(super) fn plain(lengths: Vec<Option<usize>>) -> Axes {
        Axes { order: plain(lengths.len()), lengths }
    }

    /// Axes from their lengths as they lie.
    pub(super) fn lying(order: Vec<usize>, lying: &[Option<usize>]) -> Axes {
        let mut lengths = vec![None; order.len()];
        for (axis, length) in order.iter().zip(lying) {
            if let Some(place) = lengths.get_mut(*axis) {
                *place = *length;
            }
        }
        Axes { order, lengths }
    }

    /// How many axes.
    pub(super) fn rank(&self) -> usize {
        self.order.len()
    }

    /// The length of PyTorch's axis, if known.
    pub(super) fn length(&self, axis: usize) -> Option<usize> {
        self.lengths.get(axis).copied().flatten()
    }

    /// Where PyTorch's axis lies.
    pub(super) fn place(&self, axis: usize) -> usize {
        self.order.iter().position(|lying| *lying == axis).unwrap_or(axis)
    }

    /// Lengths as the axes lie.
    pub(super) fn as_lying(&self) -> Vec<Option<usize>> {
        self.order.iter().map(|axis| self.length(*axis)).collect()
    }
}

/// PyTorch's order of `rank` axes.
pub(super) fn plain(rank: usize) -> Vec<usize> {
    (0..rank).collect()
}

/// The order in which the first axis, the channels, lies last.
pub(super) fn channels_last(rank: usize) -> Vec<usize> {
    (1..rank).chain((rank > 0).then_some(0)).collect()
}
