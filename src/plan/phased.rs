//! The weights of a convolution as its kernel wants them: for each phase, group and panel of columns `[terms][columns]`, the
//! columns beyond the last filled up with noughts.

use crate::{
    kernels::{LANES, padded},
    tensor::Tensor,
};

/// How the panels of a convolution are made.
#[derive(Clone, Debug)]
pub(super) struct Phased {
    /// Columns of a group.
    pub columns: usize,
    /// Groups of columns.
    pub groups: usize,
    /// Channels in of a group.
    pub ins: usize,
    /// Whether the weights lie `[k…, inputs, outputs/groups]`, else `[k…, inputs/groups, outputs]`.
    pub transposed: bool,
    /// For each phase the places of the window, by their numbers.
    pub phases: Vec<Vec<usize>>,
}

impl Phased {
    /// The panels of `weight`; none if memory can not be had, or if it has fewer places. An output that is shorter than the
    /// stride leaves places of the window unused.
    pub fn of(&self, weight: &Tensor) -> Option<Tensor> {
        let (from, padded) = (weight.as_f32()?, padded(self.columns));
        let terms = self.phases.iter().map(Vec::len).sum::<usize>().checked_mul(self.ins)?;
        let size = terms.checked_mul(padded)?.checked_mul(self.groups)?;
        let taps = self.phases.iter().flatten().max().map_or(0, |last| last + 1);
        let needed = taps.checked_mul(self.ins)?.checked_mul(self.columns)?.checked_mul(self.groups)?;
        (from.len() >= needed).then_some(())?;
        Tensor::filled_f32(vec![size], |to| {
            let mut rest = to;
            for taps in &self.phases {
                for group in 0..self.groups {
                    for first in (0..self.columns).step_by(LANES) {
                        let width = LANES.min(padded - first);
                        let (panel, later) = std::mem::take(&mut rest).split_at_mut(taps.len() * self.ins * width);
                        self.panel(from, taps, [group, first], panel.chunks_exact_mut(width));
                        rest = later;
                    }
                }
            }
        })
    }

    /// Fills the lines of a panel.
    fn panel<'a>(
        &self,
        from: &[f32],
        taps: &[usize],
        [group, first]: [usize; 2],
        lines: impl Iterator<Item = &'a mut [f32]>,
    ) {
        let rows = taps.iter().flat_map(|&tap| (0..self.ins).map(move |input| (tap, input)));
        let wanted = LANES.min(self.columns - first);
        for (to, (tap, input)) in lines.zip(rows) {
            let at = if self.transposed {
                ((tap * self.groups + group) * self.ins + input) * self.columns
            } else {
                ((tap * self.ins + input) * self.groups + group) * self.columns
            };
            to[..wanted].copy_from_slice(&from[at + first..][..wanted]);
        }
    }
}
