"""Engines with one mistake each, as they have been published. The cases must notice every one:
python3 vectors/python/mistakes.py prints the cases that fail."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import runner  # noqa: E402
from numpy_engine import NumpyEngine  # noqa: E402

MISTAKES = {}


def mistake(description):
    """Adds an engine that overrides the method of the same name."""

    def add(method):
        MISTAKES[description] = type("Mistaken", (NumpyEngine,), {method.__name__: method})()
        return method

    return add


right = NumpyEngine()


@mistake("pairs of the other layout")
def pairs(self, x, count, pairing):
    return right.pairs(x, count, "interleaved" if pairing == "halves" else "halves")


@mistake("rotated in the other direction")
def turned(self, x, angles, pairing, scale=1.0):
    return right.turned(x, -angles, pairing, scale)


@mistake("positions ignored: tokens count from 0")
def rotate(self, inputs, parameters):
    ids = np.arange(inputs["x"].shape[-2])
    return right.rotate({**inputs, "positions": ids}, parameters)


@mistake("positions in float16")
def angles(self, positions, frequencies):
    with np.errstate(over="ignore"):
        return right.angles(np.minimum(np.float16(positions), np.float16(65504)), frequencies)


@mistake("positions in bfloat16")
def angles(self, positions, frequencies):
    bits = np.asarray(positions, np.float32).view(np.uint32).astype(np.uint64) + 0x8000
    return right.angles((bits & 0xFFFF0000).astype(np.uint32).view(np.float32), frequencies)


@mistake("angles in float32")
def angles(self, positions, frequencies):
    return (np.float32(positions)[..., None] * np.float32(frequencies)).astype(np.float64)


@mistake("partial rotation of pairs across the whole head")
def pairs(self, x, count, pairing):
    if pairing == "halves":
        middle = x.shape[-1] // 2
        return x[..., :count], x[..., middle : middle + count]
    return right.pairs(x, count, pairing)


@mistake("negative positions clamped to 0")
def angles(self, positions, frequencies):
    return right.angles(np.maximum(positions, 0), frequencies)


@mistake("positions rounded to whole numbers")
def angles(self, positions, frequencies):
    return right.angles(np.floor(positions), frequencies)


@mistake("one list of positions for all texts of a batch")
def rotate(self, inputs, parameters):
    ids = inputs["positions"]
    return right.rotate(
        {**inputs, "positions": ids if ids.ndim == 1 else np.broadcast_to(ids[:1], ids.shape)}, parameters
    )


@mistake("gradient rotated forward")
def rotate_backward(self, inputs, parameters):
    return {"dx": right.rotate({**inputs, "x": inputs["dy"]}, parameters)["y"]}


@mistake("cached keys shifted in the other direction")
def shift_keys(self, inputs, parameters):
    return right.shift_keys(inputs, {**parameters, "shift": -parameters["shift"]})


@mistake("cached keys not rotated again")
def shift_keys(self, inputs, parameters):
    return {"keys": inputs["keys"]}


@mistake("magnitude of YaRN missing")
def magnitude(self, rules, factor):
    return 1.0


@mistake("bounds of YaRN always rounded")
def bounds(self, rules, low, high):
    return np.floor(low), np.ceil(high)


@mistake("bounds of YaRN never rounded")
def bounds(self, rules, low, high):
    return low, high


@mistake("mscale and mscale_all_dim ignored")
def magnitude(self, rules, factor):
    return right.magnitude({**rules, "mscale": None}, factor)


@mistake("attention_factor ignored")
def magnitude(self, rules, factor):
    return right.magnitude({**rules, "attention_factor": None}, factor)


@mistake("YaRN read as linear")
def yarn(self, rules, config, head, dim, length):
    return right.linear(rules, config, head, dim, length)


@mistake("rope_theta inside rope_parameters not read")
def rules(self, config):
    return {**right.rules(config), "theta": float(config.get("rope_theta", 10000))}


@mistake("partial_rotary_factor ignored")
def rules(self, config):
    found = right.rules(config)
    return found if found["kind"] == "proportional" else {**found, "part": 1}


@mistake("head_dim ignored")
def head(self, config):
    return config.get("hidden_size", 128) // config.get("num_attention_heads", 2)


@mistake("llama3 without the smooth part")
def llama3(self, rules, config, head, dim, length):
    plain = self.plain(dim, rules["theta"])
    turns = rules["original_max_position_embeddings"] * plain / (2 * np.pi)
    return np.where(turns < rules["high_freq_factor"], plain / rules["factor"], plain), 1.0


@mistake("linear scale multiplied")
def linear(self, rules, config, head, dim, length):
    return self.plain(dim, rules["theta"]) * rules["factor"], 1.0


@mistake("proportional treated as partial")
def proportional(self, rules, config, head, dim, length):
    return self.plain(dim, rules["theta"]), 1.0


@mistake("dynamic scale that does not depend on the length")
def dynamic(self, rules, config, head, dim, length):
    return right.dynamic(rules, config, head, dim, config["max_position_embeddings"] * rules["factor"])


@mistake("LongRoPE switched at the trained length")
def is_long(self, length, trained):
    return length >= trained


@mistake("arrangement of M-RoPE sections mistaken")
def axes(self, sections, arrangement, pairs):
    return right.axes(sections, "interleaved" if arrangement == "consecutive" else "consecutive", pairs)


@mistake("YaRN ignored if the config has sections")
def yarn(self, rules, config, head, dim, length):
    make = right.default if "mrope_section" in rules else right.yarn
    return make(rules, config, head, dim, length)


@mistake("padding counted as tokens")
def position_ids_of_mask(self, inputs, parameters):
    mask = inputs["attention_mask"]
    return {"position_ids": np.broadcast_to(np.arange(mask.shape[-1]), mask.shape)}


@mistake("packed texts counted through")
def position_ids_of_lengths(self, inputs, parameters):
    return {"position_ids": np.arange(inputs["lengths"].sum())}


@mistake("text after an image continues by the number of tokens")
def after(self, parts):
    return sum(part.shape[1] for part in parts)


@mistake("slopes of any number of heads by one rule")
def slopes(self, heads):
    return 2.0 ** (-8 / heads * np.arange(1, heads + 1))


@mistake("queries aligned with the first keys")
def distances(self, queries, keys):
    return np.arange(queries)[:, None] - np.arange(keys)


@mistake("T5 buckets one too small at their bounds")
def logarithm(self, sizes, near, longest, count):
    return np.floor(np.log(np.maximum(sizes, near) / near) / np.log(longest / near) * count - 1e-6)


@mistake("T5 buckets rounded to the nearest")
def logarithm(self, sizes, near, longest, count):
    return np.rint(np.log(np.maximum(sizes, near) / near) / np.log(longest / near) * count)


@mistake("DeBERTa buckets rounded down")
def whole(self, logs):
    return np.floor(logs)


@mistake("rows and columns of a window exchanged")
def window_index(self, inputs, parameters):
    return right.window_index(inputs, {"height": parameters["width"], "width": parameters["height"]})


@mistake("sines and cosines exchanged")
def arranged(self, sines, cosines, order):
    return right.arranged(cosines, sines, order)


@mistake("exponent divided by dim / 2 in all tables")
def denominator(self, parameters):
    return parameters["dim"] // 2


@mistake("height and width of a grid exchanged")
def sinusoidal_grid(self, inputs, parameters):
    return right.sinusoidal_grid(
        inputs, {**parameters, "first": "width" if parameters["first"] == "height" else "height"}
    )


@mistake("query heads share key heads in turn")
def shared(self, part, times):
    return np.tile(part, (1, times, 1, 1))


@mistake("window one token too long")
def visible(self, distances, parameters):
    longer = {**parameters, "window": parameters["window"] + 1} if "window" in parameters else parameters
    return right.visible(distances, longer)


@mistake("mask of later tokens missing")
def visible(self, distances, parameters):
    return right.visible(distances, {**parameters, "causal": False})


@mistake("values rotated too")
def with_positions(self, q, k, v, frequencies, pairing):
    keys = np.arange(k.shape[2])
    return *right.with_positions(q, k, v, frequencies, pairing)[:2], self.turned(
        v, self.angles(keys, frequencies), pairing
    )


@mistake("only the queries rotated")
def with_positions(self, q, k, v, frequencies, pairing):
    return right.with_positions(q, k, v, frequencies, pairing)[0], k, v


@mistake("bias scaled with the scores")
def biased(self, scores, bias, dim):
    return scores + bias * dim**-0.5


def main():
    cases, unnoticed = runner.load(), 0
    for description, engine in MISTAKES.items():
        results = runner.run(engine, cases)
        failed = [name for name, (status, _) in results.items() if status == "failed"]
        unnoticed += not failed
        print(f"{'noticed' if failed else 'MISSED'}: {description}: {', '.join(failed) or 'no case fails'}")
    print(f"vectors: {len(MISTAKES) - unnoticed} of {len(MISTAKES)} mistakes noticed")
    sys.exit(1 if unnoticed else 0)


if __name__ == "__main__":
    main()
