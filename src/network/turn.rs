//! How a file keeps the numbers of a slot, and the way from there to the canonical layout and back.
//!
//! A turn is three steps, maybe followed by a further turn: cut some axes of the written shape into several, put the axes into
//! another order, join them to the slot's shape. A dense weight of PyTorch is `[out, in]` with its axes exchanged; where a flatten stands
//! before it, `in` is cut into `[channels, places]` first. Which turn a slot needs is decided by the layer that holds it,
//! never by the shape of what a file brings (`import::pytorch`).

use crate::tensor::{Tensor, gather, packed_strides};

/// The way from a written slot to the canonical one.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Shape as written.
    written: Vec<usize>,
    /// The written shape with axes cut; same count.
    cut: Vec<usize>,
    /// Axis `i` of the turned numbers is axis `axes[i]` of the cut ones.
    axes: Vec<usize>,
    /// Shape of the slot.
    shape: Vec<usize>,
    /// Why the order can not be told; then no numbers are taken.
    untold: Option<String>,
    /// A further turn, of the slot's own numbers.
    next: Option<Box<Turn>>,
}

impl Turn {
    /// The file keeps the slot as it is.
    pub fn none(shape: &[usize]) -> Turn {
        Turn::new(shape, shape, (0..shape.len()).collect(), shape)
    }

    /// `cut` holds the axes of `written`, some of them cut into several; `axes` orders them; `shape` joins them again.
    /// All three shapes hold the same count.
    pub fn new(written: &[usize], cut: &[usize], axes: Vec<usize>, shape: &[usize]) -> Turn {
        Turn { written: written.into(), cut: cut.into(), axes, shape: shape.into(), untold: None, next: None }
    }

    /// The same way to a slot of another shape, whose numbers lie in the same order.
    pub fn to(self, shape: &[usize]) -> Turn {
        match self.next {
            Some(next) => Turn { next: Some(Box::new(next.to(shape))), ..self },
            None => Turn { shape: shape.into(), ..self },
        }
    }

    /// This turn and then another, of numbers in the shape that this one makes.
    pub fn then(self, next: Turn) -> Turn {
        match self.next {
            Some(own) => Turn { next: Some(Box::new(own.then(next))), ..self },
            None => Turn { next: Some(Box::new(next)), ..self },
        }
    }

    /// A slot whose numbers can not be placed, and why: a half-sentence that follows `its order can not be told: `.
    pub fn untold(mut self, reason: impl Into<String>) -> Turn {
        self.untold = Some(reason.into());
        self
    }

    /// Why the order can not be told.
    pub fn reason(&self) -> Option<&str> {
        self.untold.as_deref().or_else(|| self.next.as_ref()?.reason())
    }

    /// Shape as written.
    pub fn written(&self) -> &[usize] {
        &self.written
    }

    /// Whether nothing moves.
    pub fn is_none(&self) -> bool {
        self.next.is_none() && self.written == self.shape && self.axes.iter().copied().eq(0..self.axes.len())
    }

    /// Packed singles in the written shape, turned. None if they are of another shape or memory can not be had.
    pub fn turn(&self, numbers: &Tensor) -> Option<Tensor> {
        let turned = self.moved(numbers, &self.written, &self.cut, &self.axes, &self.shape)?;
        match &self.next {
            Some(next) => next.turn(&turned),
            None => Some(turned),
        }
    }

    /// Packed singles in the slot's shape, as the file would have written them.
    pub fn turn_back(&self, numbers: &Tensor) -> Option<Tensor> {
        let cut: Vec<usize> = self.axes.iter().map(|&axis| self.cut[axis]).collect();
        let mut axes = vec![0; self.axes.len()];
        for (to, &from) in self.axes.iter().enumerate() {
            axes[from] = to;
        }
        let numbers = match &self.next {
            Some(next) => &next.turn_back(numbers)?,
            None => numbers,
        };
        self.moved(numbers, &self.shape, &cut, &axes, &self.written)
    }

