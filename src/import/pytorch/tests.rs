//! Kernels, flattened rows, statements and their misuse, on graphs built by hand.

use super::*;
use crate::{
    describe::{Border, Conv, GraphValue, Layer, Node, Port, Role, Slot, Window},
    faults::Code,
    tensor::{DType, Tensor},
};

/// A chain of layers, each with the shape it makes (none: unknown).
struct Chain {
    graph: Graph,
    description: Description,
}

impl Chain {
    fn of(form: Form, input: Option<&[usize]>) -> Chain {
        let graph = Graph {
            values: Vec::new(),
            nodes: vec![],
            inputs: vec![],
            outputs: vec![],
            slots: vec![],
            runs: form != Form::Code,
        };
        let description = Description { form, inputs: vec![], layers: vec![], outputs: vec![] };
        let mut chain = Chain { graph, description };
        let value = chain.value(input);
        chain.graph.inputs.push(Port { name: "input".into(), value });
        chain
    }

    fn value(&mut self, shape: Option<&[usize]>) -> usize {
        let shape = shape.map(|shape| shape.iter().copied().map(Some).collect());
        self.graph.values.push(GraphValue { dtype: DType::F32, shape, batched: true });
        self.graph.values.len() - 1
    }

    fn add(mut self, op: Op, slots: &[(&str, &[usize])], output: Option<&[usize]>) -> Chain {
        let name = self.graph.nodes.len().to_string();
        let first = self.graph.slots.len();
        let role = Role::Parameter;
        let slot =
            |(slot, shape): &(&str, &[usize])| Slot { path: format!("{name}.{slot}"), role, shape: shape.to_vec() };
        self.graph.slots.extend(slots.iter().map(slot));
        let input = self.graph.values.len() - 1;
        let output = self.value(output);
        let (slots, layer) = ((first..self.graph.slots.len()).collect(), self.description.layers.len());
        let (kind, attributes, from, position) = ("any".into(), vec![], vec![], Default::default());
        self.description.layers.push(Layer { name: name.clone(), kind, slots: None, attributes, from, position });
        self.graph.nodes.push(Node { name, op, inputs: vec![input], output, slots, layer });
        self
    }

    fn conv(self, dims: usize, inputs: usize, outputs: usize, output: Option<&[usize]>) -> Chain {
        let [one, none] = [1, 0].map(|n| vec![n; dims]);
        let border = Border::Explicit(none.iter().map(|_| [0, 0]).collect());
        let window = Window { size: vec![2; dims], stride: one.clone(), dilation: one, border, ceil: false };
        let mut shape = vec![2; dims];
        shape.extend([inputs, outputs]);
        let op = Op::Conv(Conv { inputs, outputs, groups: 1, window, bias: true });
        self.add(op, &[("weight", &shape), ("bias", &[outputs])], output)
    }

    fn dense(self, inputs: usize, outputs: usize) -> Chain {
        let op = Op::Dense { inputs, outputs, bias: true };
        self.add(op, &[("weight", &[inputs, outputs]), ("bias", &[outputs])], Some(&[outputs]))
    }

    fn norm(self, features: usize, output: Option<&[usize]>) -> Chain {
        let op = Op::BatchNorm { features, epsilon: 1e-5, momentum: 0.1, affine: true };
        let shape = [features];
        let slots = ["weight", "bias", "running_mean", "running_var"].map(|name| (name, &shape[..]));
        self.add(op, &slots, output)
    }

    /// A flatten of a shape that is known, or of one that is not.
    fn flatten(self, output: Option<&[usize]>) -> Chain {
        let mut chain = self.add(Op::Flatten { start: 0, end: -1 }, &[], output);
        if let Some(value) = chain.graph.values.last_mut().filter(|value| value.shape.is_none()) {
            value.shape = Some(vec![None]);
        }
        chain
    }

