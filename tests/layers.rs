//! Every layer word of Pontil on its own, against float64: the cases of `fixtures/layers`, in both precisions
//! and by every instruction set.

mod support;

use pontil::{describe, plan::Precision};
use std::{collections::BTreeSet, path::Path};
use support::{
    answers::{self, Answer, PRECISIONS, ulp},
    files,
    layer::{self, Layer},
};

#[test]
fn every_word_has_fixtures() {
    let have: BTreeSet<String> =
        files::within(&files::fixtures("layers"), "json").iter().map(|p| files::stem(p)).collect();
    let words: BTreeSet<String> = describe::words().iter().map(|word| word.name.to_owned()).collect();
    assert_eq!(have, words, "the words and the files of fixtures/layers");
}

#[test]
fn answers_are_those_of_float64() {
    let mut failed = Vec::new();
    for path in files::within(&files::fixtures("layers"), "json") {
        failed.extend(of_word(&path));
    }
    assert!(failed.is_empty(), "\n{} failed:\n{}\n", failed.len(), failed.join("\n"));
}

fn of_word(path: &Path) -> Vec<String> {
    let (word, cases) = (files::stem(path), layer::cases(path));
    assert!(cases.len() >= 3, "{word}: only {} cases", cases.len());
    let mut failed = Vec::new();
    for case in cases {
        let network = case.network();
        for (isa, (precision, name)) in answers::sets().into_iter().flat_map(|isa| PRECISIONS.map(|named| (isa, named)))
        {
            let judged = network.clone().and_then(|network| answers::run_by(&network, precision, isa, &case.inputs));
            let judged = judged.and_then(|answers| judge(&case, precision, &answers[0]));
            let failure =
                judged.err().map(|failure| format!("{word} {}, {name}, {}: {failure}", case.name, isa.name()));
            failed.extend(failure);
        }
    }
    failed
}

/// How far the answer may lie from float64: in exact totals as said, in standard ones 1e-6 for each 1 of the largest answer
/// wherever numbers are made.
enum Bound {
    /// Not at all: numbers are chosen or moved, and never made.
    Bits,
    /// A total in double precision is rounded once, and once more where a bias is added: half a place of each.
    Total,
    /// So many roundings in singles, each of at most half a place of the largest number there is.
    Roundings(f64),
}

/// Which bound holds for a word.
fn bound(word: &str) -> Bound {
    match word {
        "identity" | "dropout" | "spatialdropout1d" | "spatialdropout2d" | "spatialdropout3d" => Bound::Bits,
        "permute" | "flatten" | "reshape" | "squeeze" | "unsqueeze" | "slice" | "pad" | "concat" | "embedding" => {
            Bound::Bits
        }
        "floor" | "ceil" | "round" | "sign" | "equal" | "less" | "greater" | "where" | "argMax" => Bound::Bits,
        "remainder" => Bound::Bits,
        "relu" | "abs" | "clip" | "threshold" | "hardShrink" | "maximum" | "minimum" | "max" => Bound::Bits,
        word if word.to_lowercase().contains("maxpool") => Bound::Bits,
        "dense" | "matmul" | "sum" => Bound::Total,
        word if word.starts_with("conv") => Bound::Total,
        // The mean, a difference from it, its quotient by the spread, two more for weight and bias.
        "layerNorm" | "groupNorm" | "instanceNorm" => Bound::Roundings(6.0),
        // Up to twenty numbers multiplied one by one.
        "product" => Bound::Roundings(20.0),
        // Three layers one after another.
        "stack" => Bound::Roundings(8.0),
        // A function good to the last place or two, a total and its divisor, a number or two combined.
        _ => Bound::Roundings(3.0),
    }
}

fn judge(case: &Layer, precision: Precision, answer: &Answer) -> Result<(), String> {
    let worst = answers::distance(answer, &case.expected)?;
    let largest = answers::largest(&case.expected).max(1.0);
    let most = match (precision, bound(&case.word)) {
        (_, Bound::Bits) => 0.0,
        (Precision::Standard, _) => 1e-6 * largest,
        (Precision::Exact, Bound::Roundings(count)) => count * HALF * largest,
        (Precision::Exact, Bound::Total) => return each_total(case, answer),
    };
    if worst <= most { Ok(()) } else { Err(format!("{worst:.2e} from float64, allowed {most:.2e}")) }
}

/// Half a place of 1.
const HALF: f64 = 1.0 / (1 << 24) as f64;

/// Each number within half a place of its total and half a place of its sum with the bias. The reference itself was totalled
/// in some order in double precision: its own roundings are allowed for.
fn each_total(case: &Layer, answer: &Answer) -> Result<(), String> {
    let bias = case.slots.get("layer.bias").map(answers::doubles);
    let own = answers::largest(&case.expected) * 1e-13;
    for (place, (&is, should)) in answer.numbers.iter().zip(answers::doubles(&case.expected)).enumerate() {
        let most = match &bias {
            None => ulp(should) / 2.0,
            Some(bias) => (ulp(should - bias[place % bias.len()]) + ulp(should)) / 2.0,
        };
        let distance = (f64::from(is) - should).abs();
        if distance.is_nan() || distance > most * 1.0001 + own {
            return Err(format!("{distance:.2e} from float64 at {place}, allowed {most:.2e}"));
        }
    }
    Ok(())
}
