//! Weights that PyTorch keeps in parts, put together.
//!
//! `weight_norm` keeps a length and a direction (`weight_g` and `weight_v`, or `original0` and `original1` of
//! `parametrizations.weight`), `spectral_norm` the weight and two directions (`weight_orig`, `weight_u` and `weight_v`, or
//! `original`, `0._u` and `0._v`), and pruning the weight and what is left of it (`weight_orig` and `weight_mask`).

mod norm;
mod spectral;

use crate::{
    describe::{Graph, Op},
    faults::{Argument, Code, Fault, Faults, Refused, Text, quoted, quoted_str},
    network::Entry,
    tensor::Tensor,
};
use std::collections::HashMap;

/// What keeps parts from being a weight: the rest of a sentence that begins with the first of them.
type Unfit = (Code, String);

/// The name that stands before the parts of a weight.
const PARAMETRIZED: &str = "parametrizations.";

/// How a weight is kept.
#[derive(Clone, Copy)]
enum Way {
    Norm,
    Spectral,
    Pruned,
}

/// A weight in parts: its path, how it is kept, and the paths of its parts, the first of which is known.
struct Parts {
    path: String,
    way: Way,
    others: Vec<String>,
}

/// Puts the parts of each weight together, in the place of the first. `graph` says along which axis a weight has its outputs.
pub(in crate::import) fn fold(entries: Vec<Entry>, graph: &Graph, faults: &mut Faults) -> Result<Vec<Entry>, Refused> {
    let mark = faults.mark();
    let by_path: HashMap<Text, usize> = entries.iter().enumerate().map(|(i, entry)| (entry.path.clone(), i)).collect();
    let axes = axes(graph);
    let mut folded: Vec<Option<Entry>> = entries.iter().cloned().map(Some).collect();
    for (index, first) in entries.iter().enumerate() {
        let Some((parts, others)) = found(&first.path, |path| by_path.get(&Text::from(path)).copied()) else {
            continue;
        };
        let axis = axes.get(parts.path.as_str()).copied().unwrap_or_default();
        let tensors: Vec<&Tensor> = others.iter().map(|&other| &entries[other].tensor).collect();
        let whole = match (parts.way, &tensors[..]) {
            (Way::Norm, &[direction]) => norm::weight(&first.tensor, direction),
            (Way::Spectral, &[u, v]) => spectral::weight(&first.tensor, u, v, axis),
            (Way::Pruned, &[mask]) => pruned(&first.tensor, mask),
            _ => continue,
        };
        match whole {
            Ok(tensor) => {
                folded[index] = Some(Entry { path: parts.path.into(), tensor, ..first.clone() });
                others.iter().for_each(|&other| folded[other] = None);
            }
            Err((code, rest)) => {
                let message = format!("'{}' {rest}", quoted(&first.path));
                faults.push(Fault::new(code, message).path(first.path.clone()).place(first.place.clone()));
            }
        }
    }
    faults.refused_since(mark)?;
    Ok(folded.into_iter().flatten().collect())
}

/// What helps where weights are in parts: the option, or PyTorch's own function for parts that are not known here.
pub(in crate::import) fn advice(entries: &[Entry]) -> Option<Fault> {
    let by_path: HashMap<&[u8], usize> =
        entries.iter().enumerate().map(|(i, entry)| (entry.path.as_bytes(), i)).collect();
    let known = |entry: &&Entry| found(&entry.path, |path| by_path.get(path.as_bytes()).copied()).is_some();
    if let Some(entry) = entries.iter().find(known) {
        let message = format!(
            "'{}' is a part of a weight (weight_norm, spectral_norm, pruning): set the option `fold_weight_norm`, and the \
             parts are put together.",
            quoted(&entry.path)
        );
        let fault = Fault::new(Code::SlotPrefix, message).path(entry.path.clone());
        return Some(fault.argument("option", Argument::Text("fold_weight_norm".into())));
    }
    let strange = |entry: &&Entry| entry.path.as_str().is_some_and(|path| path.contains(PARAMETRIZED));
    let entry = entries.iter().find(strange)?;
    let path = entry.path.as_str()?;
    let (layer, rest) = path.split_at(path.find(PARAMETRIZED)?);
    let name = rest.trim_start_matches(PARAMETRIZED).split('.').next().unwrap_or_default();
    let (layer, name) = (quoted_str(layer.trim_end_matches('.')), quoted_str(name));
    let message = format!(
        "'{}' belongs to a parametrisation that is not known here. Save the state without it, in Python before: \
         torch.nn.utils.parametrize.remove_parametrizations(model.get_submodule(\"{layer}\"), \"{name}\")",
        quoted(&entry.path)
    );
    Some(Fault::new(Code::SlotUnknown, message).path(entry.path.clone()))
}

