//! `Einsum` of one value or two: axes summed and put into another order, and products over the axes that both have.
//!
//! Every axis has a letter. Letters of both operands that the answer keeps are walked side by side, those it does not keep are
//! summed over: a product of matrices once the axes lie together, whose one side may be a constant, kept as the file has it.

use super::super::call::Call;
use super::super::constant::Constant;
use super::super::flow::Flow;
use super::super::held::Number;
use super::reduce::over;
use crate::describe::lowering::plain;
use crate::describe::{Op, ReduceKind};
use crate::faults::Code;
use crate::network::Turn;
use crate::tensor::count;

/// What an equation says: a letter for each axis of each operand and of the answer.
struct Equation {
    terms: Vec<Vec<char>>,
    answer: Vec<char>,
}

/// A value, the batch left out, with a letter for each axis of one example.
struct Side {
    flow: Flow,
    letters: Vec<char>,
}

pub(super) fn einsum(call: &mut Call<'_, '_, '_>) -> Option<Flow> {
    let text = call.attributes.text("equation", "");
    call.done()?;
    let ranks: Vec<usize> = (0..call.given.len()).map(|place| rank(call, place)).collect::<Option<_>>()?;
    let Some(equation) = read(text, &ranks) else {
        return call.refuse(Code::Attribute, "its equation does not say a letter for each axis of what reaches it");
    };
    let Equation { terms, answer } = equation;
    let twice = |letters: &Vec<char>| {
        letters.iter().enumerate().any(|(place, letter)| letters.iter().take(place).any(|before| before == letter))
    };
    if terms.iter().chain([&answer]).any(twice) {
        return call.unsupported("a letter that stands twice for one value takes a diagonal, which is not read");
    }
    match (call.constant(0), call.constant(1), &terms[..]) {
        (None, _, [term]) => alone(call, term, &answer),
        (None, None, [left, right]) => {
            let (batch, left) = side(call, 0, left, right, &answer)?;
            let (other, right) = side(call, 1, right, &left.letters, &answer)?;
            if batch != other {
                return call.unsupported("the batch of one value would meet another axis of the other");
            }
            let made = product(call, &left, &right, &answer)?;
            named(made, batch, &answer)
        }
        (None, Some(constant), [left, right]) => beside(call, 0, [left, right], &constant, &answer),
        (Some(constant), None, [left, right]) => beside(call, 1, [right, left], &constant, &answer),
        _ => call.unsupported("it is read of one value or two, one of them no constant"),
    }
}

/// How many axes an operand has.
fn rank(call: &mut Call<'_, '_, '_>, place: usize) -> Option<usize> {
    match call.constant(place) {
        Some(constant) => Some(constant.shape().len()),
        None => call.whole(place).map(|flow| flow.rank()),
    }
}

/// The equation, `…` written out; none if it does not fit the operands.
fn read(text: &str, ranks: &[usize]) -> Option<Equation> {
    /// More letters than two operands and their answer have axes.
    const LONGEST: usize = 256;
    /// Letters of the axes that `...` stands for, the last axis first.
    const OPEN: [char; 8] = ['0', '1', '2', '3', '4', '5', '6', '7'];
    let text: String = text.chars().filter(|letter| *letter != ' ').collect();
    if text.len() > LONGEST {
        return None;
    }
    let (left, answer) = text.split_once("->").map_or((text.as_str(), None), |(left, answer)| (left, Some(answer)));
    let written = |term: &str, open: usize| -> Option<Vec<char>> {
        let open: Vec<char> = OPEN.get(..open)?.iter().rev().copied().collect();
        let (before, after) = term.split_once("...").unwrap_or((term, ""));
        let dots = if term.contains("...") { open } else { Vec::new() };
        let all: Vec<char> = before.chars().chain(dots).chain(after.chars()).collect();
        all.iter().all(|letter| letter.is_ascii_alphabetic() || OPEN.contains(letter)).then_some(all)
    };
    let parts: Vec<&str> = left.split(',').collect();
    if parts.len() != ranks.len() || text.contains(|digit: char| digit.is_ascii_digit()) {
        return None;
    }
    let mut terms = Vec::new();
    for (part, rank) in parts.iter().zip(ranks) {
        let said = part.replace("...", "").len();
        let term = written(part, rank.checked_sub(said)?)?;
        terms.push(term);
    }
    if terms.iter().zip(ranks).any(|(term, rank)| term.len() != *rank) {
        return None;
    }
    let widest = terms.iter().flatten().filter_map(|letter| OPEN.iter().position(|open| open == letter)).max();
    let open = widest.map_or(0, |last| last + 1);
    let answer = match answer {
        Some(answer) => written(answer, open)?,
        // Without an answer it is what stands once, in the order of the alphabet, behind what `...` stands for.
        None => {
            let all: Vec<char> = terms.iter().flatten().copied().collect();
            let once = |letter: &char| all.iter().filter(|other| *other == letter).count() == 1;
            let single = ('A'..='Z').chain('a'..='z').filter(once);
            OPEN.get(..open)?.iter().rev().copied().chain(single).collect()
        }
    };
    let known = answer.iter().all(|letter| terms.iter().any(|term| term.contains(letter)));
    known.then_some(Equation { terms, answer })
}

