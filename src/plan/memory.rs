//! Where each buffer lies in the one block of memory of a session: buffers that never live together share places.

use super::{Buffer, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// Buffers start at multiples of so many singles: a line of the cache.
const LINE: usize = 16;

/// The places of all buffers for a number of examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// First single of each buffer.
    pub starts: Vec<usize>,
    /// Singles in all.
    pub total: usize,
}

/// Lays the buffers of a plan out for at most `max_batch` examples; none if that can not be counted.
pub fn lay_out(plan: &Plan, max_batch: usize) -> Option<Layout> {
    let mut room = Room::default();
    let mut starts = vec![0; plan.buffers.len()];
    let (mut born, mut dying) = (vec![Vec::new(); plan.steps.len()], vec![Vec::new(); plan.steps.len()]);
    for (number, buffer) in plan.buffers.iter().enumerate() {
        match buffer.first {
            None => starts[number] = room.take(size(buffer, max_batch)?)?,
            Some(step) => born[step].push(number),
        }
        if let Some(step) = buffer.last {
            dying[step].push(number);
        }
    }
    for (born, dying) in born.iter().zip(&dying) {
        for &number in born {
            starts[number] = room.take(size(&plan.buffers[number], max_batch)?)?;
        }
        for &number in dying {
            room.give(starts[number], size(&plan.buffers[number], max_batch)?);
        }
    }
    Some(Layout { starts, total: room.top })
}

/// Singles a buffer takes, whole lines.
pub(super) fn size(buffer: &Buffer, max_batch: usize) -> Option<usize> {
    let count = buffer.each.checked_mul(if buffer.batched { max_batch } else { 1 })?;
    count.checked_next_multiple_of(LINE)
}

/// Free stretches below `top`, by start and by length; the shortest that fits is taken.
#[derive(Default)]
struct Room {
    top: usize,
    by_start: BTreeMap<usize, usize>,
    by_length: BTreeSet<(usize, usize)>,
}

impl Room {
    fn take(&mut self, length: usize) -> Option<usize> {
        if length == 0 {
            return Some(0);
        }
        if let Some(&(free, start)) = self.by_length.range((length, 0)..).next() {
            self.remove(start, free);
            self.insert(start + length, free - length);
            return Some(start);
        }
        let last = self.by_start.last_key_value().map(|(&start, &free)| (start, free));
        let start = match last.filter(|(start, free)| start + free == self.top) {
            Some((start, free)) => {
                self.remove(start, free);
                start
            }
            None => self.top,
        };
        self.top = start.checked_add(length)?;
        Some(start)
    }

    fn give(&mut self, mut start: usize, mut length: usize) {
        if length == 0 {
            return;
        }
        if let Some(&after) = self.by_start.get(&(start + length)) {
            self.remove(start + length, after);
            length += after;
        }
        if let Some((&before, &free)) = self.by_start.range(..start).next_back() {
            if before + free == start {
                self.remove(before, free);
                (start, length) = (before, length + free);
            }
        }
        self.insert(start, length);
    }

    fn insert(&mut self, start: usize, length: usize) {
        if length > 0 {
            self.by_start.insert(start, length);
            self.by_length.insert((length, start));
        }
    }

    fn remove(&mut self, start: usize, length: usize) {
        self.by_start.remove(&start);
        self.by_length.remove(&(length, start));
    }
}
