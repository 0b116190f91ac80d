//! Every word of PyTorch that is read, on its own and where axis orders meet: the cases of `fixtures/torch`, in both
//! precisions, with images at the ports as PyTorch has them and with their channels last.

mod support;

use pontil::describe::Layout;
use support::{
    answers::{self, PRECISIONS},
    files,
    torch::{self, Words},
};

/// How far an answer may lie from float64, for each 1 of the largest: a few layers in singles.
const MOST: f64 = 1e-6;

#[test]
fn answers_are_those_of_pytorch() {
    let (mut failed, mut ran) = (Vec::new(), 0);
    for path in files::within(&files::fixtures("torch"), "json") {
        for case in torch::cases(&path) {
            ran += 1;
            for layout in [Layout::AsFile, Layout::ChannelsLast] {
                if let Err(failure) = judge(&case, layout) {
                    failed.push(format!("{} {}, {layout:?}: {failure}", files::stem(&path), case.name));
                }
            }
        }
    }
    assert!(failed.is_empty(), "\n{} of {} failed:\n{}\n", failed.len(), 2 * ran, failed.join("\n"));
    assert!(ran >= 400, "only {ran} cases");
}

fn judge(case: &Words, layout: Layout) -> Result<(), String> {
    let network = case.network(layout)?;
    let expected = case.expected(layout);
    for (precision, name) in PRECISIONS {
        let answers = answers::run(&network, precision, &case.inputs(layout))?;
        if answers.len() != expected.len() {
            return Err(format!("{} outputs instead of {}", answers.len(), expected.len()));
        }
        for (answer, expected) in answers.iter().zip(&expected) {
            let most = MOST * answers::largest(expected).max(1.0);
            let distance = answers::distance(answer, expected)?;
            if distance > most {
                return Err(format!("{name}: {distance:.2e} from float64, allowed {most:.2e}"));
            }
        }
    }
    Ok(())
}