/// The letters of one value: sums and another order.
fn alone(call: &mut Call<'_, '_, '_>, term: &[char], answer: &[char]) -> Option<Flow> {
    let (batch, side) = side(call, 0, term, &[], answer)?;
    named(side, batch, answer)
}

/// A value with its letters, those that nobody else has summed away, and the letter of the batch.
fn side(
    call: &mut Call<'_, '_, '_>,
    place: usize,
    term: &[char],
    other: &[char],
    answer: &[char],
) -> Option<(char, Side)> {
    let flow = call.whole(place)?;
    let (&batch, letters) = term.split_first()?;
    if !answer.contains(&batch) {
        return call.unsupported("it sums over the batch; examples are never mixed");
    }
    let gone: Vec<usize> = (0..letters.len())
        .filter(|axis| letters.get(*axis).is_some_and(|letter| !answer.contains(letter) && !other.contains(letter)))
        .collect();
    if gone.is_empty() {
        return Some((batch, Side { flow, letters: letters.to_vec() }));
    }
    let total = over(call, Some("total"), ReduceKind::Sum, &flow, &gone, false);
    let kept = letters.iter().enumerate().filter(|(axis, _)| !gone.contains(axis)).map(|(_, letter)| *letter);
    Some((batch, Side { flow: total, letters: kept.collect() }))
}

/// The letters of `of` that stand in `also`, or that do not.
fn shared(of: &[char], also: &[char], is: bool) -> Vec<char> {
    of.iter().filter(|letter| also.contains(letter) == is).copied().collect()
}

/// The lengths of some letters of a value; refused if one is not known.
fn lengths(call: &mut Call<'_, '_, '_>, side: &Side, letters: &[char]) -> Option<Vec<usize>> {
    let own = side.flow.lengths();
    let of = |letter: &char| own.get(side.letters.iter().position(|own| own == letter)?).copied().flatten();
    let found: Option<Vec<usize>> = letters.iter().map(of).collect();
    if found.is_none() {
        let what = "it wants lengths that are not known: state the shape of one example of the input";
        return call.refuse(Code::Input, what);
    }
    found
}

/// The lengths of axes that two values have, of which one may be 1.
fn longer(own: Vec<usize>, other: &[usize]) -> Vec<usize> {
    own.into_iter().zip(other).map(|(own, other)| if own == 1 { *other } else { own }).collect()
}

/// The letters that both values keep, those summed over, and those that stand for one of them alone.
fn groups(left: &[char], right: &[char], answer: &[char]) -> [Vec<char>; 4] {
    let common = shared(left, right, true);
    let alone = |letters: &[char]| shared(letters, &common, false);
    [shared(&common, answer, true), shared(&common, answer, false), alone(left), alone(right)]
}

/// A value whose axes lie as `by` and then two groups say, each group joined to one axis.
fn grouped(call: &mut Call<'_, '_, '_>, side: &Side, by: &[char], groups: [&[char]; 2]) -> Option<Flow> {
    let letters = [by, groups[0], groups[1]].concat();
    let place = |letter: &char| side.letters.iter().position(|own| own == letter);
    let order: Vec<usize> = letters.iter().filter_map(place).collect();
    let turned = call.turn(&side.flow, &order);
    if groups.iter().all(|group| group.len() == 1) {
        return Some(Call::renamed(&turned, &order));
    }
    let mut each = lengths(call, side, by)?;
    for group in groups {
        each.push(count(&lengths(call, side, group)?)?);
    }
    reshaped(call, "group", &turned, &each)
}

fn reshaped(call: &mut Call<'_, '_, '_>, does: &str, flow: &Flow, each: &[usize]) -> Option<Flow> {
    let each: Vec<i64> = each.iter().map(|length| i64::try_from(*length).ok()).collect::<Option<_>>()?;
    let order = plain(each.len());
    Some(Flow::new(call.put(Some(does), &Op::Reshape { each }, &[&flow.value], order, Vec::new())))
}

