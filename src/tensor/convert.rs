//! Strided numbers of one element type as packed numbers of another, piece by piece: nothing is allocated.

use super::{
    DType, View,
    cast::{self, cast},
    gather,
};

/// Bytes of a piece: a whole number of numbers of every type.
const PIECE: usize = 1024;

/// Whether [`convert`] takes these types: equal ones of whole bytes; those of [`cast::can`]; into complex numbers real and
/// complex ones.
pub fn can(from: DType, to: DType) -> bool {
    if from == to {
        return from.size().is_some();
    }
    match (part(from), part(to)) {
        (None, None) => cast::can(from, to),
        (None, Some(to)) => cast::can(from, to),
        (Some(_), Some(_)) => true,
        (Some(_), None) => false,
    }
}

/// Hands the numbers of `from`, in packed order, to `take` as packed bytes of the type `to`, a piece at a time: rounded as by
/// [`cast()`], the imaginary part of a real number 0. Hands over nothing if [`can`] refuses the types.
pub fn convert(from: &View<'_>, to: DType, mut take: impl FnMut(&[u8])) {
    let (Some(size), Some(room), true) = (from.dtype.size(), to.size(), can(from.dtype, to)) else { return };
    let most = PIECE / size.max(room);
    let (mut held, mut out) = ([0u8; PIECE], [0u8; PIECE]);
    let mut pass = |numbers: &[u8], take: &mut dyn FnMut(&[u8])| {
        for numbers in numbers.chunks(most * size) {
            let out = &mut out[..numbers.len() / size * room];
            one_piece(from.dtype, numbers, to, out);
            take(out);
        }
    };
    let Some(strides) = from.strides else {
        let numbers = &from.bytes()[..from.count() * size];
        return if from.dtype == to { take(numbers) } else { pass(numbers, &mut take) };
    };
    let (first, bytes) = from.whole();
    let mut filled = 0;
    gather(from.shape, strides, |offset, length, stride| {
        for i in 0..length as i64 {
            let start = (first as i64 + offset + i * stride) as usize * size;
            held[filled..filled + size].copy_from_slice(&bytes[start..start + size]);
            filled += size;
            if filled == most * size {
                pass(&held[..filled], &mut take);
                filled = 0;
            }
        }
    });
    pass(&held[..filled], &mut take);
}

fn one_piece(from: DType, numbers: &[u8], to: DType, out: &mut [u8]) {
    match (part(from), part(to)) {
        _ if from == to => out.copy_from_slice(numbers),
        (Some(from), Some(to)) => cast(from, numbers, to, out),
        (None, Some(to)) => {
            let (Some(size), Some(room)) = (from.size(), to.size()) else { return };
            for (number, pair) in numbers.chunks_exact(size).zip(out.chunks_exact_mut(2 * room)) {
                let (real, imaginary) = pair.split_at_mut(room);
                cast(from, number, to, real);
                imaginary.fill(0);
            }
        }
        _ => cast(from, numbers, to, out),
    }
}

/// The type of the parts of a complex number.
fn part(dtype: DType) -> Option<DType> {
    match dtype {
        DType::C64 => Some(DType::F32),
        DType::C128 => Some(DType::F64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(from: &View<'_>, to: DType) -> Vec<u8> {
        let mut all = Vec::new();
        convert(from, to, |piece| all.extend_from_slice(piece));
        all
    }

    fn doubles(bytes: &[u8]) -> Vec<f64> {
        bytes.chunks_exact(8).map(|number| f64::from_le_bytes(number.try_into().unwrap())).collect()
    }

    #[test]
    fn strided_complex_and_long() {
        let numbers: Vec<f32> = (0..1000).map(|n| n as f32).collect();
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        let turned = View::new(DType::F32, &[20, 50], Some(&[1, 20]), 0, &bytes);
        let wide = doubles(&converted(&turned, DType::F64));
        assert_eq!((wide.len(), wide[1], wide[50], wide[999]), (1000, 20.0, 1.0, 999.0));
        let pairs = doubles(&converted(&View::of_f32(&[3], &[1., 2., 3.]), DType::C128));
        assert_eq!(pairs, [1., 0., 2., 0., 3., 0.]);
        let complex: Vec<u8> = [1f64, -2.0].iter().flat_map(|n| n.to_le_bytes()).collect();
        let singles = converted(&View::new(DType::C128, &[], None, 0, &complex), DType::C64);
        assert_eq!(singles, [1f32, -2.0].map(f32::to_le_bytes).concat());
        assert_eq!(
            converted(&turned, DType::F32),
            converted(&View::new(DType::F32, &[20, 50], Some(&[1, 20]), 0, &bytes), DType::F32)
        );
        assert!(!can(DType::C64, DType::F32) && !can(DType::F4, DType::F4) && can(DType::U8, DType::U8));
        assert!(converted(&turned, DType::F4).is_empty());
    }
}
