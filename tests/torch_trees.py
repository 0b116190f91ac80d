"""Saves by PyTorch what people save besides plain state dicts, and says what is in it: python torch_trees.py FOLDER.

Of each: <name>.pt, and <name>.json with the value as PyTorch reads it (`torch.load`, weights alone where it reads that), or
`{"refused": words}` where it is to be refused in those words.
"""
import collections, json, os, random, struct, sys, warnings

import numpy
import torch
import torch.nn.utils.prune
from torch import nn, optim

from torch_numbers import NEWER, WORDS, numbers

warnings.simplefilter("ignore")
torch.manual_seed(7)
folder = sys.argv[1]
WORDS = {**WORDS, **NEWER}


def told(value):
    """A value in words that hold every bit of it."""
    if isinstance(value, torch.Tensor):
        return {"tensor": numbers(value)}
    if isinstance(value, torch.storage.UntypedStorage):
        return told(torch.tensor(value.tolist(), dtype=torch.uint8))
    if isinstance(value, torch.storage.TypedStorage):
        return told(torch.tensor(value.tolist(), dtype=value.dtype))
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return told(torch.from_numpy(numpy.array(value)))
    if isinstance(value, (torch.dtype, torch.layout, torch.device)):
        return told(str(value))
    if isinstance(value, dict):
        return {"named": [[key_words(key), told(value)] for key, value in value.items()]}
    if isinstance(value, list):
        return {"list": [told(element) for element in value]}
    if isinstance(value, tuple):
        return {"tuple": [told(element) for element in value]}
    if isinstance(value, (set, frozenset)):
        return {"set": sorted((told(element) for element in value), key=json.dumps)}
    if isinstance(value, bool):
        return {"flag": value}
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, float):
        return {"real": struct.pack(">d", value).hex()}
    if isinstance(value, complex):
        return {"complex": [struct.pack(">d", value.real).hex(), struct.pack(">d", value.imag).hex()]}
    if isinstance(value, str):
        return {"text": value.encode("utf-8", "surrogatepass").hex()}
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": value.hex()}
    assert value is None, type(value)
    return {"none": None}


def key_words(key):
    words = "(" + ", ".join(str(part) for part in key) + ")" if isinstance(key, tuple) else str(key)
    return words.encode("utf-8", "surrogatepass").hex()


count = 0


def write(name, value, refused=None, plain=False, **how):
    """Saves a value. `plain`: PyTorch reads it only with weights_only=False."""
    global count
    path = os.path.join(folder, name)
    torch.save(value, path + ".pt", **how)
    says = {"refused": refused} if refused else told(torch.load(path + ".pt", weights_only=not plain))
    with open(path + ".json", "w") as file:
        json.dump(says, file)
    count += 1


