//! Every case, or the reason why it is not one of the forward direction.

use crate::{
    case::{Bench, Case, cases, layer, near},
    layers, whole,
};
use pontil::mocha::{Blob, Element};
use std::collections::BTreeMap;

/// What became of a case.
pub enum Outcome {
    /// Its forward answers are right.
    Right,
    /// Training alone: counted.
    NotYet,
    /// Held by a unit test.
    Elsewhere,
    /// What is wrong.
    Wrong(String),
}

/// Blobs that a run left, each with what it should be.
pub type Pairs = Vec<(String, Blob, Blob)>;

/// Runs in both elements and compares, in no session.
pub fn in_both(
    case: &Case,
    bench: &Bench,
    answers: impl Fn(&pontil::mocha::Evaluation, f64) -> Pairs,
) -> Result<(), String> {
    for element in [Element::Single, Element::Double] {
        let (evaluation, loss) = bench.run(element)?;
        for (name, is, should) in answers(&evaluation, loss) {
            near(&is, &should, case.tolerance(element)).map_err(|why| format!("{name} in {element:?}: {why}"))?;
        }
    }
    Ok(())
}

/// The same; in a session as well, unless it is one that no session runs.
pub fn judge(
    case: &Case,
    bench: &Bench,
    in_session: bool,
    answers: impl Fn(&pontil::mocha::Evaluation, f64) -> Pairs,
) -> Result<(), String> {
    in_both(case, bench, answers)?;
    let session = bench.session();
    match (session, in_session) {
        (Ok(answers), true) => {
            for (answers, precision) in answers.iter().zip(["standard", "exact"]) {
                for (name, is) in bench.outputs.iter().zip(answers) {
                    let should = case.expected(name);
                    near(is, &should, case.tolerance(Element::Single))
                        .map_err(|why| format!("{name} in a session, {precision}: {why}"))?;
                }
            }
            Ok(())
        }
        (Err(faults), true) => Err(format!("no session: {faults}")),
        (Ok(_), false) => Err("a session runs it after all".to_owned()),
        (Err(_), false) => Ok(()),
    }
}

/// The answers under the names of blobs that the case expects.
pub fn blobs(case: &Case, names: &[&str]) -> impl Fn(&pontil::mocha::Evaluation, f64) -> Pairs {
    let wanted: Vec<(String, Blob)> = names.iter().map(|name| ((*name).to_owned(), case.expected(name))).collect();
    move |evaluation, _| {
        let found = |name: &String| evaluation.blob(name).unwrap().clone();
        wanted.iter().map(|(name, should)| (name.clone(), found(name), should.clone())).collect()
    }
}

/// Cases of training alone: regularisers, constraints, policies, solvers.
const NOT_YET: &[&str] =
    &["regu_l2", "regu_l1", "cons_l2_ip", "cons_l2_conv", "cons_l2_bias1d", "policies", "solver_traces"];

/// Cases that unit tests hold: orders of layers in `src/describe/mocha/tests.rs`, data in `src/dataset/tests.rs`.
const ELSEWHERE: &[&str] = &[
    "topological_sort",
    "bp_topology",
    "transformers",
    "data_hdf5_sequence",
    "data_memory_sequence",
    "data_batch_larger_than_set",
];

#[test]
fn cases_held_elsewhere_are_read_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = ["src/describe/mocha/tests.rs", "src/dataset/tests.rs"];
    let texts = places.map(|place| std::fs::read_to_string(root.join(place)).unwrap());
    for id in ELSEWHERE {
        assert!(texts.iter().any(|text| text.contains(&format!("\"{id}\""))), "no unit test reads {id}");
    }
}

#[test]
fn every_forward_case() {
    let (mut right, mut elsewhere, mut not_yet, mut wrong, mut backward) = (0, 0, Vec::new(), BTreeMap::new(), 0);
    for case in cases() {
        backward += usize::from(case.0.get("top_diff").is_some());
        match one(&case) {
            Outcome::Right => right += 1,
            Outcome::Elsewhere => elsewhere += 1,
            Outcome::NotYet => not_yet.push(case.id().to_owned()),
            Outcome::Wrong(why) => {
                wrong.insert(case.id().to_owned(), why);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(
        (right, elsewhere, not_yet.len(), backward),
        (82, 6, 7, 49),
        "right, held elsewhere, not yet: {not_yet:?}, with a backward direction"
    );
}

fn one(case: &Case) -> Outcome {
    if NOT_YET.contains(&case.id()) {
        return Outcome::NotYet;
    }
    if ELSEWHERE.contains(&case.id()) {
        return Outcome::Elsewhere;
    }
    let judged = layers::judge_layer(case).or_else(|| whole::judge_whole(case));
    match judged {
        Some(Ok(())) => Outcome::Right,
        Some(Err(why)) => Outcome::Wrong(why),
        None => Outcome::Wrong("nobody judges it".to_owned()),
    }
}

/// A network of one layer over the inputs `x`, `a`, `b`, `c`, making `y`.
pub fn single(case: &Case, settings: serde_json::Value) -> Bench {
    let names: Vec<&str> = ["x", "x1", "x2", "a", "b", "c"].into_iter().filter(|name| case.has(name)).collect();
    let tops: Vec<&str> = match names.as_slice() {
        ["x1"] => vec!["y1"],
        ["x1", "x2"] => vec!["y1", "y2"],
        _ => vec!["y"],
    };
    let made = layer(case.layer(), "layer", &names, &tops, settings);
    let bench = names.iter().fold(Bench::new(vec![made]), |bench, name| bench.input(name, case.input(name)));
    tops.iter().fold(bench, |bench, top| bench.output(top))
}
