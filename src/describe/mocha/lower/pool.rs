//! Pools of Mocha in PyTorch's words: over two axes, or along one.

use super::{Low, NetLayer, whole, wholes};
use crate::describe::{
    Value,
    mocha::kind::{Divisor, Pool},
};

/// One axis of a pool.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) length: usize,
    pub(super) windows: usize,
    pub(super) kernel: usize,
    pub(super) stride: usize,
    pub(super) pad: [usize; 2],
}

impl Side {
    /// Places before and after (fewer than none: taken away) with which the windows fill the axis.
    fn around(&self) -> [i64; 2] {
        let spanned = (self.windows.saturating_sub(1)).saturating_mul(self.stride).saturating_add(self.kernel);
        let before = self.pad[0] as i64;
        [before, spanned as i64 - before - self.length as i64]
    }
}

impl Low<'_> {
    /// A pool along one axis: those before it are taken as channels, those behind it as the width.
    pub(super) fn pool_along(
        &mut self,
        of: &NetLayer,
        from: String,
        shape: &[usize],
        axis: usize,
        along: Side,
        pool: Pool,
    ) -> Result<String, String> {
        let product = |lengths: &[usize]| lengths.iter().product::<usize>();
        let (before, behind) = (product(&shape[1..axis]), product(&shape[axis + 1..]));
        let image = [before, along.length, behind];
        let windows = along.windows;
        let image = self.put_beside(of, "reshape", vec![("each", wholes(&image))], vec![from]);
        let whole = Side { length: behind, windows: behind, kernel: 1, stride: 1, pad: [0; 2] };
        let pooled = self.pool(of, image, [along, whole], pool)?;
        let mut each = shape[1..].to_vec();
        each[axis - 1] = windows;
        Ok(self.put_beside(of, "reshape", vec![("each", wholes(&each))], vec![pooled]))
    }

    /// A pool over two axes. What PyTorch can not say of borders is put around the image first.
    pub(super) fn pool(&mut self, of: &NetLayer, from: String, sides: [Side; 2], pool: Pool) -> Result<String, String> {
        let plain = sides.iter().all(|side| side.pad[0] == side.pad[1] && side.pad[0] <= side.kernel / 2);
        let (kind, mut arguments) = match pool {
            Pool::Max { ignore_nan: true, .. } => return Err("a session gives NaN on and passes none over".to_owned()),
            Pool::Max { .. } => ("MaxPool2d", Vec::new()),
            Pool::Mean(Divisor::Window) => {
                let places = sides[0].kernel.saturating_mul(sides[1].kernel);
                ("AvgPool2d", vec![("divisor_override", whole(places))])
            }
            Pool::Mean(_) if !plain => {
                return Err(
                    "a border of more than half of the window needs the divisor `window` in a session".to_owned()
                );
            }
            Pool::Mean(divisor) => ("AvgPool2d", vec![("count_include_pad", Value::Bool(divisor == Divisor::Padded))]),
        };
        arguments.push(("kernel_size", wholes(&sides.map(|side| side.kernel))));
        arguments.push(("stride", wholes(&sides.map(|side| side.stride))));
        let from = match plain {
            true => {
                arguments.push(("padding", wholes(&sides.map(|side| side.pad[0]))));
                arguments.push(("ceil_mode", Value::Bool(true)));
                from
            }
            false => {
                let nothing = if kind == "MaxPool2d" { f64::from(f32::MIN) } else { 0.0 };
                let pads = [sides[1].around(), sides[0].around()].concat();
                let pads = Value::List(pads.into_iter().map(Value::Int).collect());
                self.put_beside(of, "pad", vec![("pad", pads), ("value", Value::Real(nothing))], vec![from])
            }
        };
        Ok(self.put(of, kind, arguments, vec![from]))
    }
}