    fn turns(&self, flattened: &[(&str, &[usize])], example: Option<&[usize]>) -> (Result<Vec<Turn>, Refused>, Faults) {
        let flattened: Vec<_> = flattened.iter().map(|(path, shape)| ((*path).to_owned(), shape.to_vec())).collect();
        let (stated, mut faults) =
            (Stated { flattened: &flattened, example, channels_first: false }, Faults::default());
        (turns(&self.graph, &self.description, &self.description, &stated, &mut faults), faults)
    }

    fn turn(&self, path: &str, flattened: &[(&str, &[usize])]) -> Turn {
        let slot = self.graph.slots.iter().position(|slot| slot.path == path).unwrap();
        self.turns(flattened, None).0.unwrap().swap_remove(slot)
    }
}

fn turned(turn: &Turn) -> Vec<f32> {
    let count = |numbers: &mut [f32]| numbers.iter_mut().enumerate().for_each(|(i, n)| *n = i as f32);
    let written = Tensor::filled_f32(turn.written().to_vec(), count).unwrap();
    turn.turn(&written).unwrap().as_f32().unwrap().to_vec()
}

#[test]
fn kernels_go_by_their_layer() {
    let chain = Chain::of(Form::Torch, None).conv(1, 2, 2, None).dense(2, 3);
    assert_eq!(turned(&chain.turn("0.weight", &[])), [0., 4., 2., 6., 1., 5., 3., 7.]);
    assert_eq!(chain.turn("1.weight", &[]).written(), [3, 2]);
    assert!(chain.turn("1.bias", &[]).is_none());
    // A square weight is turned as well: the shape says nothing.
    assert_eq!(turned(&Chain::of(Form::Torch, None).dense(2, 2).turn("0.weight", &[])), [0., 2., 1., 3.]);
    let mut depthwise = Chain::of(Form::Torch, None).conv(2, 4, 4, None);
    depthwise.graph.slots[0].shape = vec![2, 3, 1, 4];
    assert_eq!(depthwise.turn("0.weight", &[]).written(), [4, 1, 2, 3]);
}

#[test]
fn a_flatten_turns_the_dense_layer_and_the_norm_between() {
    let image = Some(&[3, 1, 2][..]);
    let chain = Chain::of(Form::Stack, Some(&[4, 2, 1]))
        .conv(2, 1, 2, image)
        .flatten(Some(&[6]))
        .norm(6, Some(&[6]))
        .dense(6, 1);
    let expected = [0., 3., 1., 4., 2., 5.];
    for path in ["2.weight", "2.bias", "2.running_mean", "2.running_var", "3.weight"] {
        assert_eq!(turned(&chain.turn(path, &[])), expected, "{path}");
    }
    let after = chain.dense(1, 1);
    assert!(turned(&after.turn("4.weight", &[])) == [0.]);
    let torch = Chain::of(Form::Torch, None).flatten(None).dense(6, 1);
    assert_eq!(turned(&torch.turn("1.weight", &[])), [0., 1., 2., 3., 4., 5.]);
}

#[test]
fn a_flatten_of_unknown_shape_is_stated_or_refused() {
    let chain = Chain::of(Form::Stack, None).conv(2, 1, 2, None).flatten(None).dense(6, 1);
    assert!(
        chain
            .turn("2.weight", &[])
            .reason()
            .unwrap()
            .contains("'1', which stands before it, is handed a shape that is not known")
    );
    assert!(chain.turn("2.bias", &[]).reason().is_none());
    assert_eq!(turned(&chain.turn("2.weight", &[("1", &[3, 1, 2])])), [0., 3., 1., 4., 2., 5.]);
    assert!(chain.turn("2.weight", &[("1", &[6])]).reason().is_none());
}

#[test]
fn rows_of_two_axes_are_images_after_a_one_dimensional_layer_alone() {
    let shape = Some(&[3, 2][..]);
    let one = Chain::of(Form::Stack, Some(&[4, 1])).conv(1, 1, 2, shape).flatten(Some(&[6])).dense(6, 1);
    assert_eq!(turned(&one.turn("2.weight", &[])), [0., 3., 1., 4., 2., 5.]);
    let none = Chain::of(Form::Stack, shape).flatten(Some(&[6])).dense(6, 1);
    assert!(none.turn("1.weight", &[]).reason().is_some());
}

