//! Small graphs that would cost far more than they are long, made here, each with an honest twin that is read.

use crate::mutations::harm;
use pontil::describe::Layout;

/// Element types as ONNX numbers them.
const F32: u64 = 1;
const I8: u64 = 3;
const I64: u64 = 7;
const F16: u64 = 10;

/// A field of a message that is itself a run of bytes.
fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
    [&varint(number << 3 | 2)[..], &varint(bytes.len() as u64), bytes].concat()
}

/// A field that is a whole number.
fn whole(number: u64, value: u64) -> Vec<u8> {
    [varint(number << 3), varint(value)].concat()
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7F {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A graph: its nodes, initialisers and inputs, each as the message says it.
#[derive(Default)]
struct Graph(Vec<u8>);

impl Graph {
    /// A graph with an input `x` of this shape.
    fn with_input(shape: &[u64]) -> Graph {
        let mut graph = Graph::default();
        graph.port(11, "x", Some(shape));
        graph
    }

    fn port(&mut self, role: u64, name: &str, shape: Option<&[u64]>) {
        let dims = |shape: &[u64]| shape.iter().flat_map(|length| field(1, &whole(1, *length))).collect::<Vec<u8>>();
        let shape = shape.map(|shape| field(2, &dims(shape))).unwrap_or_default();
        let of = field(1, &[whole(1, F32), shape].concat());
        self.0.extend(field(role, &[field(1, name.as_bytes()), field(2, &of)].concat()));
    }

    /// An initialiser of noughts, so many bytes each.
    fn noughts(&mut self, name: &str, dtype: u64, shape: &[u64], size: u64) {
        let bytes = vec![0; (shape.iter().product::<u64>() * size) as usize];
        self.initialiser(name, dtype, shape, &bytes);
    }

    fn initialiser(&mut self, name: &str, dtype: u64, shape: &[u64], bytes: &[u8]) {
        let dims: Vec<u8> = shape.iter().flat_map(|length| whole(1, *length)).collect();
        self.0.extend(field(5, &[&dims[..], &whole(2, dtype), &field(8, name.as_bytes()), &field(9, bytes)].concat()));
    }

    fn wholes(&mut self, name: &str, numbers: &[i64]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.initialiser(name, I64, &[numbers.len() as u64], &bytes);
    }

    /// A node of one output; `attributes` as the messages are.
    fn node(&mut self, op: &str, inputs: &[&str], output: &str, attributes: &[Vec<u8>]) {
        let inputs = inputs.iter().flat_map(|name| field(1, name.as_bytes()));
        let attributes = attributes.iter().flat_map(|attribute| field(5, attribute));
        let ends = [field(2, output.as_bytes()), field(4, op.as_bytes())].concat();
        self.0.extend(field(1, &inputs.chain(ends).chain(attributes).collect::<Vec<u8>>()));
    }

    /// So many nodes of the same inputs, and one that takes them all.
    fn many(&mut self, count: usize, op: &str, inputs: &[&str], attributes: &[Vec<u8>], last: &str) {
        let names: Vec<String> = (0..count).map(|number| format!("n{number}")).collect();
        for name in &names {
            self.node(op, inputs, name, attributes);
        }
        self.node(last, &names.iter().map(String::as_str).collect::<Vec<_>>(), "y", &[]);
    }

    /// The file, whose output is `y`.
    fn file(mut self) -> Vec<u8> {
        self.port(12, "y", None);
        [whole(1, 8), field(8, &whole(2, 18)), field(7, &self.0)].concat()
    }
}

fn int(name: &str, value: u64) -> Vec<u8> {
    [field(1, name.as_bytes()), whole(3, value), whole(20, 2)].concat()
}

fn text(name: &str, value: &str) -> Vec<u8> {
    [field(1, name.as_bytes()), field(4, value.as_bytes()), whole(20, 3)].concat()
}

/// Whether a graph becomes a network, which does no harm.
fn is_read(graph: Graph, name: &str) -> bool {
    harm(&graph.file(), Layout::AsFile).unwrap_or_else(|harm| panic!("{name}: {harm}"))
}

#[test]
fn copies_of_constants_are_counted() {
    let mut turned = Graph::with_input(&[1, 4]);
    turned.wholes("shape", &[200_000]);
    turned.node("ConstantOfShape", &["shape"], "c", &[]);
    turned.many(3_000, "Transpose", &["c"], &[], "Max");
    assert!(!is_read(turned, "many transpositions"));

    let mut cast = Graph::with_input(&[1, 4]);
    cast.noughts("w", F32, &[250, 250], 4);
    cast.many(3_000, "Cast", &["w"], &[int("to", I64)], "Max");
    assert!(!is_read(cast, "many casts"));

    let mut shaped = Graph::with_input(&[1, 4]);
    shaped.noughts("w", F32, &[250, 250], 4);
    shaped.wholes("shape", &[62_500]);
    shaped.node("Transpose", &["w"], "t", &[]);
    shaped.many(3_000, "Reshape", &["t", "shape"], &[], "Max");
    assert!(!is_read(shaped, "many shapes of a transposition"));

    let mut single = Graph::with_input(&[1, 4]);
    single.noughts("w", I8, &[250, 1000], 1);
    single.noughts("scale", F32, &[], 4);
    single.many(3_000, "DequantizeLinear", &["w", "scale"], &[], "Max");
    assert!(!is_read(single, "many singles of bytes"));
}

#[test]
fn weights_that_each_graph_copies_are_read() {
    // As exporters write them: a weight for two layers, each of which makes singles of it.
    let mut single = Graph::with_input(&[1, 700]);
    single.noughts("w", I8, &[700, 700], 1);
    single.noughts("scale", F32, &[], 4);
    single.node("DequantizeLinear", &["w", "scale"], "w1", &[]);
    single.node("DequantizeLinear", &["w", "scale"], "w2", &[]);
    single.node("MatMul", &["x", "w1"], "m", &[]);
    single.node("MatMul", &["m", "w2"], "y", &[]);
    assert!(is_read(single, "a shared weight of bytes"));

    let mut half = Graph::with_input(&[1, 400]);
    half.noughts("w", F32, &[400, 400], 4);
    half.noughts("v", F16, &[400, 400], 2);
    half.node("Cast", &["w"], "w1", &[int("to", F16)]);
    half.node("Cast", &["w1"], "w2", &[int("to", F32)]);
    half.node("Cast", &["v"], "v1", &[int("to", F32)]);
    half.node("MatMul", &["x", "w2"], "m", &[]);
    half.node("MatMul", &["m", "v1"], "y", &[]);
    assert!(is_read(half, "weights made halves and singles"));
}

#[test]
fn a_filter_wider_than_its_axis_is_bounded() {
    let resized = |lengths: [u64; 2], sizes: [i64; 3], mode: &str| {
        let mut graph = Graph::with_input(&[1, lengths[0], lengths[1]]);
        graph.wholes("sizes", &sizes);
        let policy = text("keep_aspect_ratio_policy", "not_larger");
        graph.node("Resize", &["x", "", "", "sizes"], "y", &[int("antialias", 1), text("mode", mode), policy]);
        is_read(graph, mode)
    };
    for mode in ["linear", "cubic"] {
        assert!(!resized([4, 1 << 40], [1, 1, 1], mode));
        assert!(!resized([200_000, 1 << 40], [1, 1, 1], mode));
        assert!(!resized([4, 8], [1, -1, -1], mode));
        assert!(resized([4, 100], [1, 8, 10], mode));
        assert!(resized([4, 4096], [1, 1, 1], mode));
    }
}

#[test]
fn what_is_looked_at_is_counted() {
    let sliced = |count| {
        let mut graph = Graph::with_input(&[1, 1]);
        graph.noughts("w", F32, &[250_000, 1], 4);
        graph.wholes("start", &[5]);
        graph.wholes("end", &[6]);
        graph.many(count, "Slice", &["w", "start", "end"], &[], "Sum");
        graph
    };
    is_read(sliced(10_000), "many slices of one number");

    let mut turned = Graph::with_input(&[1, 1]);
    turned.noughts("w", F32, &[2, 125_000], 4);
    turned.wholes("start", &[5]);
    turned.wholes("end", &[6]);
    turned.node("Transpose", &["w"], "t", &[]);
    turned.many(10_000, "Slice", &["t", "start", "end"], &[], "Max");
    is_read(turned, "many slices of a transposition");

    let mut gathered = Graph::with_input(&[1, 1]);
    gathered.noughts("w", F32, &[1, 0], 4);
    gathered.noughts("at", I8, &[250_000], 1);
    gathered.many(10_000, "Gather", &["w", "at"], &[], "Max");
    assert!(!is_read(gathered, "many places of nothing"));

    let mut none = Graph::with_input(&[1, 1]);
    none.noughts("w", F32, &[250_000, 1], 4);
    none.noughts("none", F32, &[0], 4);
    none.many(10_000, "Add", &["w", "none"], &[], "Max");
    is_read(none, "many sums of none");
}
