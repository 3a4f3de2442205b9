"""An engine in NumPy and float64: the formulas once more, written apart from those that made the cases."""
import numpy as np


class NumpyEngine:
    """One method per operation: inputs and parameters are dicts, and so is the result."""

    # Frequencies of config.json --------------------------------------------------------------------------------------

    def rules(self, config):
        found = dict(config.get("rope_parameters") or config.get("rope_scaling") or {})
        found["theta"] = float(found.get("rope_theta", config.get("rope_theta", 10000)))
        found["kind"] = found.get("rope_type") or found.get("type") or "default"
        found["part"] = found.get("partial_rotary_factor", config.get("partial_rotary_factor", 1))
        return found

    def head(self, config):
        return config.get("head_dim", 0) or config["hidden_size"] // config["num_attention_heads"]

    def plain(self, dim, theta):
        return theta ** (-2.0 * np.arange(dim // 2) / dim)

    def frequencies(self, config, length):
        rules, head = self.rules(config), self.head(config)
        make = getattr(self, rules["kind"])
        return make(rules, config, head, round(head * rules["part"] + 1e-9 - 0.5), length)

    def default(self, rules, config, head, dim, length):
        return self.plain(dim, rules["theta"]), 1.0

    def linear(self, rules, config, head, dim, length):
        return self.plain(dim, rules["theta"]) / rules["factor"], 1.0

    def dynamic(self, rules, config, head, dim, length):
        grown = max(length / config["max_position_embeddings"], 1.0)
        stretch = 1 + rules["factor"] * (grown - 1)
        return self.plain(dim, rules["theta"] * stretch ** (dim / (dim - 2))), 1.0

    def proportional(self, rules, config, head, dim, length):
        result = self.plain(head, rules["theta"])
        result[int(rules["part"] * head) // 2 :] = 0
        return result / rules.get("factor", 1), 1.0

    def llama3(self, rules, config, head, dim, length):
        plain = self.plain(dim, rules["theta"])
        turns = rules["original_max_position_embeddings"] * plain / (2 * np.pi)
        low, high = rules["low_freq_factor"], rules["high_freq_factor"]
        kept = np.clip((turns - low) / (high - low), 0, 1)
        return plain * (kept + (1 - kept) / rules["factor"]), 1.0

    def longrope(self, rules, config, head, dim, length):
        trained = rules.get("original_max_position_embeddings", config.get("original_max_position_embeddings"))
        factors = rules["long_factor"] if self.is_long(length, trained) else rules["short_factor"]
        ratio = config["max_position_embeddings"] / trained
        return self.plain(dim, rules["theta"]) / factors, np.sqrt(1 + max(np.log(ratio), 0) / np.log(trained))

    def is_long(self, length, trained):
        return length > trained

    def yarn(self, rules, config, head, dim, length):
        trained = rules.get("original_max_position_embeddings") or config["max_position_embeddings"]
        plain, factor = self.plain(dim, rules["theta"]), rules["factor"]

        def pair_of(turns):
            return dim / 2 * np.log(trained / (2 * np.pi * turns)) / np.log(rules["theta"])

        low, high = self.bounds(rules, pair_of(rules.get("beta_fast", 32)), pair_of(rules.get("beta_slow", 1)))
        low, high = max(low, 0), min(high, dim - 1)
        kept = 1 - np.clip((np.arange(dim // 2) - low) / max(high - low, 0.001), 0, 1)
        return plain * kept + plain / factor * (1 - kept), self.magnitude(rules, factor)

    def bounds(self, rules, low, high):
        return (np.floor(low), np.ceil(high)) if rules.get("truncate", True) else (low, high)

    def magnitude(self, rules, factor):
        if rules.get("attention_factor") is not None:
            return rules["attention_factor"]
        size = lambda m: 1 + 0.1 * m * np.log(max(factor, 1))  # noqa: E731
        both = rules.get("mscale"), rules.get("mscale_all_dim")
        return size(both[0]) / size(both[1]) if all(both) else size(1)

    def rotary_frequencies(self, inputs, parameters):
        found, factor = self.frequencies(parameters["config"], parameters.get("length", 1))
        return {"frequencies": found, "attention_factor": np.array([factor])}

    # Rotation --------------------------------------------------------------------------------------------------------

    def angles(self, positions, frequencies):
        return np.asarray(positions, np.float64)[..., None] * frequencies

    def pairs(self, x, count, pairing):
        """The first and the second coordinates of all pairs, as views."""
        if pairing == "halves":
            return x[..., :count], x[..., count : 2 * count]
        return x[..., 0 : 2 * count : 2], x[..., 1 : 2 * count : 2]

    def turned(self, x, angles, pairing, scale=1.0):
        """Angles have the shape [..., T, pairs]; each head has the same ones."""
        result = np.array(x, np.float64)
        angles = angles if angles.ndim == 2 else angles[:, None]
        first, second = self.pairs(np.array(result), angles.shape[-1], pairing)
        to_first, to_second = self.pairs(result, angles.shape[-1], pairing)
        to_first[...] = scale * (first * np.cos(angles) - second * np.sin(angles))
        to_second[...] = scale * (second * np.cos(angles) + first * np.sin(angles))
        return result

    def rotate(self, inputs, parameters):
        angles = self.angles(inputs["positions"], inputs["frequencies"])
        return {"y": self.turned(inputs["x"], angles, parameters["pairing"])}

    def rotate_backward(self, inputs, parameters):
        angles = self.angles(inputs["positions"], inputs["frequencies"])
        return {"dx": self.turned(inputs["dy"], -angles, parameters["pairing"])}

    def shift_keys(self, inputs, parameters):
        shifts = np.full(inputs["keys"].shape[-2], parameters["shift"])
        angles = self.angles(shifts, inputs["frequencies"])
        return {"keys": self.turned(inputs["keys"], angles, parameters["pairing"])}

    def axes(self, sections, arrangement, pairs):
        if arrangement == "consecutive":
            return np.repeat(np.arange(len(sections)), sections)
        k = np.arange(pairs)
        used = k < 3 * np.asarray(sections)[k % 3]
        return np.where(used, k % 3, 0)

    def rotate_axes(self, inputs, parameters):
        frequencies = inputs["frequencies"]
        axes = self.axes(parameters["sections"], parameters["arrangement"], len(frequencies))
        angles = inputs["positions"][axes].T * frequencies
        return {"y": self.turned(inputs["x"], angles, parameters["pairing"])}

    def rotary_embedding(self, inputs, parameters):
        config, positions = parameters["config"], np.asarray(inputs["positions"])
        found, factor = self.frequencies(config, parameters.get("length", 1))
        sections = self.rules(config).get("mrope_section")
        if sections:
            axes = self.axes(sections, "consecutive", len(found))
            angles = positions[axes].T * found
        else:
            angles = self.angles(positions, found)
        return {"y": self.turned(inputs["x"], angles, parameters["pairing"], factor)}

    # Position ids ----------------------------------------------------------------------------------------------------

    def position_ids_of_mask(self, inputs, parameters):
        mask = inputs["attention_mask"]
        return {"position_ids": (np.cumsum(mask, -1) - 1) * mask}

    def position_ids_of_lengths(self, inputs, parameters):
        return {"position_ids": np.concatenate([np.arange(n) for n in inputs["lengths"]])}

    def mrope_position_ids(self, inputs, parameters):
        parts, start, merge = [], 0, parameters["merge"]
        for segment in parameters["segments"]:
            if "text" in segment:
                part = np.tile(np.arange(segment["text"]), (3, 1))
            else:
                frames, height, width = segment["image"]
                part = np.indices((frames, height // merge, width // merge)).reshape(3, -1)
            parts.append(part + start)
            start = self.after(parts)
        ids = np.concatenate(parts, 1)
        return {"position_ids": ids, "delta": np.array([ids.max() + 1 - ids.shape[1]])}

    def after(self, parts):
        return parts[-1].max() + 1

    # Biases, buckets, tables -----------------------------------------------------------------------------------------

    def slopes(self, heads):
        whole = 2 ** int(np.log2(heads))
        first = 2.0 ** (-8 / whole * np.arange(1, whole + 1))
        return np.concatenate([first, 2.0 ** (-4 / whole * np.arange(1, 2 * (heads - whole), 2))])

    def distances(self, queries, keys):
        """Position of the query minus that of the key."""
        return np.arange(keys - queries, keys)[:, None] - np.arange(keys)

    def alibi_slopes(self, inputs, parameters):
        return {"slopes": self.slopes(parameters["heads"])}

    def alibi_bias(self, inputs, parameters):
        distances = self.distances(parameters["queries"], parameters["keys"])
        return {"bias": -self.slopes(parameters["heads"])[:, None, None] * np.abs(distances)}

    def logarithm(self, sizes, near, longest, count):
        """floor(log(size / near) / log(longest / near) * count); whole results are kept."""
        exact = np.log(np.maximum(sizes, near) / near) / np.log(longest / near) * count
        return np.floor(exact + 1e-9)

    def t5_buckets(self, inputs, parameters):
        distances, buckets = inputs["distances"], parameters["buckets"]
        first = np.zeros_like(distances)
        if parameters["bidirectional"]:
            buckets //= 2
            first, sizes = np.where(distances > 0, buckets, 0), np.abs(distances)
        else:
            sizes = np.maximum(-distances, 0)
        near = buckets // 2
        far = near + self.logarithm(sizes, near, parameters["max_distance"], buckets - near)
        return {"buckets": first + np.where(sizes < near, sizes, np.minimum(far, buckets - 1)).astype(np.int64)}

    def deberta_buckets(self, inputs, parameters):
        distances, middle = inputs["distances"], parameters["buckets"] // 2
        sizes, span = np.abs(distances), (parameters["max_distance"] - 1) / middle
        logs = np.log(np.maximum(sizes, middle) / middle) / np.log(span) * (middle - 1)
        far = np.sign(distances) * (self.whole(logs) + middle)
        return {"buckets": np.where(sizes <= middle, distances, far).astype(np.int64)}

    def whole(self, logs):
        return np.ceil(logs - 1e-9)

    def window_index(self, inputs, parameters):
        height, width = parameters["height"], parameters["width"]
        rows, columns = (part.ravel() for part in np.indices((height, width)))
        down, right = rows[:, None] - rows, columns[:, None] - columns
        return {"index": (down + height - 1) * (2 * width - 1) + right + width - 1}

    def denominator(self, parameters):
        half = parameters["dim"] // 2
        return half if parameters["denominator"] == "half" else half - 1

    def sinusoidal_table(self, inputs, parameters):
        half = parameters["dim"] // 2
        frequencies = parameters["base"] ** (-np.arange(half) / self.denominator(parameters))
        angles = self.angles(inputs["positions"], frequencies) * parameters["scale"]
        return {"table": self.arranged(np.sin(angles), np.cos(angles), parameters["order"])}

    def arranged(self, sines, cosines, order):
        if order == "interleaved":
            return np.stack([sines, cosines], -1).reshape(len(sines), -1)
        return np.concatenate([cosines, sines] if order == "cosines-first" else [sines, cosines], -1)

    def sinusoidal_grid(self, inputs, parameters):
        rows, columns = (part.ravel() for part in np.indices((parameters["height"], parameters["width"])))
        quarter = parameters["dim"] // 4
        frequencies = 10000.0 ** (-np.arange(quarter) / quarter)
        parts = [columns, rows] if parameters["first"] == "width" else [rows, columns]
        angles = [part[:, None] * frequencies for part in parts]
        return {"table": np.concatenate([f(angle) for angle in angles for f in (np.sin, np.cos)], -1)}

    # Attention -------------------------------------------------------------------------------------------------------

    def attention(self, inputs, parameters):
        q, k, v = (np.asarray(inputs[name], np.float64) for name in "qkv")
        heads, queries, keys = q.shape[1], q.shape[2], k.shape[2]
        if "rotary" in parameters:
            q, k, v = self.with_positions(q, k, v, inputs["frequencies"], parameters["rotary"])
        k, v = (self.shared(part, heads // part.shape[1]) for part in (k, v))
        distances = self.distances(queries, keys)
        scores = q @ np.swapaxes(k, -1, -2) * parameters.get("scale", q.shape[-1] ** -0.5)
        if parameters.get("alibi"):
            scores = self.biased(scores, -self.slopes(heads)[:, None, None] * np.abs(distances), q.shape[-1])
        scores = np.where(self.visible(distances, parameters), scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return {"y": weights / weights.sum(-1, keepdims=True) @ v}

    def with_positions(self, q, k, v, frequencies, pairing):
        keys = np.arange(k.shape[2])
        positions = keys[len(keys) - q.shape[2] :]
        turn = lambda x, at: self.turned(x, self.angles(at, frequencies), pairing)  # noqa: E731
        return turn(q, positions), turn(k, keys), v

    def shared(self, part, times):
        return np.repeat(part, times, 1)

    def biased(self, scores, bias, dim):
        return scores + bias

    def visible(self, distances, parameters):
        shown = distances >= 0 if parameters.get("causal") else np.ones_like(distances, bool)
        return shown & (distances < parameters.get("window", np.inf))
