//! Numbers of a network, as the steps of a run read them.

use super::isa::LANES;
use bytemuck::{Pod, Zeroable};
use std::{fmt, sync::Arc};

/// Most numbers that are few.
const FEW: usize = 4096;

/// The numbers of one operand. Few are kept here once more: the way to those of a tensor takes longer than a small layer.
#[derive(Clone)]
pub struct Numbers(Kept);

#[derive(Clone)]
enum Kept {
    Few { lines: Vec<Line>, count: usize },
    Many(Arc<dyn AsRef<[f32]> + Send + Sync>),
}

/// Numbers that kernels may load aligned.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([f32; LANES]);

impl Numbers {
    /// Those that a tensor of the caller's holds, which is kept if they are many.
    pub fn of(tensor: impl AsRef<[f32]> + Send + Sync + 'static) -> Numbers {
        let numbers = tensor.as_ref();
        let count = numbers.len();
        if count > FEW {
            return Numbers(Kept::Many(Arc::new(tensor)));
        }
        let mut lines = vec![Line([0.0; LANES]); count.div_ceil(LANES)];
        bytemuck::cast_slice_mut(&mut lines)[..count].copy_from_slice(numbers);
        Numbers(Kept::Few { lines, count })
    }

    /// All of them.
    #[inline]
    pub fn all(&self) -> &[f32] {
        match &self.0 {
            Kept::Few { lines, count } => &bytemuck::must_cast_slice(lines)[..*count],
            Kept::Many(tensor) => (**tensor).as_ref(),
        }
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} numbers", self.all().len())
    }
}
