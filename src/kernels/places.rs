//! Where the windows of a convolution of each channel by itself start in its input.

/// Where the rows of places start in an input.
#[derive(Clone, Debug)]
pub struct Places {
    /// Places of one example, slowest axis first.
    pub counts: [usize; 3],
    /// Numbers of the input from one place to the next.
    pub steps: [usize; 3],
    /// Numbers of one example of the input.
    pub each: usize,
}

impl Places {
    /// Goes through the places from place `number` of all examples on.
    pub fn walk(&self, number: usize) -> Walk<'_> {
        let [a, b, c] = self.counts;
        if number == 0 {
            return Walk { places: self, example: 0, at: [0; 3] };
        }
        Walk { places: self, example: number / (a * b * c), at: [number / (b * c) % a, number / c % b, number % c] }
    }
}

/// A walk through [`Places`].
pub struct Walk<'a> {
    places: &'a Places,
    example: usize,
    at: [usize; 3],
}

impl Walk<'_> {
    /// Where the next place's row starts.
    #[inline(always)]
    pub fn next(&mut self) -> usize {
        let Places { counts, steps, each } = self.places;
        let start = self.example * each + self.at[0] * steps[0] + self.at[1] * steps[1] + self.at[2] * steps[2];
        for axis in [2, 1, 0] {
            self.at[axis] += 1;
            if self.at[axis] < counts[axis] {
                return start;
            }
            self.at[axis] = 0;
        }
        self.example += 1;
        start
    }
}
