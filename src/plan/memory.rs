//! Where each buffer lies in the one block of memory of a session: buffers that never live together share places.
//!
//! Inputs and outputs hold all examples of a run and share with nothing. The others hold as many as go through the steps at
//! a time: a batch runs in blocks, so that what one step writes is still near when the next reads it. Where threads divide the
//! examples of a run, each has what lies between for itself: a slot.

use super::{Buffer, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// Buffers start at multiples of so many singles: a line of the cache.
const LINE: usize = 16;

/// The places of all buffers for a number of examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// First single of each buffer.
    pub starts: Vec<usize>,
    /// Singles of the inputs and outputs, which come first.
    pub ports: usize,
    /// Singles in all.
    pub total: usize,
}

impl Layout {
    /// Singles of what lies between inputs and outputs: a slot.
    pub fn slot(&self) -> usize {
        self.total - self.ports
    }

    /// Singles in all, where what lies between inputs and outputs is there so many times; none if that can not be counted.
    pub fn with_slots(&self, slots: usize) -> Option<usize> {
        self.slot().checked_mul(slots)?.checked_add(self.ports)
    }
}

/// Bytes that what a block of examples writes should stay below: half the second cache.
const NEAR: usize = 256 << 10;

/// Lays the buffers of a plan out for runs of at most `max_batch` examples in blocks of at most `block`; none if that can
/// not be counted.
pub fn lay_out(plan: &Plan, max_batch: usize, block: usize) -> Option<Layout> {
    let mut room = Room::default();
    let mut starts = vec![0; plan.buffers.len()];
    for (number, buffer) in plan.buffers.iter().enumerate().filter(|(_, buffer)| buffer.port) {
        starts[number] = room.take(size(buffer, max_batch)?)?;
    }
    let ports = room.top;
    let (mut born, mut dying) = (vec![Vec::new(); plan.steps.len()], vec![Vec::new(); plan.steps.len()]);
    for (number, buffer) in plan.buffers.iter().enumerate().filter(|(_, buffer)| !buffer.port) {
        match buffer.first {
            None => starts[number] = room.take(size(buffer, block)?)?,
            Some(step) => born[step].push(number),
        }
        if let Some(step) = buffer.last {
            dying[step].push(number);
        }
    }
    for (born, dying) in born.iter().zip(&dying) {
        for &number in born {
            starts[number] = room.take(size(&plan.buffers[number], block)?)?;
        }
        for &number in dying {
            room.give(starts[number], size(&plan.buffers[number], block)?);
        }
    }
    Some(Layout { starts, ports, total: room.top })
}

/// How many examples go through the steps at a time: as many as keep near what they write, and more where the numbers of the
/// network, which every block reads again, weigh more than that.
pub fn block_of(plan: &Plan, weights: usize, max_batch: usize) -> usize {
    let inner = plan.buffers.iter().filter(|buffer| buffer.batched && !buffer.port);
    // Two neighbours of a chain live together.
    let each = inner.map(|buffer| buffer.each).max().unwrap_or(0).saturating_mul(8);
    (NEAR.max(weights) / each.max(1)).clamp(1, max_batch.max(1))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Precision;

    fn plan(buffers: Vec<Buffer>, steps: usize) -> Plan {
        let step = super::super::Step {
            kernel: None,
            inputs: vec![],
            output: 0,
            layer: String::new(),
            shape: vec![],
            grain: 1,
            cost: 0,
            after: vec![],
            joined: false,
            within: false,
            tap: None,
            folded: vec![],
        };
        Plan {
            precision: Precision::Standard,
            steps: vec![step; steps],
            buffers,
            whole: vec![],
            numbers: vec![],
            constants: None,
            derived: vec![],
            is_rewritten: false,
            inputs: vec![],
            outputs: vec![],
            scratch: 0,
        }
    }

    fn buffer(each: usize, first: Option<usize>, last: Option<usize>) -> Buffer {
        Buffer { each, batched: true, port: first.is_none(), first, last, layer: String::new() }
    }

    /// Lives that cross and stretches that touch, of many made-up plans.
    #[test]
    fn what_lives_together_lies_apart() {
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..200 {
            let steps = 1 + random(30);
            let buffers: Vec<Buffer> = (0..random(40))
                .map(|_| {
                    let first = random(steps);
                    let last = (random(4) > 0).then(|| first + random(steps - first));
                    buffer(random(100), (random(5) > 0).then_some(first), last)
                })
                .collect();
            let plan = plan(buffers, steps);
            let layout = lay_out(&plan, 3, 3).unwrap();
            let life =
                |buffer: &Buffer| (buffer.first.map_or(0, |step| step + 1), buffer.last.map_or(steps, |step| step + 1));
            for (i, a) in plan.buffers.iter().enumerate() {
                let (a_start, a_end) = (layout.starts[i], layout.starts[i] + a.each * 3);
                assert!(a_end <= layout.total || a.each == 0);
                for (j, b) in plan.buffers.iter().enumerate().take(i) {
                    let (b_start, b_end) = (layout.starts[j], layout.starts[j] + b.each * 3);
                    let together = life(a).0 <= life(b).1 && life(b).0 <= life(a).1;
                    let apart = a_end <= b_start || b_end <= a_start || a.each == 0 || b.each == 0;
                    assert!(!together || apart, "{a:?} at {a_start}, {b:?} at {b_start}");
                }
            }
        }
    }

    #[test]
    fn a_chain_takes_two_places() {
        let buffers = (0..50).map(|step| buffer(160, Some(step), Some(step + 1))).collect();
        assert_eq!(lay_out(&plan(buffers, 51), 1, 1).unwrap().total, 320);
        assert_eq!(lay_out(&plan(vec![buffer(2, Some(0), None)], 1), usize::MAX, usize::MAX), None);
    }
}
