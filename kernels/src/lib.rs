//! What the processor computes: plain functions over slices, each with a small struct of sizes.
//!
//! The plan picks a kernel for each step; a session calls it ([`Call`]), compiled for the processor's instruction set
//! ([`Kernels`]), for parts of the output, in any split. A kernel therefore computes every number of its output by itself, in
//! an order that follows from its sizes alone. It may take for granted what the plan has made sure of: lengths fit, and no
//! output it is called for is empty. This crate is Pontil's own and nobody else's: sizes that do not fit are not looked at.

mod affine;
mod after;
mod along;
mod binary;
mod border;
mod boxes;
mod call;
mod conv;
mod dense;
mod depthwise;
mod direct;
mod dots;
mod entry;
mod fold;
mod function;
mod gemm;
mod isa;
mod lrn;
mod map;
mod memory;
mod moves;
mod norm;
mod numbers;
mod panels;
mod rows;
mod select;
mod sums;
mod tile;
mod unary;
mod upsample;
mod window;
mod winograd;

pub use affine::Affine;
pub use after::{After, Follow};
pub use along::{Along, Reach};
pub use binary::{Binary, Join as BinaryJoin, Spread};
pub use border::Border;
pub use call::{Call, Examples, Job, Operand, Ready, Stretch};
pub use conv::{Axis, Conv};
pub use dense::{Dense, MatMul};
pub use depthwise::Depthwise;
pub use direct::{Direct, Phase, padded};
pub use dots::Dots;
pub use fold::{Fold, Folded};
pub use isa::{Found, Isa, Kernels, LANES};
pub use lrn::{Lrn, Over};
pub use map::Map;
pub use memory::{Memory, Shared, Values};
pub use moves::{Embedding, FILLED, Join, Move};
pub use norm::{BatchNorm, GroupNorm, LayerNorm};
pub use numbers::Numbers;
pub use panels::Panels;
pub use rows::Rows;
pub use select::Select;
pub use unary::Unary;
pub use upsample::{Between, Linear};
pub use window::{AXES, Boxes, Span, Take, Window};
pub use winograd::{POINTS, TILE, Winograd, weights as transform};

/// In what precision sums are gathered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
pub enum Precision {
    /// Sums of singles in blocks.
    #[default]
    Standard = 0,
    /// Sums of doubles, rounded once.
    Exact = 1,
}

impl Precision {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Precision::Standard => "standard",
            Precision::Exact => "exact",
        }
    }
}

/// The kinds of steps.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Kernel {
    Panels(Panels),
    Dots(Dots),
    Direct(Direct),
    Winograd(Winograd),
    Depthwise(Depthwise),
    Border(Border),
    Affine(Affine),
    Dense(Dense),
    MatMul(MatMul),
    Conv(Conv),
    Window(Window),
    Fold(Fold),
    BatchNorm(BatchNorm),
    LayerNorm(LayerNorm),
    GroupNorm(GroupNorm),
    Lrn(Lrn),
    Along(Along),
    Map(Map),
    Binary(Binary),
    Select(Select),
    Move(Move),
    Join(Join),
    Linear(Linear),
    Embedding(Embedding),
}

impl Kernel {
    /// Lets it write its rows as parts of longer ones; false if it can not.
    pub fn put(&mut self, within: Rows) -> bool {
        let rows = match self {
            Kernel::Direct(sizes) => &mut sizes.rows,
            Kernel::Winograd(sizes) => &mut sizes.rows,
            Kernel::Depthwise(sizes) => &mut sizes.rows,
            Kernel::Window(sizes) => &mut sizes.rows,
            _ => return false,
        };
        *rows = within;
        true
    }

    /// Whether it does what follows on the way: [`Part::after`].
    pub fn takes_after(&self) -> bool {
        matches!(
            self,
            Kernel::Panels(_) | Kernel::Dots(_) | Kernel::Direct(_) | Kernel::Winograd(_) | Kernel::Depthwise(_)
        )
    }
}

/// A run of numbers of the output, and what they are computed from.
pub struct Part<'a> {
    /// The operands, as the kernel lists them; those with a batch hold all of it.
    pub inputs: &'a [&'a [f32]],
    /// Whole numbers, of a kernel that takes such.
    pub whole: &'a [i64],
    /// Number of the first number of `out` within the whole output.
    pub at: usize,
    /// Where the numbers go.
    pub out: &'a mut [f32],
    /// Working memory, as much as the plan says.
    pub scratch: &'a mut [f32],
    /// What follows, of a kernel that takes such.
    pub after: &'a [After<'a>],
}