/// The weight whose first part stands under `first`, with the numbers of its other parts, if all of them are there.
fn found(first: &Text, number: impl Fn(&str) -> Option<usize>) -> Option<(Parts, Vec<usize>)> {
    candidates(first.as_str()?).into_iter().find_map(|parts| {
        let others = parts.others.iter().map(|other| number(other)).collect::<Option<Vec<_>>>()?;
        Some((parts, others))
    })
}

/// What weights a path may be the first part of.
fn candidates(first: &str) -> Vec<Parts> {
    let parts = |path: &str, way, others: &[String]| Parts { path: path.into(), way, others: others.to_vec() };
    if let Some(old) = first.strip_suffix("_g") {
        return vec![parts(old, Way::Norm, &[format!("{old}_v")])];
    }
    if let Some(old) = first.strip_suffix("_orig") {
        let pair = [format!("{old}_u"), format!("{old}_v")];
        return vec![parts(old, Way::Spectral, &pair), parts(old, Way::Pruned, &[format!("{old}_mask")])];
    }
    let ends = [(".original0", Way::Norm), (".original", Way::Spectral)];
    let Some((stem, way)) = ends.iter().find_map(|&(end, way)| Some((first.strip_suffix(end)?, way))) else {
        return Vec::new();
    };
    let Some((layer, name)) = stem.rfind(PARAMETRIZED).map(|at| stem.split_at(at)) else { return Vec::new() };
    if !layer.is_empty() && !layer.ends_with('.') {
        return Vec::new();
    }
    let path = format!("{layer}{}", name.trim_start_matches(PARAMETRIZED));
    let others = match way {
        Way::Norm => vec![format!("{stem}.original1")],
        _ => vec![format!("{stem}.0._u"), format!("{stem}.0._v")],
    };
    vec![Parts { path, way, others }]
}

/// Along which axis the weights have their outputs that do not have them along the first.
fn axes(graph: &Graph) -> HashMap<&str, usize> {
    let turned = graph.nodes.iter().filter(|node| matches!(node.op, Op::ConvTranspose { .. }));
    turned.filter_map(|node| Some((graph.slots[*node.slots.first()?].path.as_str(), 1))).collect()
}

/// A weight of which a mask leaves a part.
fn pruned(whole: &Tensor, mask: &Tensor) -> Result<Tensor, Unfit> {
    if whole.shape() != mask.shape() {
        return Err((Code::SlotShape, "is a weight, and its mask has another shape.".into()));
    }
    let no_singles = || no_singles(&[whole, mask]);
    let (whole, mask) = whole.to_f32().zip(mask.to_f32()).ok_or_else(no_singles)?;
    let (w, m) = whole.as_f32().zip(mask.as_f32()).ok_or_else(no_singles)?;
    let product = |out: &mut [f32]| {
        out.iter_mut().zip(w.iter().zip(m)).for_each(|(out, (&number, &left))| *out = number * left);
    };
    Tensor::filled_f32(whole.shape().to_vec(), product).ok_or_else(no_singles)
}

