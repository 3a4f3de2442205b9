"""Runs an engine over the cases and compares each output."""
import json
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent.parent / "cases"
LEVELS = ("strict", "float32", "float16", "bfloat16")
# Positions, frequencies and whole numbers keep their type: engines round them where they have to.
VALUES = {"x", "dy", "q", "k", "v", "keys"}


def load(folder=FOLDER):
    names = json.loads((folder / "index.json").read_text("utf-8"))["cases"]
    return [json.loads((folder / f"{name}.json").read_text("utf-8")) for name in names]


def array_of(stored):
    return np.array(stored["values"], stored["dtype"]).reshape(stored["shape"])


def expected(stored):
    """Values of an output; NaN where the case has null."""
    return np.array(stored["values"], np.float64).reshape(stored["shape"])


def inputs_of(case, dtype="float64", convert=lambda array: array):
    arrays = {name: array_of(stored) for name, stored in case["inputs"].items()}
    return {name: convert(a.astype(dtype) if name in VALUES else a) for name, a in arrays.items()}


def numbers(output):
    """NumPy's form of an output; tensors of PyTorch are read, not required."""
    if hasattr(output, "detach"):
        output = output.detach().cpu().double().numpy()
    return np.asarray(output)


def tolerance_of(case, level):
    """A case without the level (whole numbers, frequencies) has one tolerance for all."""
    return case["tolerance"].get(level) or case["tolerance"]["strict"]


def fault_of(name, got, stored, tolerance):
    """Why an output is wrong, or None."""
    want = expected(stored)
    got = numbers(got)
    if got.shape != want.shape:
        return f"{name}: shape {list(got.shape)} instead of {list(want.shape)}"
    errors = np.abs(got.astype(np.float64) - want)
    allowed = tolerance["absolute"] + tolerance["relative"] * np.abs(want)
    # Values that are null in the case may be anything.
    bad = ~(errors <= allowed) & ~np.isnan(want)
    if not bad.any():
        return None
    return f"{name}: {int(bad.sum())} of {bad.size} values wrong, largest error {np.nanmax(errors, initial=0):.3g}"


def run_case(engine, case, level="strict", dtype="float64", convert=lambda array: array):
    """Returns (status, reason): "passed", "failed" or "not offered"."""
    operation = getattr(engine, case["operation"].replace("-", "_"), None)
    if operation is None:
        return "not offered", case["operation"]
    try:
        outputs = operation(inputs_of(case, dtype, convert), case["parameters"])
    except NotImplementedError as error:
        return "not offered", str(error)
    except Exception as error:  # an engine that throws has failed
        return "failed", f"{type(error).__name__}: {error}"
    for name, stored in case["outputs"].items():
        if name not in outputs:
            return "failed", f"{name} is missing"
        fault = fault_of(name, outputs[name], stored, tolerance_of(case, level))
        if fault:
            return "failed", fault
    return "passed", ""


def run(engine, cases, **options):
    """Results by the name of the case."""
    return {case["name"]: run_case(engine, case, **options) for case in cases}