#[test]
fn a_row_made_an_image_leaves_its_makers_untold() {
    let reshape = Op::Reshape { each: vec![2, 3, 1] };
    let chain = Chain::of(Form::Stack, Some(&[4])).dense(4, 6).add(reshape, &[], Some(&[2, 3, 1])).conv(
        2,
        1,
        1,
        Some(&[1, 2, 1]),
    );
    assert!(chain.turn("0.weight", &[]).reason().is_some() && chain.turn("0.bias", &[]).reason().is_some());
    assert!(chain.turn("2.weight", &[]).reason().is_none());
}

#[test]
fn channels_put_first_by_a_permutation_are_flattened_in_pytorchs_order() {
    let permute = Op::Permute { axes: vec![2, 0, 1] };
    let chain =
        Chain::of(Form::Graph, Some(&[3, 1, 2])).add(permute, &[], Some(&[2, 3, 1])).flatten(Some(&[6])).dense(6, 1);
    assert_eq!(turned(&chain.turn("2.weight", &[])), [0., 1., 2., 3., 4., 5.]);
    let odd = Op::Permute { axes: vec![1, 0, 2] };
    let chain =
        Chain::of(Form::Graph, Some(&[3, 1, 2])).add(odd, &[], Some(&[1, 3, 2])).flatten(Some(&[6])).dense(6, 1);
    assert!(chain.turn("2.weight", &[]).reason().is_some());
}

#[test]
fn what_does_not_keep_a_row_whole_leaves_the_next_layer_untold() {
    let row = || Chain::of(Form::Graph, Some(&[5, 5, 2])).conv(2, 2, 3, Some(&[4, 4, 3])).flatten(Some(&[48]));
    let groups = |groups| Op::GroupNorm { groups, features: 48, epsilon: 1e-5, affine: true };
    let lrn = Op::Lrn { across: true, size: 3, later: false, alpha: 1.0, beta: 0.75, k: 1.0, mean: true };
    let slots: [(&str, &[usize]); 2] = [("weight", &[48]), ("bias", &[48])];
    let norm = |count| row().add(groups(count), &slots, Some(&[48])).dense(48, 2).turns(&[], None);
    assert!(norm(1).0.unwrap().iter().all(|turn| turn.reason().is_none()));
    assert!(norm(4).0.unwrap()[2].reason().is_some_and(|reason| reason.contains("groups")));
    let image = row().add(Op::Unsqueeze { axes: vec![1] }, &[], Some(&[48, 1])).conv(1, 1, 2, Some(&[47, 2]));
    let window = row().add(lrn, &[], Some(&[48])).dense(48, 2);
    for chain in [image, window] {
        assert!(chain.turns(&[], None).0.unwrap()[2].reason().is_some());
    }
}

#[test]
fn images_that_lose_or_gain_an_axis() {
    let image = || Chain::of(Form::Graph, Some(&[3, 3, 3, 2])).conv(3, 2, 4, Some(&[2, 2, 2, 4]));
    let kind = crate::describe::ReduceKind::Mean;
    let mean = |axis| image().add(Op::Reduce { kind, axes: vec![axis], keep: false }, &[], Some(&[2, 2, 4]));
    let dense = |chain: Chain| chain.flatten(Some(&[16])).dense(16, 1).turn("3.weight", &[]);
    // Without its channels the row is PyTorch's own.
    let channels = image().add(Op::Reduce { kind, axes: vec![3], keep: false }, &[], Some(&[2, 2, 2]));
    assert_eq!(
        turned(&channels.flatten(Some(&[8])).dense(8, 1).turn("3.weight", &[])),
        [0., 1., 2., 3., 4., 5., 6., 7.]
    );
    assert_eq!(turned(&dense(mean(0)))[..5], [0., 4., 8., 12., 1.]);
    let more = image().add(Op::Unsqueeze { axes: vec![4] }, &[], Some(&[2, 2, 2, 4, 1]));
    let turn = more.flatten(Some(&[32])).dense(32, 1).turn("3.weight", &[]);
    assert!(turn.reason().is_some());
}

