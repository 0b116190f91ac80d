//! The places of an axis that a slice takes, each as far from the one before: of constants that are computed, and of values.

/// Places of an axis.
#[derive(Debug, PartialEq)]
pub(super) struct Run {
    /// The first.
    pub(super) start: usize,
    /// How many.
    pub(super) count: usize,
    step: i64,
}

impl Run {
    /// Where a slice begins and ends on an axis of `length` places, and its step, as ONNX and NumPy count. None for a step of 0.
    pub(super) fn of(length: usize, [start, end, step]: [i64; 3]) -> Option<Run> {
        let length = i64::try_from(length).ok()?;
        let from_end = |place: i64| if place < 0 { place.saturating_add(length) } else { place };
        let (start, end) = (from_end(start), from_end(end));
        let (start, apart) = match step {
            0 => return None,
            _ if length == 0 => (0, 0),
            1.. => {
                let start = start.clamp(0, length);
                (start, end.clamp(0, length) - start)
            }
            _ => {
                let start = start.clamp(0, length - 1);
                (start, start - end.clamp(-1, length - 1))
            }
        };
        let count = u64::try_from(apart).unwrap_or(0).div_ceil(step.unsigned_abs());
        Some(Run { start: usize::try_from(start).ok()?, count: usize::try_from(count).ok()?, step })
    }

    /// All of them.
    pub(super) fn places(&self) -> Vec<usize> {
        let step = isize::try_from(self.step).unwrap_or(0);
        let next = |place: &usize| Some(place.saturating_add_signed(step));
        std::iter::successors(Some(self.start), next).take(self.count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Run;

    #[test]
    fn places_are_those_of_a_slice() {
        let places = |length, slice| Run::of(length, slice).map(|run| run.places());
        assert_eq!(places(5, [1, 4, 1]), Some(vec![1, 2, 3]));
        assert_eq!(places(5, [-4, i64::MAX, 3]), Some(vec![1, 4]));
        assert_eq!(places(5, [i64::MAX, i64::MIN, -2]), Some(vec![4, 2, 0]));
        assert_eq!(places(5, [3, 1, 1]), Some(vec![]));
        assert_eq!(places(0, [0, 1, -1]), Some(vec![]));
        assert_eq!(places(5, [0, 1, i64::MIN]), Some(vec![]));
        assert_eq!(places(5, [4, 0, i64::MIN]), Some(vec![4]));
        assert_eq!(places(5, [0, 5, 0]), None);
        let long = Run::of(1 << 40, [0, i64::MAX, 1]);
        assert_eq!(long, Some(Run { start: 0, count: 1 << 40, step: 1 }));
    }
}