MODULES = {
    "linear": lambda: nn.Linear(3, 4), "linear_no_bias": lambda: nn.Linear(3, 4, bias=False),
    "bilinear": lambda: nn.Bilinear(2, 3, 4), "identity": nn.Identity, "conv1d": lambda: nn.Conv1d(2, 4, 3, groups=2),
    "conv2d": lambda: nn.Conv2d(2, 4, (3, 2)), "conv3d": lambda: nn.Conv3d(1, 2, 2),
    "transposed1d": lambda: nn.ConvTranspose1d(2, 4, 3), "transposed2d": lambda: nn.ConvTranspose2d(2, 4, 3),
    "transposed3d": lambda: nn.ConvTranspose3d(1, 2, 2), "batch1d": lambda: nn.BatchNorm1d(4),
    "batch2d": lambda: nn.BatchNorm2d(4, affine=False), "batch3d": lambda: nn.BatchNorm3d(4, track_running_stats=False),
    "sync": lambda: nn.SyncBatchNorm(4), "instance": lambda: nn.InstanceNorm2d(4, affine=True, track_running_stats=True),
    "layer": lambda: nn.LayerNorm((2, 3)), "group": lambda: nn.GroupNorm(2, 4), "rms": lambda: nn.RMSNorm(4),
    "lstm": lambda: nn.LSTM(3, 4, 2, bidirectional=True), "lstm_projected": lambda: nn.LSTM(3, 4, proj_size=2),
    "gru": lambda: nn.GRU(3, 4, 2), "rnn": lambda: nn.RNN(3, 4, bias=False), "lstm_cell": lambda: nn.LSTMCell(3, 4),
    "gru_cell": lambda: nn.GRUCell(3, 4), "attention": lambda: nn.MultiheadAttention(8, 2),
    "attention_other": lambda: nn.MultiheadAttention(8, 2, kdim=3, vdim=5, add_bias_kv=True),
    "encoder_layer": lambda: nn.TransformerEncoderLayer(8, 2, 16), "decoder_layer": lambda: nn.TransformerDecoderLayer(8, 2, 16),
    "transformer": lambda: nn.Transformer(8, 2, 1, 1, 16), "embedding": lambda: nn.Embedding(5, 3, padding_idx=0),
    "bag": lambda: nn.EmbeddingBag(5, 3), "prelu": lambda: nn.PReLU(3), "adaptive": lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 10, [4, 7]),
    "bce": lambda: nn.BCEWithLogitsLoss(pos_weight=torch.ones(3)), "parameter_list": lambda: nn.ParameterList([torch.ones(2), torch.zeros(0)]),
    "parameter_dict": lambda: nn.ParameterDict({"a.b".replace(".", "_"): torch.ones(2)}), "module_dict": lambda: nn.ModuleDict({"a": nn.Linear(1, 1)}),
    "sequential": lambda: nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Sequential(nn.Linear(2, 1))),
    "weight_norm_old": lambda: nn.utils.weight_norm(nn.Linear(3, 4)),
    "weight_norm": lambda: nn.utils.parametrizations.weight_norm(nn.Conv1d(2, 3, 2)),
    "spectral_old": lambda: nn.utils.spectral_norm(nn.Linear(3, 4)),
    "spectral": lambda: nn.utils.parametrizations.spectral_norm(nn.Conv2d(2, 3, 2)),
    "orthogonal": lambda: nn.utils.parametrizations.orthogonal(nn.Linear(3, 3)),
    "pruned": lambda: nn.utils.prune.l1_unstructured(nn.Linear(3, 4), "weight", 0.5),
    "averaged": lambda: optim.swa_utils.AveragedModel(nn.Linear(2, 2)),
}

MAKERS = {
    "sgd": lambda p: optim.SGD(p, 0.1), "sgd_momentum": lambda p: optim.SGD(p, 0.1, momentum=0.9, nesterov=True),
    "adam": lambda p: optim.Adam(p), "amsgrad": lambda p: optim.Adam(p, amsgrad=True), "adamw": lambda p: optim.AdamW(p, weight_decay=0.01),
    "capturable": lambda p: optim.Adam(p, lr=torch.tensor(1e-3), foreach=False), "nadam": lambda p: optim.NAdam(p), "radam": lambda p: optim.RAdam(p),
    "adamax": lambda p: optim.Adamax(p), "adagrad": lambda p: optim.Adagrad(p), "adadelta": lambda p: optim.Adadelta(p),
    "rmsprop": lambda p: optim.RMSprop(p, momentum=0.9, centered=True), "rprop": lambda p: optim.Rprop(p), "asgd": lambda p: optim.ASGD(p),
    "lbfgs": lambda p: optim.LBFGS(p, max_iter=2),
    "groups": lambda p: optim.AdamW([{"params": p[:1], "lr": 1e-4, "name": "first"}, {"params": p[1:], "weight_decay": 0.0}]),
}

SCHEDULES = {
    "step": lambda o: optim.lr_scheduler.StepLR(o, 2), "multi_step": lambda o: optim.lr_scheduler.MultiStepLR(o, [2, 4, 4]),
    "exponential": lambda o: optim.lr_scheduler.ExponentialLR(o, 0.9), "cosine": lambda o: optim.lr_scheduler.CosineAnnealingLR(o, 5),
    "warm": lambda o: optim.lr_scheduler.CosineAnnealingWarmRestarts(o, 5), "plateau": lambda o: optim.lr_scheduler.ReduceLROnPlateau(o),
    "one_cycle": lambda o: optim.lr_scheduler.OneCycleLR(o, 0.1, total_steps=9), "linear": lambda o: optim.lr_scheduler.LinearLR(o),
    "constant": lambda o: optim.lr_scheduler.ConstantLR(o), "polynomial": lambda o: optim.lr_scheduler.PolynomialLR(o),
    "lambda": lambda o: optim.lr_scheduler.LambdaLR(o, lambda epoch: 0.9**epoch),
    "sequential": lambda o: optim.lr_scheduler.SequentialLR(o, [optim.lr_scheduler.ConstantLR(o), optim.lr_scheduler.ExponentialLR(o, 0.9)], [2]),
}


def trained(make):
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
    optimiser = make(list(model.parameters()))
    for _ in range(2):
        def closure():
            optimiser.zero_grad()
            loss = model(torch.randn(5, 3)).square().mean()
            loss.backward()
            return loss
        optimiser.step(closure)
    return model, optimiser


