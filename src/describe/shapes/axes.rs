//! Axes by number: as written they count the batch as axis 0; what is left in an operation counts one example's from 0.

use super::{Lengths, Shaped, is};
use crate::describe::GraphValue;
use crate::describe::words::LONGEST;

/// Replaces an axis as written by one of an example of this rank. One counted from the end of an unknown rank stays negative.
pub(super) fn resolve(axis: &mut i64, rank: Option<usize>) -> Result<(), String> {
    let resolved = match (*axis, rank) {
        (1.., None) => Some(*axis - 1),
        (0, _) => None,
        (_, None) => Some(*axis),
        (1.., Some(rank)) => Some(*axis - 1).filter(|&axis| axis < rank as i64),
        (_, Some(rank)) => Some(*axis + rank as i64).filter(|&axis| axis >= 0),
    };
    *axis = resolved.ok_or_else(|| match *axis {
        0 => "an axis of one example, not the batch (axis 0)".to_owned(),
        axis => format!("an input that has axis {axis}"),
    })?;
    Ok(())
}

/// Replaces several, in order and each once.
fn resolve_all(axes: &mut Vec<i64>, rank: Option<usize>) -> Result<(), String> {
    axes.iter_mut().try_for_each(|axis| resolve(axis, rank))?;
    axes.sort_unstable();
    let count = axes.len();
    axes.dedup();
    if axes.len() == count { Ok(()) } else { Err("each axis once".into()) }
}

pub(super) fn concat(axis: &mut i64, inputs: &[&GraphValue]) -> Shaped {
    let mut known = inputs.iter().filter_map(|input| input.shape.as_ref());
    let Some(first) = known.next() else {
        resolve(axis, None)?;
        return Ok(None);
    };
    resolve(axis, Some(first.len()))?;
    let mut output = first.clone();
    for lengths in known {
        let others = output.iter().zip(lengths).enumerate();
        let fits = lengths.len() == output.len()
            && others.clone().all(|(i, (a, b))| i as i64 == *axis || b.is_none_or(|b| is(*a, b)));
        if !fits {
            return Err("inputs that differ in the length of the joined axis alone".into());
        }
        output = others
            .map(|(i, (a, b))| if i as i64 == *axis { a.zip(*b).and_then(|(a, b)| a.checked_add(b)) } else { a.or(*b) })
            .collect();
    }
    if inputs.iter().any(|input| input.shape.is_none()) {
        output[*axis as usize] = None;
    }
    Ok(Some(output))
}

pub(super) fn permute(axes: &mut Vec<i64>, input: Option<&Lengths>) -> Shaped {
    let rank = axes.len().saturating_sub(1);
    let takes = || format!("{rank} axes, and an order that keeps the batch, 0, first and names each once");
    let keeps_batch = axes.first().is_some_and(|&first| first == 0 || first == -(axes.len() as i64));
    if !keeps_batch || input.is_some_and(|lengths| lengths.len() != rank) {
        return Err(takes());
    }
    axes.remove(0);
    axes.iter_mut().try_for_each(|axis| resolve(axis, Some(rank)))?;
    let mut seen = vec![false; rank];
    if axes.iter().any(|&axis| std::mem::replace(&mut seen[axis as usize], true)) {
        return Err(takes());
    }
    Ok(input.map(|lengths| axes.iter().map(|&axis| lengths[axis as usize]).collect()))
}

pub(super) fn flatten(start: &mut i64, end: &mut i64, input: Option<&Lengths>) -> Shaped {
    resolve(start, input.map(Vec::len))?;
    resolve(end, input.map(Vec::len))?;
    let Some(lengths) = input else { return Ok((*start == 0 && *end == -1).then(|| vec![None])) };
    if start > end {
        return Err(format!("a start that is not after its end (axes {start} and {end} of one example)"));
    }
    let (from, to) = (*start as usize, *end as usize);
    let joined = product(&lengths[from..=to])?;
    Ok(Some([&lengths[..from], &[joined], &lengths[to + 1..]].concat()))
}

/// The product of lengths, none if one is free.
fn product(lengths: &[Option<usize>]) -> Result<Option<usize>, String> {
    let Some(lengths) = lengths.iter().copied().collect::<Option<Vec<usize>>>() else { return Ok(None) };
    let count = crate::tensor::count(&lengths).filter(|&count| count as u64 <= LONGEST as u64);
    count.map(Some).ok_or_else(|| format!("at most {LONGEST} numbers in one example"))
}

