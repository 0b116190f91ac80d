"""Element types of PyTorch in the words of this library, and what tells a tensor's numbers apart from any others."""
import hashlib

import torch

WORDS = {
    torch.float32: "F32", torch.float64: "F64", torch.float16: "F16", torch.bfloat16: "BF16", torch.int8: "I8",
    torch.int16: "I16", torch.int32: "I32", torch.int64: "I64", torch.uint8: "U8", torch.bool: "BOOL",
    torch.complex64: "C64", torch.complex128: "C128",
}
# Since 1.6 alone: kept in storages without a type.
NEWER = {
    torch.uint16: "U16", torch.uint32: "U32", torch.uint64: "U64", torch.float8_e4m3fn: "F8_E4M3",
    torch.float8_e5m2: "F8_E5M2", torch.float8_e8m0fnu: "F8_E8M0", torch.float8_e4m3fnuz: "F8_E4M3FNUZ",
    torch.float8_e5m2fnuz: "F8_E5M2FNUZ",
}


def numbers(tensor):
    """Element type, shape, and SHA-256 of the numbers, row-major and little-endian."""
    flat = torch.empty(tensor.numel(), dtype=tensor.dtype).copy_(tensor.detach().reshape(-1))
    data = flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""
    return [{**WORDS, **NEWER}[tensor.dtype], list(tensor.shape), hashlib.sha256(data).hexdigest()]