    fn moved(&self, numbers: &Tensor, from: &[usize], cut: &[usize], axes: &[usize], to: &[usize]) -> Option<Tensor> {
        if numbers.shape() != from {
            return None;
        }
        if self.is_none() {
            return Some(numbers.clone());
        }
        let read = numbers.as_f32()?;
        let strides = packed_strides(cut);
        let shape: Vec<usize> = axes.iter().map(|&axis| cut[axis]).collect();
        let strides: Vec<i64> = axes.iter().map(|&axis| strides[axis]).collect();
        Tensor::filled_f32(to.into(), |out| match (&shape[..], &strides[..]) {
            (&[rows, columns], &[1, _]) => transpose(read, rows, columns, out),
            _ => {
                let mut rows = out.iter_mut();
                gather(&shape, &strides, |offset, length, stride| {
                    for (i, number) in rows.by_ref().take(length).enumerate() {
                        *number = read[(offset + i as i64 * stride) as usize];
                    }
                });
            }
        })
    }
}

/// `read` is `[columns, rows]`, `out` becomes `[rows, columns]`; square tiles keep both within the nearest cache.
fn transpose(read: &[f32], rows: usize, columns: usize, out: &mut [f32]) {
    const TILE: usize = 32;
    for top in (0..rows).step_by(TILE) {
        for left in (0..columns).step_by(TILE) {
            for row in top..rows.min(top + TILE) {
                for column in left..columns.min(left + TILE) {
                    out[row * columns + column] = read[column * rows + row];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(shape: &[usize]) -> Tensor {
        Tensor::filled_f32(shape.into(), |numbers| numbers.iter_mut().enumerate().for_each(|(i, n)| *n = i as f32))
            .unwrap()
    }

    fn both_ways(turn: &Turn, expected: &[f32]) {
        let numbers = count(turn.written());
        let turned = turn.turn(&numbers).unwrap();
        assert_eq!(turned.as_f32().unwrap(), expected);
        assert_eq!(turn.turn_back(&turned).unwrap().as_f32().unwrap(), numbers.as_f32().unwrap());
        assert!(turn.turn(&count(&[1, 1, 1, 1, 1])).is_none());
    }

    #[test]
    fn dense_and_flattened() {
        both_ways(&Turn::new(&[2, 3], &[2, 3], vec![1, 0], &[3, 2]), &[0., 3., 1., 4., 2., 5.]);
        let (rows, columns) = (37, 41);
        let expected: Vec<f32> = (0..columns).flat_map(|c| (0..rows).map(move |r| (r * columns + c) as f32)).collect();
        both_ways(&Turn::new(&[rows, columns], &[rows, columns], vec![1, 0], &[columns, rows]), &expected);
        // Two channels of three places: index p here is index (p mod 2)·3 + p div 2 there.
        both_ways(&Turn::new(&[6], &[2, 3], vec![1, 0], &[6]), &[0., 3., 1., 4., 2., 5.]);
        both_ways(&Turn::none(&[2, 2]), &[0., 1., 2., 3.]);
        // Put in another order, then another: the way back is the last one first.
        let twice =
            Turn::new(&[2, 3], &[2, 3], vec![1, 0], &[3, 2]).then(Turn::new(&[3, 2], &[3, 2], vec![1, 0], &[6]));
        both_ways(&twice, &[0., 1., 2., 3., 4., 5.]);
        // Its slot is the one that the last makes, and what that one can not tell is not told.
        let column = twice.clone().to(&[6, 1]);
        assert_eq!(column.turn(&count(&[2, 3])).unwrap().shape(), [6, 1]);
        both_ways(&column, &[0., 1., 2., 3., 4., 5.]);
        assert_eq!(twice.reason(), None);
        assert_eq!(Turn::none(&[6]).then(Turn::none(&[6]).untold("why")).reason(), Some("why"));
        both_ways(&Turn::new(&[0, 3], &[0, 3], vec![1, 0], &[3, 0]), &[]);
    }

    #[test]
    fn kernels() {
        // The vectors of PyTorch's [out, in, k…] to [k…, in, out].
        let one = Turn::new(&[2, 2, 2], &[2, 2, 2], vec![2, 1, 0], &[2, 2, 2]);
        both_ways(&one, &[0., 4., 2., 6., 1., 5., 3., 7.]);
        let three = Turn::new(&[1, 2, 1, 2, 2], &[1, 2, 1, 2, 2], vec![2, 3, 4, 1, 0], &[1, 2, 2, 2, 1]);
        both_ways(&three, &[0., 4., 1., 5., 2., 6., 3., 7.]);
    }
}
