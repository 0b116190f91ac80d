"""The networks of `forward.rs` in ONNX Runtime, and how many times as long it takes.

    cargo bench --bench forward -- --json --threads 1 > pontil.jsonl
    python benches/peers.py pontil.jsonl

Needs numpy, onnx and onnxruntime. Numbers are made up, shapes are those of `forward.rs`; the fewest microseconds of a call
in blocks of calls back to back, as there. Run both one after the other on a quiet machine.
"""

import json
import sys
import time

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper


class Net:
    """Layers one after another, as an ONNX graph."""

    def __init__(self, shape):
        self.shape, self.nodes, self.numbers, self.value = shape, [], [], "input"
        self.random = np.random.default_rng(1)

    def slot(self, *shape, positive=False):
        terms = max(int(np.prod(shape[1:])), 1)
        numbers = self.random.uniform(-1, 1, shape) * (3 / terms) ** 0.5
        numbers = np.abs(numbers) + 0.5 if positive else numbers
        name = f"n{len(self.numbers)}"
        self.numbers.append(numpy_helper.from_array(numbers.astype(np.float32), name))
        return name

    def add(self, kind, *slots, **attributes):
        made = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, [self.value, *slots], [made], **attributes))
        self.value = made
        return self

    def dense(self, ins, outs, then=None):
        self.add("Gemm", self.slot(outs, ins), self.slot(outs), transB=1)
        return self.add(then) if then else self

    def conv(self, ins, outs, size, border, bias=True):
        slots = [self.slot(outs, ins, size, size)] + ([self.slot(outs)] if bias else [])
        return self.add("Conv", *slots, kernel_shape=[size] * 2, pads=[border] * 4)

    def norm(self, width):
        slots = [self.slot(width) for _ in range(3)] + [self.slot(width, positive=True)]
        return self.add("BatchNormalization", *slots)

    def pool(self, kind, size, ceil=0):
        return self.add(kind, kernel_shape=[size] * 2, strides=[2, 2], ceil_mode=ceil)

    def lrn(self):
        return self.add("LRN", size=3, alpha=5e-5, beta=0.75, bias=1.0)

    def model(self):
        port = helper.make_tensor_value_info("input", TensorProto.FLOAT, ["N", *self.shape])
        made = helper.make_tensor_value_info(self.value, TensorProto.FLOAT, None)
        graph = helper.make_graph(self.nodes, "net", [port], [made], self.numbers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        return model.SerializeToString()


def networks():
    yield "w1", Net([14]).dense(14, 16, "Relu").dense(16, 1, "Sigmoid")
    for name, then in ("w2", "Elu"), ("w2t", "Tanh"):
        yield name, Net([48]).dense(48, 256, then).dense(256, 128, then).dense(128, 64, then).dense(64, 12)
    net = Net([1, 28, 28]).conv(1, 20, 5, 0).pool("MaxPool", 2).conv(20, 50, 5, 0).pool("MaxPool", 2).add("Flatten")
    yield "w3", net.dense(800, 500, "Relu").dense(500, 10).add("Softmax")
    net = Net([3, 32, 32]).conv(3, 32, 5, 2).pool("MaxPool", 3, 1).add("Relu").lrn().conv(32, 32, 5, 2).add("Relu")
    net.pool("AveragePool", 3, 1).lrn().conv(32, 64, 5, 2).add("Relu").pool("AveragePool", 3, 1)
    yield "w4", net.add("Flatten").dense(1024, 10)
    net, ins = Net([3, 128, 128]), 3
    for width in (32, 64, 128, 256):
        for _ in range(2):
            net.conv(ins, width, 3, 1, bias=False).norm(width).add("Relu")
            ins = width
        net.pool("MaxPool", 2)
    yield "w5", net.add("GlobalAveragePool").add("Flatten").dense(256, 100)
    yield "w6", Net([1024]).dense(1024, 4096, "Relu").dense(4096, 4096, "Relu").dense(4096, 1024)


def fewest(session, x):
    """Microseconds of a call, in the best of blocks of about 2 ms."""
    binding = session.io_binding()
    binding.bind_cpu_input("input", x)
    binding.bind_output(session.get_outputs()[0].name)
    session.run_with_iobinding(binding)
    calls, best, begin = 1, float("inf"), time.perf_counter()
    while time.perf_counter() - begin < 0.4 or best == float("inf"):
        start = time.perf_counter()
        for _ in range(calls):
            session.run_with_iobinding(binding)
        took = time.perf_counter() - start
        if took < 0.002:
            calls *= 2
            continue
        best = min(best, took * 1e6 / calls)
    return best


def main(path):
    with open(path, encoding="utf-8") as file:
        ours = [json.loads(line) for line in file]
    models = {name: net for name, net in networks()}
    for line in ours:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = line["threads"], 1
        net = models[line["name"]]
        session = onnxruntime.InferenceSession(net.model(), options, providers=["CPUExecutionProvider"])
        x = np.random.default_rng(2).uniform(-1, 1, (line["batch"], *net.shape)).astype(np.float32)
        theirs = fewest(session, x)
        print(
            f"{line['name']:4} batch {line['batch']:4}  threads {line['threads']}  Pontil {line['us']:12.3f} µs"
            f"  ONNX Runtime {theirs:12.3f} µs  {theirs / line['us']:6.2f} times"
        )


if __name__ == "__main__":
    main(sys.argv[1])
