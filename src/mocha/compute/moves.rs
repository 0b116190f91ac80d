//! Numbers chosen and moved, none made.

use crate::faults::{Code, Fault};
use crate::mocha::Blob;

/// A part of the last two axes from `[row, column]` on; turned round along the width if `mirror`. `shape` is what is made.
pub fn crop(x: &Blob, [top, left]: [usize; 2], mirror: bool, shape: &[usize]) -> Result<Blob, Fault> {
    let [_, _, height, width] = x.image();
    let mut made = Blob::noughts(shape)?;
    let [_, _, rows, columns] = made.image();
    for (place, to) in made.numbers.chunks_exact_mut(columns.max(1)).enumerate() {
        let (plane, row) = (place / rows, place % rows + top);
        let from = &x.numbers[(plane * height + row) * width + left..][..columns];
        to.copy_from_slice(from);
        if mirror {
            to.reverse();
        }
    }
    Ok(made)
}

/// Blobs joined along an axis. `shape` is what is made.
pub fn concat(blobs: &[&Blob], axis: usize, shape: &[usize]) -> Result<Blob, Fault> {
    let mut made = Blob::noughts(shape)?;
    let [_, length, behind] = made.cut(axis);
    let mut begins = 0;
    for blob in blobs {
        let run = blob.cut(axis)[1] * behind;
        let tos = made.numbers.chunks_exact_mut((length * behind).max(1));
        for (to, from) in tos.zip(blob.numbers.chunks_exact(run.max(1))) {
            to[begins..begins + run].copy_from_slice(from);
        }
        begins += run;
    }
    Ok(made)
}

/// The place of the first of the largest along an axis.
pub fn argmax(x: &Blob, axis: usize) -> Result<Blob, Fault> {
    let [before, length, behind] = x.cut(axis);
    let mut shape = x.shape.clone();
    shape[axis] = 1;
    let mut made = Blob::noughts(&shape)?;
    for (place, to) in made.numbers.iter_mut().enumerate() {
        let (first, last) = (place / behind, place % behind);
        debug_assert!(first < before);
        let number = |at: usize| x.numbers[(first * length + at) * behind + last];
        let winner = (1..length).fold(0, |best, at| if number(at) > number(best) { at } else { best });
        *to = winner as f64;
    }
    Ok(made)
}

/// One at the place that each number names along an axis.
pub fn onehot(x: &Blob, axis: usize, classes: usize) -> Result<Blob, Fault> {
    let [_, _, behind] = x.cut(axis);
    let mut shape = x.shape.clone();
    shape[axis] = classes;
    let mut made = Blob::noughts(&shape)?;
    for (place, number) in x.numbers.iter().enumerate() {
        let class = class(*number, classes)?;
        made.numbers[(place / behind * classes + class) * behind + place % behind] = 1.0;
    }
    Ok(made)
}

/// The class a number names, rounded to the nearest even.
pub fn class(number: f64, classes: usize) -> Result<usize, Fault> {
    let rounded = number.round_ties_even();
    match rounded >= 0.0 && rounded < classes as f64 {
        true => Ok(rounded as usize),
        false => {
            let message = format!("A label is {number}, and there are {classes} classes, counted from 0.");
            Err(Fault::new(Code::Value, message).argument("label", crate::faults::Argument::Real(number)))
        }
    }
}
