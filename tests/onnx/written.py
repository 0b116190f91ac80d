"""Runs files of ONNX by ONNX Runtime and compares: python written.py FOLDER APART.

Of each in the folder: <number>.onnx, and <number>.safetensors with `input.0`, … and the answers `output.0`, … that are expected.
APART is how far they may lie apart for each 1 of the largest. Inputs with a NaN are passed by: runtimes differ in what they
make of one.
"""
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from safetensors import safe_open

folder, apart = Path(sys.argv[1]), float(sys.argv[2])
options = onnxruntime.SessionOptions()
options.log_severity_level = 4
options.intra_op_num_threads = 1
failed, worst, count, passed_by = [], 0.0, 0, 0
for path in sorted(folder.glob("*.onnx")):
    with safe_open(path.with_suffix(".safetensors"), "np") as file:
        name = file.metadata()["name"]
        held = {key: file.get_tensor(key) for key in file.keys()}
    if any(np.isnan(array).any() for key, array in held.items() if key.startswith("input") and array.dtype.kind == "f"):
        passed_by += 1
        continue
    count += 1
    try:
        onnx.checker.check_model(onnx.load(path), full_check=True)
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        inputs = {port.name: held[f"input.{at}"] for at, port in enumerate(session.get_inputs())}
        for at, answer in enumerate(session.run(None, inputs)):
            expected = held[f"output.{at}"]
            if answer.shape != expected.shape:
                raise ValueError(f"shape {answer.shape} instead of {expected.shape}")
            both = np.isfinite(answer) & np.isfinite(expected)
            if not np.array_equal(answer[~both], expected[~both], equal_nan=True):
                raise ValueError("other infinities")
            far = np.abs(np.where(both, answer, 0).astype(np.float64) - np.where(both, expected, 0)).max(initial=0)
            far /= max(1.0, np.abs(np.where(both, expected, 0)).max(initial=0))
            worst = max(worst, far)
            if far > apart:
                raise ValueError(f"{far:.2e} apart")
    except Exception as error:
        failed.append(f"{name}: {str(error)[:300]}")
print(f"ONNX Runtime {onnxruntime.__version__}: {count - len(failed)} of {count} alike, the worst {worst:.1e} apart; {passed_by} with a NaN passed by")
print("\n".join(failed))
sys.exit(bool(failed))