for name, make in MODULES.items():
    module = make()
    write(f"module_{name}", module.state_dict())
    write(f"module_{name}_legacy", module.state_dict(), _use_new_zipfile_serialization=False)
    write(f"module_{name}_half", collections.OrderedDict((k, v.half() if v.is_floating_point() else v) for k, v in module.state_dict().items()))
    write(f"module_{name}_wrapped", {"epoch": 3, "model": {f"module.{k}": v for k, v in module.state_dict().items()}})
for name, make in MAKERS.items():
    model, optimiser = trained(make)
    write(f"optimiser_{name}", optimiser.state_dict())
    write(f"optimiser_{name}_legacy", optimiser.state_dict(), _use_new_zipfile_serialization=False)
    write(f"checkpoint_{name}", {
        "state_dict": model.state_dict(), "optimizer": optimiser.state_dict(), "epoch": 7, "loss": 0.25, "best": float("inf"), "args": {"lr": 1e-3, "layers": [4, 1], "name": "net"}})
for name, make in SCHEDULES.items():
    model, optimiser = trained(MAKERS["sgd_momentum"])
    schedule = make(optimiser)
    for _ in range(3):
        schedule.step(0.5) if name == "plateau" else schedule.step()
    state = schedule.state_dict()
    # PyTorch itself reads these with their functions and classes alone.
    state = {k: v for k, v in state.items() if not callable(v) and k != "_anneal_func_type" or isinstance(v, (str, int))}
    write(f"schedule_{name}", {"schedule": state, "model": model.state_dict()}, plain=True)

