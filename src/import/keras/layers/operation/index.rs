//! Parts of a value, as Python's brackets name them.

use super::super::{Row, sides::cut, stated};
use crate::{
    describe::{Op, lowering::plain},
    formats::json::Json,
    import::keras::{
        call::{Argument, Call},
        flow::Flow,
    },
};

pub(super) const ROWS: &[Row] = &[stated("GetItem", item)];

/// What stands between the brackets for one axis.
#[derive(Clone, Copy)]
enum Part {
    /// Places from one up to another.
    Run(Option<i64>, Option<i64>, usize),
    /// One place; the axis goes.
    Place(i64),
    /// A new axis of length 1.
    New,
    /// As many whole axes as there are left.
    Rest,
}

impl Part {
    const WHOLE: Part = Part::Run(None, None, 1);

    fn of(said: &Json) -> Option<Part> {
        match (said, said.get("class_name").and_then(Json::text)) {
            (Json::Null, _) => Some(Part::New),
            (Json::Int(place), _) => Some(Part::Place(*place)),
            (_, Some("__ellipsis__")) => Some(Part::Rest),
            (_, Some("__slice__")) => {
                let config = said.get("config")?;
                let bound = |key: &str| match config.get(key) {
                    None | Some(Json::Null) => Some(None),
                    Some(other) => other.int().map(Some),
                };
                let step = usize::try_from(bound("step")?.unwrap_or(1)).ok().filter(|&step| step > 0)?;
                Some(Part::Run(bound("start")?, bound("stop")?, step))
            }
            _ => None,
        }
    }

    fn is_whole(self) -> bool {
        matches!(self, Part::Run(None | Some(0), None, 1))
    }
}

fn item(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    call.done()?;
    let given = call.arguments()?;
    let [Argument::Value(flow), Argument::Stated(key)] = &given[..] else {
        return call.unsupported("it takes a part that no number of the file names");
    };
    let said = if let Json::List(items) = key { items } else { std::slice::from_ref(*key) };
    let parts: Option<Vec<Part>> = said.iter().map(Part::of).collect();
    let Some(mut parts) = parts else {
        return call
            .unsupported("parts are read that are slices of a step from 1 up, single places, '...' and new axes");
    };
    let named = parts.iter().filter(|part| matches!(part, Part::Run(..) | Part::Place(_))).count();
    let left = (flow.rank() - call.at.lead + 1).checked_sub(named);
    let (Some(left), true) = (left, parts.iter().filter(|part| matches!(part, Part::Rest)).count() <= 1) else {
        return call.unsupported("it names more axes than what reaches it has");
    };
    let rest = parts.iter().position(|part| matches!(part, Part::Rest));
    let at = rest.unwrap_or(parts.len());
    parts.splice(at..rest.map_or(at, |rest| rest + 1), std::iter::repeat_n(Part::WHOLE, left));
    let Some((_, parts)) = parts.split_first().filter(|(batch, _)| batch.is_whole()) else {
        return call.unsupported("it takes a part of the batch; examples are never mixed: write a bare ':' first");
    };
    taken(call, flow, parts)
}

/// The parts of a value, one for each axis of an example and each new one.
fn taken(call: &mut Call<'_, '_, '_>, flow: &Flow, parts: &[Part]) -> Option<Flow> {
    let mut flow = call.plain(flow);
    let mut axis = call.at.lead;
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    for part in parts {
        match *part {
            Part::New => {
                new.push((axis - gone.len() + new.len()) as i64 + 1);
                continue;
            }
            Part::Place(place) => {
                flow = cut(call, flow, axis, (place, (place != -1).then(|| place.saturating_add(1)), 1))?;
                gone.push(axis);
            }
            Part::Run(start, end, step) if !part.is_whole() => {
                flow = cut(call, flow, axis, (start.unwrap_or(0), end, step))?;
            }
            Part::Run(..) | Part::Rest => {}
        }
        axis += 1;
    }
    if !gone.is_empty() {
        let written = gone.iter().map(|&axis| axis as i64 + 1).collect();
        flow = call.make(&Op::Squeeze { axes: written }, &[&flow], plain(flow.rank() - gone.len()))?;
    }
    if !new.is_empty() {
        let rank = flow.rank() + new.len();
        flow = call.make(&Op::Unsqueeze { axes: new }, &[&flow], plain(rank))?;
    }
    if parts.iter().all(|part| part.is_whole()) { call.keep(&Op::Identity, &flow) } else { Some(flow) }
}
