//! The ports of a description in Pontil's words as the host wants them.

use super::read;
use crate::describe::{Description, Graph, Layout, Ports, lower};
use crate::faults::{Code, Faults};
use crate::limits::Limits;

const STACK: &str = r#"{"kind":"stack","layers":[
    {"kind":"conv2d","inChannels":3,"outChannels":4,"height":1,"width":1},{"kind":"relu"}]}"#;

fn lowered(text: &str, layout: Layout, example: Option<Vec<usize>>) -> Result<Description, Faults> {
    let (limits, mut faults) = (Limits::default(), Faults::default());
    let lowered = lower(&read(text), &Ports { examples: example.into_iter().collect(), layout }, &limits, &mut faults)
        .and_then(|lowered| Graph::of(&lowered, &limits, &mut faults).map(|_| lowered));
    lowered.map_err(|_| faults)
}

fn words(description: &Description) -> String {
    description.layers.iter().map(|layer| layer.kind.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn channels_last_takes_the_example_and_changes_nothing_else() {
    let with = lowered(STACK, Layout::ChannelsLast, Some(vec![5, 6, 3])).unwrap();
    assert_eq!(words(&with), "conv2d relu");
    assert_eq!(with.inputs[0].shape, Some(vec![Some(5), Some(6), Some(3)]));
    assert_eq!(lowered(STACK, Layout::AsFile, None).unwrap(), read(STACK));
}

#[test]
fn channels_first_turns_at_both_ends() {
    let turned = lowered(STACK, Layout::ChannelsFirst, Some(vec![3, 5, 6])).unwrap();
    assert_eq!(words(&turned), "permute conv2d relu permute");
    assert_eq!(turned.inputs[0].shape, Some(vec![Some(3), Some(5), Some(6)]));
    let graph = Graph::of(&turned, &Limits::default(), &mut Faults::default()).unwrap();
    assert_eq!(graph.values[graph.outputs[0].value].known(), Some(vec![4, 5, 6]));
    assert_eq!(graph.slots[0].path, "0.weight");
    let guessed = lowered(STACK, Layout::ChannelsFirst, None).unwrap();
    assert_eq!(guessed.inputs[0].shape, Some(vec![Some(3), None, None]));
}

#[test]
fn channels_first_turns_what_several_layers_read() {
    let text = r#"{"kind":"graph","inputs":[{"name":"a","shape":[4,2]},{"name":"b","shape":[2]}],"layers":[
        {"name":"a.permute","kind":"relu","from":["a"]},
        {"name":"y","kind":"add","from":["a","a.permute"]},
        {"name":"z","kind":"tanh","from":["b"]}],
        "outputs":[{"name":"one","from":"y"},{"name":"two","from":"z"},{"name":"three","from":"a"}]}"#;
    let turned = lowered(text, Layout::ChannelsFirst, None).unwrap();
    assert_eq!(words(&turned), "permute relu add tanh permute permute");
    assert_eq!(turned.layers[0].name, "a.permute2");
    assert_eq!(turned.layers[2].from, ["a.permute2", "a.permute"]);
    assert_eq!(turned.inputs[0].shape, Some(vec![Some(2), Some(4)]));
    assert_eq!(turned.inputs[1].shape, Some(vec![Some(2)]));
}

#[test]
fn an_example_must_fit_what_is_stated() {
    let text = r#"{"kind":"graph","inputs":[{"name":"x","shape":[null,3]}],"layers":[{"name":"y","kind":"relu"}]}"#;
    let fits = lowered(text, Layout::ChannelsFirst, Some(vec![3, 7])).unwrap();
    assert_eq!(fits.inputs[0].shape, Some(vec![Some(3), Some(7)]));
    let faults = lowered(text, Layout::ChannelsLast, Some(vec![7, 4])).unwrap_err();
    assert_eq!(faults.iter().next().unwrap().code, Code::Input);
}