#[test]
fn an_input_whose_channels_are_put_last_for_a_convolution_is_read() {
    for (input, axes, last) in [(&[2, 3, 3][..], vec![1, 2, 0], &[3, 3, 2][..]), (&[2, 3], vec![1, 0], &[3, 2])] {
        let dims = input.len() - 1;
        let out: Vec<usize> = [2].repeat(dims).into_iter().chain([4]).collect();
        let chain = Chain::of(Form::Graph, Some(input)).add(Op::Permute { axes }, &[], Some(last));
        let row = out.iter().product();
        let chain = chain.conv(dims, 2, 4, Some(&out)).flatten(Some(&[row])).dense(row, 1);
        assert_eq!(turned(&chain.turn("3.weight", &[]))[..2], [0., row as f32 / 4.]);
    }
}

#[test]
fn statements_are_held_against_the_network() {
    let stack = || Chain::of(Form::Stack, None).conv(2, 1, 2, None).flatten(None).dense(6, 1);
    let shape: &[usize] = &[3, 1, 2];
    for flattened in [
        &[("2", shape)][..],
        &[("9", shape)],
        &[("1", &[1, 1, 1, 3, 2])],
        &[("1", &[])],
        &[("1", &[3, 1, 3])],
        &[("1", &[usize::MAX, 2, 2])],
    ] {
        let (turns, faults) = stack().turns(flattened, None);
        assert_eq!(turns.unwrap_err(), Refused(Code::Value), "{flattened:?}");
        assert!(faults.iter().all(|fault| fault.code.is_callers()));
    }
    let mut known = Chain::of(Form::Stack, None).conv(2, 1, 2, Some(&[3, 1, 2]));
    known.graph.values[1].shape = Some(vec![None, None, Some(2)]);
    let known = known.flatten(None).dense(6, 1);
    assert!(known.turns(&[("1", shape)], Some(&[4, 2, 1])).0.is_ok());
    for wrong in [&[2, 3, 1][..], &[6]] {
        let text = known.turns(&[("1", wrong)], None).1.text();
        assert!(text.contains(" is stated, and ?x?x2 reaches it"), "{text}");
    }
    assert!(Chain::of(Form::Torch, None).flatten(None).turns(&[("0", shape)], None).0.is_err());
}

#[test]
fn code_needs_a_statement_where_images_are_possible() {
    let code = Chain::of(Form::Code, None).conv(2, 1, 2, None).dense(6, 1).norm(2, None);
    assert!(code.turn("1.weight", &[]).reason().is_some());
    assert!(code.turn("1.bias", &[]).reason().is_none());
    assert!(code.turn("2.bias", &[]).reason().is_some());
    let stated: &[(&str, &[usize])] = &[("1", &[3, 1, 2]), ("2", &[2])];
    assert_eq!(turned(&code.turn("1.weight", stated)), [0., 3., 1., 4., 2., 5.]);
    assert!(code.turn("2.bias", stated).is_none());
    let rows = Chain::of(Form::Code, None).dense(6, 1).norm(1, None);
    assert!(rows.turn("0.weight", &[]).reason().is_none());
    let (turns, _) = rows.turns(&[], Some(&[3, 1, 2]));
    assert!(turns.unwrap()[0].reason().is_some());
    let remade = rows.add(Op::Reshape { each: vec![1, 1] }, &[], None);
    assert!(remade.turn("0.weight", &[("0", &[6])]).reason().is_some());
    for wrong in [("1", &[3, 1, 3][..]), ("0", &[2]), ("x", &[6])] {
        assert_eq!(code.turns(&[wrong], None).0.unwrap_err(), Refused(Code::Value));
    }
}

#[test]
fn counters_belong_to_batch_norms_alone() {
    let chain = Chain::of(Form::Stack, Some(&[2])).dense(2, 2).norm(2, Some(&[2]));
    assert_eq!(counters(&chain.graph), HashSet::from([b"1.num_batches_tracked".to_vec()]));
}