pub(super) fn reshape(each: &mut [i64], input: Option<&Lengths>) -> Shaped {
    let stated: Lengths = each.iter().map(|&length| usize::try_from(length).ok()).collect();
    let known: Lengths = stated.iter().copied().filter(Option::is_some).collect();
    let stated_count = product(&known)?.unwrap_or(1);
    let count = match input {
        Some(lengths) => product(lengths)?,
        None => None,
    };
    let Some(count) = count else { return Ok(Some(stated)) };
    let Some(open) = each.iter().position(|&length| length == -1) else {
        return if count == stated_count {
            Ok(Some(stated))
        } else {
            Err(format!("{stated_count} numbers in one example"))
        };
    };
    if stated_count == 0 || count % stated_count != 0 || count == 0 {
        return Err(format!("a multiple of {stated_count} numbers in one example"));
    }
    each[open] = (count / stated_count) as i64;
    let mut lengths = stated;
    lengths[open] = Some(count / stated_count);
    Ok(Some(lengths))
}

pub(super) fn squeeze(axes: &mut Vec<i64>, input: Option<&Lengths>) -> Shaped {
    let Some(lengths) = input else {
        resolve_all(axes, None)?;
        return Ok(None);
    };
    if axes.is_empty() {
        if lengths.contains(&None) {
            return Ok(None);
        }
        *axes = (0..lengths.len() as i64).filter(|&axis| lengths[axis as usize] == Some(1)).collect();
    } else {
        resolve_all(axes, Some(lengths.len()))?;
    }
    if let Some(axis) = axes.iter().find(|&&axis| !is(lengths[axis as usize], 1)) {
        return Err(format!("a length of 1 on axis {axis} of one example"));
    }
    Ok(Some(without(lengths, axes)))
}

pub(super) fn unsqueeze(axes: &mut Vec<i64>, input: Option<&Lengths>) -> Shaped {
    let rank = input.map(|lengths| lengths.len() + axes.len());
    resolve_all(axes, rank)?;
    let Some(lengths) = input else { return Ok(None) };
    let mut output = lengths.clone();
    for &axis in axes.iter() {
        output.insert(axis as usize, Some(1));
    }
    Ok(Some(output))
}

pub(super) fn slice(
    axis: &mut i64,
    start: &mut i64,
    end: &mut Option<i64>,
    step: usize,
    input: Option<&Lengths>,
) -> Shaped {
    resolve(axis, input.map(Vec::len))?;
    let Some(lengths) = input else { return Ok(None) };
    let mut output = lengths.clone();
    output[*axis as usize] = match lengths[*axis as usize] {
        Some(length) => {
            let length = i64::try_from(length).unwrap_or(i64::MAX);
            let held = |place: i64| if place < 0 { place.saturating_add(length) } else { place }.clamp(0, length);
            *start = held(*start);
            let stop = held(end.unwrap_or(length));
            *end = Some(stop);
            if stop <= *start {
                return Err(format!("an axis {axis} of one example with a place in that range"));
            }
            Some(((stop - *start) as usize).div_ceil(step))
        }
        None => None,
    };
    Ok(Some(output))
}

pub(super) fn reduce(axes: &mut Vec<i64>, keep: bool, input: Option<&Lengths>) -> Shaped {
    if axes.is_empty() {
        let Some(lengths) = input else { return Ok((!keep).then(Vec::new)) };
        *axes = (0..lengths.len() as i64).collect();
    } else {
        resolve_all(axes, input.map(Vec::len))?;
    }
    let Some(lengths) = input else { return Ok(None) };
    if !keep {
        return Ok(Some(without(lengths, axes)));
    }
    let mut output = lengths.clone();
    for &axis in axes.iter() {
        output[axis as usize] = Some(1);
    }
    Ok(Some(output))
}

fn without(lengths: &Lengths, axes: &[i64]) -> Lengths {
    let kept = lengths.iter().enumerate().filter(|(axis, _)| !axes.contains(&(*axis as i64)));
    kept.map(|(_, length)| *length).collect()
}
