"""Saves state dicts by PyTorch and says what is in them: python torch_saved.py FOLDER COUNT.

Of each: <number>.pt, and <number>.json with name, dtype, shape and SHA-256 of every tensor, row-major and little-endian.
"""
import collections, json, os, random, sys, warnings

import torch

from torch_numbers import NEWER, WORDS, numbers

warnings.simplefilter("ignore")
folder, count = sys.argv[1], int(sys.argv[2])


def flat(n, dtype, rng):
    size = torch.empty((), dtype=dtype).element_size()
    if dtype == torch.bool:
        return torch.tensor([rng.random() < 0.5 for _ in range(n)], dtype=torch.bool)
    data = bytearray(rng.randbytes(n * size))
    return torch.frombuffer(data, dtype=dtype).clone() if n else torch.empty(0, dtype=dtype)


def view(base, rng):
    """Any look at a flat tensor: from an offset on, with axes in any order, with steps."""
    shape = [rng.randint(0, 4) for _ in range(rng.randint(0, 4))]
    size = 1
    for length in shape:
        size *= length
    if size > base.numel():
        return base
    out = base[rng.randint(0, base.numel() - size):][:size].reshape(shape)
    axes = list(range(len(shape)))
    rng.shuffle(axes)
    out = out.permute(axes)
    return out[::2] if out.dim() and rng.random() < 0.3 else out


def state(seed, words):
    rng = random.Random(seed)
    out, bases = collections.OrderedDict(), []
    for layer in range(rng.randint(0, 12)):
        if not bases or rng.random() < 0.5:
            bases.append(flat(rng.randint(0, 90), rng.choice(list(words)), rng))
        tensor = view(rng.choice(bases), rng)
        if tensor.is_floating_point() and rng.random() < 0.3:
            tensor = torch.nn.Parameter(tensor, requires_grad=rng.random() < 0.5)
        out[rng.choice(["layer", "\u00e9", "\U0001f600", "a/b", "~"]) + f".{layer}.weight"] = tensor
    return out


for seed in range(count):
    legacy = seed % 4 == 3
    words = WORDS if legacy else {**WORDS, **NEWER}
    saved = state(seed, words)
    torch.save(saved, os.path.join(folder, f"{seed}.pt"), _use_new_zipfile_serialization=not legacy)
    told = []
    for name, tensor in torch.load(os.path.join(folder, f"{seed}.pt"), weights_only=True).items():
        told.append([name, *numbers(tensor)])
    with open(os.path.join(folder, f"{seed}.json"), "w") as file:
        json.dump(told, file)
