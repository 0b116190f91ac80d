//! Copies between strided and packed order.

/// Strides of packed rows, in elements, slowest axis first.
pub fn packed_strides(shape: &[usize]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis].saturating_mul(shape[axis].max(1) as i64);
    }
    strides
}

/// Calls `each` with the element offset (relative to the first element) of every element of a strided array, in packed
/// order, whole rows at a time: `each(offset of the row's first element, row length, row stride)`. Allocates nothing for
/// up to 32 axes.
pub fn gather(shape: &[usize], strides: &[i64], mut each: impl FnMut(i64, usize, i64)) {
    let Some((&row, outer)) = shape.split_last() else {
        return each(0, 1, 1);
    };
    if shape.contains(&0) {
        return;
    }
    let mut small = [0usize; 32];
    let mut large = Vec::new();
    let index = if outer.len() <= small.len() {
        &mut small[..outer.len()]
    } else {
        large.resize(outer.len(), 0);
        &mut large[..]
    };
    let stride = strides[outer.len()];
    let mut offset = 0i64;
    'rows: loop {
        each(offset, row, stride);
        for axis in (0..outer.len()).rev() {
            index[axis] += 1;
            offset += strides[axis];
            if index[axis] < outer[axis] {
                continue 'rows;
            }
            offset -= strides[axis] * outer[axis] as i64;
            index[axis] = 0;
        }
        return;
    }
}