/// The refusal of parts of which one can not be made singles.
fn no_singles(parts: &[&Tensor]) -> Unfit {
    let types: Vec<&str> = parts.iter().map(|part| part.dtype().name()).collect();
    let types = types.join(", ");
    (Code::SlotDtype, format!("and what goes with it are {types}; all must become singles, in memory that is there."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        describe::{Layout, Ports, lower, parse},
        limits::Limits,
    };

    fn entry(path: &str, shape: &[usize], numbers: &[f32]) -> Entry {
        let tensor = Tensor::filled_f32(shape.to_vec(), |to| to.copy_from_slice(numbers)).unwrap();
        Entry { path: path.into(), tensor, place: path.into(), offset: None }
    }

    /// A transposed convolution at `t`.
    fn graph() -> Graph {
        let layers = br#"{"style":"torch","layers":[{"id":"t","kind":"ConvTranspose2d","args":{"in_channels":2,"out_channels":2,"kernel_size":1}}]}"#;
        let (limits, mut faults) = (Limits::default(), Faults::default());
        let written = parse(layers, &limits, &mut faults).unwrap();
        let ports = Ports { examples: Vec::new(), layout: Layout::AsFile };
        Graph::of(&lower(&written, &ports, &limits, &mut faults).unwrap(), &limits, &mut faults).unwrap()
    }

    fn folded(entries: Vec<Entry>) -> Vec<(String, Vec<f32>)> {
        let entries = fold(entries, &graph(), &mut Faults::default()).unwrap();
        entries.iter().map(|entry| (entry.path.to_string(), entry.tensor.as_f32().unwrap().to_vec())).collect()
    }

    #[test]
    fn lengths_and_directions() {
        let v = [3., 4., 0., 2.];
        let new = vec![
            entry("a.bias", &[1], &[7.]),
            entry("a.parametrizations.weight.original0", &[2, 1], &[10., 1.]),
            entry("a.parametrizations.weight.original1", &[2, 2], &v),
        ];
        assert_eq!(folded(new), [("a.bias".into(), vec![7.]), ("a.weight".into(), vec![6., 8., 0., 1.])]);
        let second = vec![entry("weight_v", &[2, 2], &v), entry("weight_g", &[1, 2], &[6., 20f32.sqrt()])];
        assert_eq!(folded(second), [("weight".into(), vec![6., 4., 0., 2.])]);
        let whole = vec![entry("x.weight_g", &[], &[29f32.sqrt()]), entry("x.weight_v", &[2, 2], &v)];
        assert_eq!(folded(whole), [("x.weight".into(), v.to_vec())]);
    }

    #[test]
    fn what_goes_with_nothing_stays() {
        let alone = vec![entry("weight_g", &[1], &[1.]), entry("myparametrizations.w.original0", &[1], &[2.])];
        assert_eq!(folded(alone).len(), 2);
        let mut faults = Faults::default();
        let wrong = vec![entry("weight_g", &[3], &[1.; 3]), entry("weight_v", &[2, 2], &[1.; 4])];
        assert_eq!(fold(wrong, &graph(), &mut faults).unwrap_err(), Refused(Code::SlotShape));
    }

    #[test]
    fn weights_over_their_stretch() {
        // u · W v = 2, with the outputs along the first axis and along the second.
        let w = [1., 2., 3., 4.];
        let old = |layer: &str| {
            vec![
                entry(&format!("{layer}.weight_orig"), &[2, 2, 1, 1], &w),
                entry(&format!("{layer}.weight_u"), &[2], &[1., 0.]),
                entry(&format!("{layer}.weight_v"), &[2], &[0., 1.]),
            ]
        };
        assert_eq!(folded(old("c")), [("c.weight".into(), vec![0.5, 1., 1.5, 2.])]);
        let third = w.map(|number| number / 3.0).to_vec();
        assert_eq!(folded(old("t")), [("t.weight".into(), third)]);
        let new = vec![
            entry("parametrizations.weight.original", &[2, 2], &w),
            entry("parametrizations.weight.0._u", &[2], &[0., 1.]),
            entry("parametrizations.weight.0._v", &[2], &[0., 1.]),
        ];
        assert_eq!(folded(new), [("weight".into(), vec![0.25, 0.5, 0.75, 1.])]);
        let pruned = vec![entry("p.weight_orig", &[2], &[3., 4.]), entry("p.weight_mask", &[2], &[0., 1.])];
        assert_eq!(folded(pruned), [("p.weight".into(), vec![0., 4.])]);
    }

    #[test]
    fn parts_are_named_with_what_helps() {
        let text = |entries: &[Entry]| advice(entries).map(|fault| fault.message).unwrap_or_default();
        let parts = [entry("a.weight_g", &[1], &[1.]), entry("a.weight_v", &[1], &[1.])];
        assert!(text(&parts).contains("`fold_weight_norm`"));
        let strange = [entry("a.b.parametrizations.weight.original", &[1], &[1.])];
        assert!(text(&strange).contains("remove_parametrizations(model.get_submodule(\"a.b\"), \"weight\")"));
        assert_eq!(text(&[entry("a.weight", &[1], &[1.])]), "");
    }
}
