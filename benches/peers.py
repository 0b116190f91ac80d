"""Pontil and ONNX Runtime side by side on the networks of `forward`, at one and two threads.

    python benches/peers.py [NAME...]

Builds the benchmark, writes the same networks as ONNX models, and runs both through their C functions: at one thread in one
process, block by block in turns; at two in a process for each, in turns, since threads of either look for work for a while
after they had some. Printed: the fewest microseconds of a call of either, and how many times as long ONNX Runtime takes.
Needs cargo, numpy, onnx and onnxruntime. Numbers are made up. PONTIL_BENCH_PREFIX is put before the command, e.g.
`chrt -f 10`, where a machine is not quiet.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

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
        self.nodes[-1].output[0] = self.value = "output"
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


def fewest(program, words):
    """The fewest microseconds of each batch."""
    prefix = os.environ.get("PONTIL_BENCH_PREFIX", "").split()
    printed = subprocess.run([*prefix, program, *words], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = re.findall(r"batch +(\d+)  threads \d+ +([\d.]+) µs", printed)
    return {int(batch): float(us) for batch, us in found}


def apart(program, name, words):
    """Two rounds of a process for each."""
    rounds = [(fewest(program, [name, *words[:2]]), fewest(program, [name, *words, "--apart"])) for _ in range(2)]
    for batch in rounds[0][0]:
        ours, theirs = (min(both[side][batch] for both in rounds) for side in (0, 1))
        print(f"{name:4} batch {batch:4}  threads {words[1]}  {ours:12.3f} µs", end="")
        print(f"  ONNX Runtime {theirs:12.3f} µs  {theirs / ours:6.2f} times", flush=True)


def main(names):
    run = ["cargo", "bench", "--bench", "forward", "--no-run", "--message-format=json"]
    built = subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout
    programs = [json.loads(line).get("executable") for line in built.splitlines() if '"forward"' in line]
    program = next(path for path in programs if path)
    library = next(pathlib.Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so*"))
    with tempfile.TemporaryDirectory() as folder:
        for name, net in networks():
            pathlib.Path(folder, f"{name}.onnx").write_bytes(net.model())
        names = names or [name for name, _ in networks()]
        for name in names:
            words = ["--threads", "1", "--peer", str(library), "--models", folder]
            subprocess.run([*os.environ.get("PONTIL_BENCH_PREFIX", "").split(), program, name, *words], check=True)
        for name in names:
            apart(program, name, ["--threads", "2", "--peer", str(library), "--models", folder])


if __name__ == "__main__":
    main(sys.argv[1:])