/// The product of two values over the last axis of the first and the last but one of the second, its axes cut again: `by` stand
/// before those of the first alone and those of the second alone.
fn multiplied(
    call: &mut Call<'_, '_, '_>,
    pair: [&Flow; 2],
    [by, rows, columns]: [Vec<char>; 3],
    each: &[usize],
) -> Option<Side> {
    let made = call.make(&Op::MatMul, &pair, plain(pair[0].each()))?;
    let flow =
        if [&rows, &columns].iter().all(|group| group.len() == 1) { made } else { reshaped(call, "cut", &made, each)? };
    Some(Side { flow, letters: [by, rows, columns].concat() })
}

/// The product of two values.
fn product(call: &mut Call<'_, '_, '_>, left: &Side, right: &Side, answer: &[char]) -> Option<Side> {
    let [by, over, rows, columns] = groups(&left.letters, &right.letters, answer);
    let first = grouped(call, left, &by, [&rows, &over])?;
    let second = grouped(call, right, &by, [&over, &columns])?;
    let beside = lengths(call, right, &by)?;
    let mut each = longer(lengths(call, left, &by)?, &beside);
    each.extend(lengths(call, left, &rows)?);
    each.extend(lengths(call, right, &columns)?);
    multiplied(call, [&first, &second], [by, rows, columns], &each)
}

/// The product of a value, input `place`, and a constant.
fn beside(
    call: &mut Call<'_, '_, '_>,
    place: usize,
    [term, other]: [&[char]; 2],
    constant: &Constant,
    answer: &[char],
) -> Option<Flow> {
    let (batch, own) = side(call, place, term, other, answer)?;
    if other.contains(&batch) || other.iter().any(|letter| !answer.contains(letter) && !own.letters.contains(letter)) {
        return call.unsupported("a constant has another number for each example, or is summed over by itself");
    }
    let [by, over, rows, columns] = groups(&own.letters, other, answer);
    let place = |letter: &char| other.iter().position(|own| own == letter);
    let axes: Vec<usize> = [&by[..], &over, &columns].concat().iter().filter_map(place).collect();
    let turned: Vec<usize> = axes.iter().filter_map(|axis| constant.shape().get(*axis).copied()).collect();
    let (outer, rest) = turned.split_at_checked(by.len())?;
    let (inner, last) = rest.split_at_checked(over.len())?;
    let shape = [outer, &[count(inner)?, count(last)?]].concat();
    let mut each = longer(lengths(call, &own, &by)?, outer);
    each.extend(lengths(call, &own, &rows)?);
    each.extend(last);
    let first = grouped(call, &own, &by, [&rows, &over])?;
    let order = plain(shape.len());
    let turn = Turn::new(constant.shape(), constant.shape(), axes, &shape);
    let number = Number { slot: "value", constant: constant.clone(), turn };
    let weight = call.put(Some("value"), &Op::Parameter { shape }, &[], order, vec![number]);
    let made = multiplied(call, [&first, &Flow::new(weight)], [by, rows, columns], &each)?;
    named(made, batch, answer)
}

/// The axes as the answer has them.
fn named(side: Side, batch: char, answer: &[char]) -> Option<Flow> {
    let at = answer.iter().position(|letter| *letter == batch)?;
    let rest = answer.iter().filter(|letter| **letter != batch);
    let moved: Vec<usize> =
        rest.map(|letter| side.letters.iter().position(|own| own == letter)).collect::<Option<_>>()?;
    Some(Flow { at, ..Call::renamed(&side.flow, &moved) })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn equations_are_read() {
        let said = |text: &str, ranks: &[usize]| {
            let equation = read(text, ranks)?;
            let terms: Vec<String> = equation.terms.iter().map(|term| term.iter().collect()).collect();
            Some((terms.join(","), equation.answer.iter().collect::<String>()))
        };
        let pair = |terms: &str, answer: &str| Some((terms.to_owned(), answer.to_owned()));
        assert_eq!(said("bij, jk -> bik", &[3, 2]), pair("bij,jk", "bik"));
        assert_eq!(said("...ij,...jk->...ik", &[4, 4]), pair("10ij,10jk", "10ik"));
        assert_eq!(said("...ij,jk", &[3, 2]), pair("0ij,jk", "0ik"));
        assert_eq!(said("ba", &[2]), pair("ba", "ab"));
        assert_eq!(said("bij->bk", &[3]), None);
        assert_eq!(said("bij,jk->bik", &[3, 3]), None);
        assert_eq!(said("b0->b", &[2]), None);
        assert_eq!(said(&format!("bi->b{}", "i".repeat(1 << 20)), &[2]), None);
    }
}
