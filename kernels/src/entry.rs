//! Which function runs a kernel: each is compiled by itself for each instruction set, and found once by who calls it.
//!
//! Dense layers of the standard precision come as [`Kernel::Panels`] and [`Kernel::Dots`], convolutions as [`Kernel::Direct`],
//! [`Kernel::Winograd`] and [`Kernel::Depthwise`] (as [`Kernel::Conv`] where they are too large for those), batch
//! normalisations as [`Kernel::Affine`]; those of the exact precision as [`Kernel::Dense`], [`Kernel::Conv`] and
//! [`Kernel::BatchNorm`].

use super::{
    Kernel, Part, affine, along, binary, border, conv, dense, depthwise, direct, dots, fold,
    isa::{Run, Vector},
    lrn, map, moves, norm, panels, select,
    sums::{Doubles, Singles},
    upsample, window, winograd,
};

/// A kernel's function before it is compiled.
pub trait Entry<V> {
    /// Runs a kernel of its kind, and leaves any other; to be inlined.
    fn run(kernel: &Kernel, part: Part<'_>);
}

/// A function that finds the function of a kernel, by kinds; `else` by another one.
macro_rules! table {
    ($(#[$doc:meta])* $name:ident { $($kind:ident $(if $guard:path)? => $run:expr),* $(,)? } else $other:expr) => {
        $(#[$doc])*
        pub fn $name<V: Vector>(kernel: &Kernel) -> Run {
            $({
                struct $kind;
                impl<V: Vector> Entry<V> for $kind {
                    #[inline(always)]
                    fn run(kernel: &Kernel, part: Part<'_>) {
                        if let Kernel::$kind(sizes) = kernel {
                            $run(sizes, part);
                        }
                    }
                }
                if matches!(kernel, Kernel::$kind(_sizes) $(if $guard(_sizes))?) {
                    return V::entry::<$kind>();
                }
            })*
            $other(kernel)
        }
    };
}

table! {
    /// That of the standard precision.
    standard {
        Panels => panels::panels::<V>,
        Dots => dots::dots::<V>,
        Direct => direct::direct::<V>,
        Winograd => winograd::winograd::<V>,
        Depthwise => depthwise::depthwise::<V>,
        Affine => affine::affine::<V>,
        Lrn if lrn::Lrn::is_across => lrn::across::<V>,
        Lrn => lrn::lrn::<V, Singles<V>>,
        MatMul => dense::matmul::<V, Singles<V>>,
        Conv => conv::conv::<V, Singles<V>>,
        Window => window::window::<V, Singles<V>>,
        LayerNorm => norm::layer_norm::<V, Singles<V>>,
        GroupNorm => norm::group_norm::<V, Singles<V>>,
        Along => along::along::<V, Singles<V>>,
        Map => map::map::<V, Singles<V>>,
        Linear => upsample::linear::<V, Singles<V>>,
    } else both::<V>
}

table! {
    /// That of the exact precision.
    exact {
        Dense => dense::dense::<V, Doubles<V>>,
        BatchNorm => norm::batch_norm::<V>,
        Lrn => lrn::lrn::<V, Doubles<V>>,
        MatMul => dense::matmul::<V, Doubles<V>>,
        Conv => conv::conv::<V, Doubles<V>>,
        Window => window::window::<V, Doubles<V>>,
        LayerNorm => norm::layer_norm::<V, Doubles<V>>,
        GroupNorm => norm::group_norm::<V, Doubles<V>>,
        Along => along::along::<V, Doubles<V>>,
        Map => map::map::<V, Doubles<V>>,
        Linear => upsample::linear::<V, Doubles<V>>,
    } else both::<V>
}

table! {
    /// That of a kernel that is the same in both precisions.
    both {
        Binary => binary::binary::<V>,
        Select => select::select::<V>,
        Fold => fold::fold::<V>,
        Border => border::border,
        Move => moves::moves,
        Join => moves::join,
        Embedding => moves::embedding,
    } else nothing
}

/// That of a kernel which the precision does not have: the plan makes none.
fn nothing(_: &Kernel) -> Run {
    |_, _| ()
}
