//! Reshapes that join the batch with other axes, before it or behind it, or take it out again: attention does so with its heads.
//!
//! The numbers of one example keep their order only if those before the batch stay before it and those behind stay behind.

use super::super::call::Call;
use super::super::constant::Item;
use super::super::flow::Flow;
use crate::describe::Op;
use crate::tensor::count;

/// Where the batch stands in a shape, and the lengths around it.
struct Placed {
    at: usize,
    /// Lengths joined with the batch, before and behind it.
    pre: usize,
    post: usize,
    before: Vec<usize>,
    behind: Vec<usize>,
}

/// The value in the wanted shape; none if it does not keep the order, or lengths are not known.
pub(super) fn reshaped(call: &mut Call<'_, '_, '_>, flow: &Flow, wanted: &[Option<Item>]) -> Option<Flow> {
    let (order, first) = flow.unjoined();
    let lengths = flow.lengths();
    let lying = order.iter().map(|axis| lengths.get(*axis).copied().flatten()).collect::<Option<Vec<usize>>>()?;
    let (before, behind) = lying.split_at_checked(first)?;
    let sides = [count(before)?, count(behind)?];
    let batch = call.build.batch;
    let said = |item: &Option<Item>| matches!(item, Some(Item::Batch(_)));
    let mut places: Vec<usize> = (0..wanted.len()).filter(|place| wanted.get(*place).is_some_and(said)).collect();
    if places.is_empty() {
        let open = |place: &usize| wanted.get(*place).is_some_and(Option::is_none);
        places.extend((0..wanted.len()).filter(open));
        places.extend((0..wanted.len()).filter(|place| !open(place)));
    }
    let placed = places.into_iter().find_map(|at| placed(wanted, at, sides, batch))?;
    let joined: Vec<usize> = [placed.pre, placed.post].into_iter().filter(|length| *length > 1).collect();
    let (merged, pre) = (joined.len(), usize::from(placed.pre > 1));
    let each = [&placed.before[..], &joined, &placed.behind].concat();
    let each = each.iter().map(|length| i64::try_from(*length).ok()).collect::<Option<Vec<i64>>>()?;
    let rest = merged + placed.before.len();
    let names = (merged..rest).chain(0..merged).chain(rest..each.len()).collect();
    let turned = call.turn(flow, &order);
    let made = call.make(&Op::Reshape { each }, &[&turned], names)?;
    Some(Flow { at: placed.at, merged, pre, ..made })
}

/// The shape with the batch on axis `at`, if `sides`, the numbers before and behind the batch, allow it.
fn placed(wanted: &[Option<Item>], at: usize, sides: [usize; 2], batch: Option<usize>) -> Option<Placed> {
    let whole = |length: f64| (length >= 1.0 && length.fract() == 0.0).then_some(length as usize);
    let divided = |number: usize, by: usize| (by > 0 && number.is_multiple_of(by)).then(|| number / by);
    let joined = match wanted.get(at)? {
        None => None,
        Some(Item::Batch(times)) => Some(whole(*times)?),
        Some(Item::Known(length)) => Some(divided(whole(*length)?, batch?)?),
        Some(Item::Unknown) => return None,
    };
    let (mut known, mut open) = ([1usize, 1], None);
    let mut lengths = Vec::new();
    for (place, item) in wanted.iter().enumerate().filter(|(place, _)| *place != at) {
        let side = usize::from(place > at);
        match item {
            None => open = Some((lengths.len(), side)),
            Some(Item::Known(length)) => known[side] = known[side].checked_mul(whole(*length)?)?,
            _ => return None,
        }
        lengths.push(match item {
            Some(Item::Known(length)) => whole(*length)?,
            _ => 1,
        });
    }
    // Of the side with an open length the joined part follows from the other's.
    let mut parts = [divided(sides[0], known[0])?, divided(sides[1], known[1])?];
    if let Some((place, side)) = open {
        let own = divided(joined?, parts[1 - side])?;
        *lengths.get_mut(place)? = divided(parts[side], own)?;
        parts[side] = own;
    }
    let fits = joined.is_none_or(|joined| parts[0].checked_mul(parts[1]) == Some(joined));
    let (before, behind) = lengths.split_at_checked(at)?;
    fits.then(|| Placed { at, pre: parts[0], post: parts[1], before: before.to_vec(), behind: behind.to_vec() })
}