base = torch.randn(6, 8)
VALUES = {
    "scaler": torch.amp.GradScaler("cpu").state_dict(), "rng": {"torch": torch.get_rng_state(), "python": random.getstate()},
    "tensor": torch.randn(3), "parameter": nn.Parameter(torch.randn(3)), "tensors": [torch.randn(2), (torch.ones(1, dtype=torch.int16),)],
    "number": 5, "nothing": None, "text": "tekst \u00e9 \U0001f600", "real": -0.0, "list": [], "dictionary": {}, "tuple": (),
    "numbers": [0, 1, -1, 255, 256, 65535, 65536, -2**31, 2**31, -2**63, 2**63 - 1, 2**63, -2**200, 2**2000 + 1],
    "reals": [0.0, -0.0, 1e308, 5e-324, float("inf"), float("-inf"), float("nan"), 0.1], "flags": [True, False, None],
    "complex": [1 + 2j, complex("nan"), -0j], "bytes": [b"\x00\xff", bytes(range(256)), bytearray(b"ab\xff"), bytearray()],
    "keys": {1: "a", -5: "b", 1.5: "c", True and (1, "x"): "d", None: "e", False: "f", (): "g", (1.0, None, True): "h"},
    "counter": collections.Counter("abracadabra"), "ordered": collections.OrderedDict([("b", 1), ("a", 2)]), "size": torch.Size([2, 0, 3]),
    "sets": [set(), {1}, {"a", "b"}, {(1, 2)}], "words": [torch.float16, torch.bfloat16, torch.strided, torch.device("cpu"), torch.device("cuda", 3), torch.device("meta")],
    "views": {"t": base.t(), "step": base[::2, 1::3], "row": base[3], "corner": base[5, 7], "none": base[6:], "flip": base.flip(0), "diagonal": base.diagonal(), "window": base.as_strided((3, 3), (5, 3), 2)},
    "shared": {"a": base, "b": base, "c": base.view(-1), "d": nn.Parameter(base)}, "empty": {"a": torch.empty(0), "b": torch.empty(3, 0, 2), "c": torch.tensor(4.5), "d": torch.empty(0, dtype=torch.int8)},
    "deep": (lambda make: make(make, 30))(lambda make, left: {"a": [make(make, left - 2)]} if left else torch.ones(1)),
    "long": {"history": [float(i) / 3 for i in range(20000)], "steps": list(range(20000)), "names": [f"n{i}" for i in range(5000)]},
    "surrogate": {"a\udc80": 1, "\ud800": "\udfff", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"): 2},
    "dots": {"a.b": torch.ones(1), "a": {"b": torch.zeros(1)}, "/": 1, "~": 2, "": 3, " ": 4}, "twice": (lambda x: [x, x, {"x": x}])([1, torch.ones(2)]),
    "hooked": (lambda t: {"x": t})(torch.ones(3, requires_grad=True)), "buffer": {"x": nn.Buffer(torch.ones(2))} if hasattr(nn, "Buffer") else {},
}
for dtype in WORDS:
    VALUES[f"dtype_{str(dtype)[6:]}"] = {"x": torch.arange(7).to(torch.float32).to(dtype) if dtype != torch.float8_e8m0fnu else torch.arange(7).to(torch.uint8).view(dtype), "scalar": torch.ones((), dtype=torch.float32).to(dtype)}
attributed = torch.ones(2)
attributed.note = "kept beside"
VALUES["attributed"] = {"x": attributed}
for name, value in VALUES.items():
    write(f"value_{name}", value)
    write(f"value_{name}_wrapped", {"epoch": 1, "x": value, "again": [value]})
    write(f"value_{name}_protocol_3", value, pickle_protocol=3, **({"refused": "SHORT_BINBYTES"} if name == "bytes" else {}))
    if name.startswith("dtype") and getattr(torch, name[6:]) in NEWER:
        continue
    write(f"value_{name}_legacy", value, _use_new_zipfile_serialization=False)
write("value_bytes_empty", {"x": b"", "y": 1}, plain=True)
write("value_storage", {"typed": torch.FloatStorage([1.0, 2.0]), "untyped": torch.arange(4).untyped_storage()}, plain=True)
write("value_numpy", {"a": numpy.arange(6.0).reshape(2, 3), "f": numpy.asfortranarray(numpy.arange(6, dtype="i2").reshape(2, 3)), "s": numpy.float32(1.5),
    "i": numpy.int64(-7), "b": numpy.bool_(True), "big": numpy.arange(3, dtype=">f4").astype("f4"), "empty": numpy.zeros((0, 3)), "zero": numpy.array(5, dtype="u1"), "c": numpy.array([1 + 2j], dtype="c8")}, plain=True)
write("value_numpy_state", {"rng": numpy.random.RandomState(3).get_state()}, plain=True)
write("value_defaultdict", {"x": collections.defaultdict(list, {"a": [1]}), "y": collections.defaultdict(None, {1: 2})}, plain=True)
torch.serialization.set_crc32_options(False)
write("archive_no_checksums", {"x": base})
torch.serialization.set_crc32_options(True)
torch.utils.serialization.config.save.storage_alignment = 4096
write("archive_aligned", {"x": base, "y": torch.ones(3)})
torch.utils.serialization.config.save.storage_alignment = 64


class Settings:
    def __init__(self):
        self.rate = 0.1


model = nn.Sequential(nn.Linear(2, 2))
write("refused_module", model, refused="state_dict()")
write("refused_module_legacy", model, refused="state_dict()", _use_new_zipfile_serialization=False)
write("refused_checkpoint_of_module", {"model": model, "epoch": 1}, refused="state_dict()")
write("refused_settings", {"state_dict": model.state_dict(), "args": Settings()}, refused="Settings")
write("refused_sparse", {"x": torch.eye(3).to_sparse()}, refused="to_dense()")
write("refused_sparse_rows", {"x": torch.eye(3).to_sparse_csr()}, refused="to_dense()")
write("refused_quantised", {"x": torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8)}, refused="dequantize()")
write("refused_meta", {"x": torch.ones(3, device="meta")}, refused="no numbers")
write("refused_negated", {"x": torch.tensor([1j]).conj().imag}, refused="resolve_neg()")
write("refused_conjugated", {"x": torch.tensor([1j]).conj()}, refused="resolve_conj()")
write("refused_repeated", {"x": torch.ones(1).expand(4)}, refused="contiguous()")
write("refused_complex32", {"x": torch.ones(2, dtype=torch.complex32)}, refused="torch.complex64")
for bits in ["bits8", "bits16"]:
    write(f"refused_{bits}", {"x": torch.ones(2, dtype=torch.int16 if bits == "bits16" else torch.uint8).view(getattr(torch, bits))}, refused="view(torch.")
write("refused_float4", {"x": torch.ones(2, dtype=torch.uint8).view(torch.float4_e2m1fn_x2)}, refused="view(torch.uint8)")
write("refused_nested", {"x": torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])}, refused="one by one")
for protocol, word in [(0, "GET"), (1, "BINSTRING"), (4, "FRAME"), (5, "FRAME")]:
    write(f"refused_protocol_{protocol}", model.state_dict(), refused="pickle_protocol=2", pickle_protocol=protocol)
torch.jit.script(model).save(os.path.join(folder, "refused_script.pt"))
with open(os.path.join(folder, "refused_script.json"), "w") as file:
    json.dump({"refused": "torch.jit.load"}, file)
print(count + 1)
