//! Arrays of doubles, walked by index: slow, and plainly right.

/// Numbers in packed rows.
#[derive(Clone, Debug)]
pub struct Array {
    pub shape: Vec<usize>,
    pub data: Vec<f64>,
}

impl Array {
    pub fn new(shape: &[usize], data: Vec<f64>) -> Array {
        assert_eq!(shape.iter().product::<usize>(), data.len());
        Array { shape: shape.to_vec(), data }
    }

    pub fn singles(shape: &[usize], data: &[f32]) -> Array {
        Array::new(shape, data.iter().map(|&x| f64::from(x)).collect())
    }

    /// Each number by its index.
    pub fn by(shape: &[usize], mut each: impl FnMut(&[usize]) -> f64) -> Array {
        let data = indices(shape).iter().map(|index| each(index)).collect();
        Array::new(shape, data)
    }

    pub fn at(&self, index: &[usize]) -> f64 {
        assert_eq!(index.len(), self.shape.len());
        let mut at = 0;
        for (i, length) in index.iter().zip(&self.shape) {
            assert!(i < length);
            at = at * length + i;
        }
        self.data[at]
    }

    /// As [`Array::at`] for an index that may lie outside.
    pub fn maybe(&self, index: &[i64]) -> Option<f64> {
        let inside = index.iter().zip(&self.shape).all(|(&i, &length)| i >= 0 && (i as usize) < length);
        inside.then(|| self.at(&index.iter().map(|&i| i as usize).collect::<Vec<_>>()))
    }

    /// Shapes broadcast from the last axes.
    pub fn broadcast(&self, index: &[usize]) -> f64 {
        let extra = index.len() - self.shape.len();
        let own: Vec<usize> =
            self.shape.iter().enumerate().map(|(i, &length)| if length == 1 { 0 } else { index[extra + i] }).collect();
        self.at(&own)
    }
}

/// All indices of a shape in packed order.
pub fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &length in shape {
        all = all.iter().flat_map(|index| (0..length).map(move |i| [index.as_slice(), &[i]].concat())).collect();
    }
    all
}

/// Numbers that look random, from −1 to 1.
pub struct Random(pub u64);

impl Random {
    pub fn number(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f32 / (1u64 << 23) as f32) - 1.0
    }

    pub fn numbers(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.number()).collect()
    }
}
