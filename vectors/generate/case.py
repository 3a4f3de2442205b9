"""One case: what is computed, from what, and how far a result may be away."""
from arrays import Array, largest

SCHEMA = "1.0"

# Unit roundoffs of the types that engines compute in.
ROUNDOFF = {"float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}

REASONS = {
    "exact": "Whole numbers: no rounding.",
    "relative": "8 roundings of float32 of each value: frequencies and slopes span many magnitudes.",
    "strict": "8 roundings of float32 of the largest output: angles in float64, the rest in float32.",
    "float32": "Strict, and 6 roundings of float32 of the largest angle times the largest output: "
    "angles that are computed in float32.",
    "float16": "8 roundings of float16 of the largest output: inputs and results in float16, angles in float64 or float32.",
    "bfloat16": "8 roundings of bfloat16 of the largest output: inputs and results in bfloat16, angles in float64 or float32.",
}


def rounded_up(x):
    """Two digits, never less than x."""
    if x == 0:
        return 0
    text = f"{x:.1e}"
    digits, exponent = text.split("e")
    return float(text) if float(text) >= x else float(f"{float(digits) + 0.1:.1f}e{exponent}")


def tolerances(outputs, angle, relative):
    """For each level, the largest error of any output: absolute, or relative to the expected value."""
    if all(dtype == "int64" for dtype, _ in outputs.values()):
        return {"strict": level("exact", 0)}
    if relative:
        return {"strict": level("relative", 0, 8 * ROUNDOFF["float32"])}
    most = max(largest(array) for dtype, array in outputs.values() if dtype == "float64")
    errors = {"strict": 8 * ROUNDOFF["float32"] * most}
    errors["float32"] = errors["strict"] + 6 * ROUNDOFF["float32"] * float(angle) * most
    for name in ("float16", "bfloat16"):
        errors[name] = 8 * ROUNDOFF[name] * most + errors["float32"]
    return {name: level(name, error) for name, error in errors.items()}


def level(name, absolute, relative=0.0):
    return {"absolute": rounded_up(absolute), "relative": rounded_up(relative), "reason": REASONS[name]}


def case(name, operation, *, title, parameters, inputs, outputs, source, tags=(), caught=(), angle=0, relative=False):
    """`inputs` and `outputs` are arrays, int64 if their name is in INTEGERS; `angle` is the largest angle in radians."""
    typed = {key: (dtype_of(key), value) for key, value in outputs.items()}
    topic = name.split("/")[0]
    return {
        "schema": SCHEMA,
        "name": name,
        "topic": topic,
        "title": title,
        "operation": operation,
        "tags": sorted(tags),
        "source": source,
        "caught": [{"fault": fault, "reports": list(reports)} for fault, *reports in caught],
        "parameters": parameters,
        "inputs": {key: value.as_json(dtype_of(key, value)) for key, value in inputs.items()},
        "outputs": {key: value.as_json(dtype) for key, (dtype, value) in typed.items()},
        "tolerance": tolerances(typed, angle, relative),
    }


INTEGERS = {"attention_mask", "lengths", "position_ids", "distances", "buckets", "index", "delta"}


def dtype_of(name, value: Array | None = None):
    if name in INTEGERS:
        return "int64"
    if name == "positions" and value and all(v == int(v) for v in value.values):
        return "int64"
    return "float64"
