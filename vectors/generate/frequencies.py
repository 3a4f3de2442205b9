"""Frequencies of rotary encodings, from the fields of config.json."""
from decimal import Decimal

from precise import log, pi, power, sqrt


def rope_parameters(config):
    """One form for the two of config.json: `rope_parameters`, or `rope_scaling` beside `rope_theta`."""
    rules = dict(config.get("rope_parameters") or config.get("rope_scaling") or {})
    rules.setdefault("rope_theta", config.get("rope_theta", 10000))
    rules.setdefault("rope_type", rules.get("type", "default"))
    rules.setdefault("partial_rotary_factor", config.get("partial_rotary_factor", 1))
    return rules


def head_dim(config):
    return config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]


def plain(dim, base):
    return [power(base, Decimal(-2 * k) / dim) for k in range(dim // 2)]


def magnitude(factor, m=1):
    return Decimal(1) if factor <= 1 else Decimal("0.1") * m * log(factor) + 1


def yarn(dim, base, rules, config):
    trained = rules.get("original_max_position_embeddings") or config["max_position_embeddings"]
    factor = Decimal(str(rules["factor"]))

    def pair_with(rotations):
        return dim * log(Decimal(trained) / (Decimal(str(rotations)) * 2 * pi())) / (2 * log(base))

    low, high = pair_with(rules.get("beta_fast", 32)), pair_with(rules.get("beta_slow", 1))
    if rules.get("truncate", True):
        low, high = low.to_integral_value("ROUND_FLOOR"), high.to_integral_value("ROUND_CEILING")
    low, high = max(low, Decimal(0)), min(high, Decimal(dim - 1))
    if low == high:
        high += Decimal("0.001")
    result = []
    for k, frequency in enumerate(plain(dim, base)):
        ramp = min(max((k - low) / (high - low), Decimal(0)), Decimal(1))
        result.append(frequency * (ramp / factor + 1 - ramp))
    return result, yarn_magnitude(rules, factor)


def yarn_magnitude(rules, factor):
    if rules.get("attention_factor") is not None:
        return Decimal(str(rules["attention_factor"]))
    one, all_dims = rules.get("mscale"), rules.get("mscale_all_dim")
    if one and all_dims:
        return magnitude(factor, Decimal(str(one))) / magnitude(factor, Decimal(str(all_dims)))
    return magnitude(factor)


def llama3(dim, base, rules):
    factor, trained = Decimal(str(rules["factor"])), rules["original_max_position_embeddings"]
    low, high = Decimal(str(rules["low_freq_factor"])), Decimal(str(rules["high_freq_factor"]))

    def scaled(frequency):
        wavelength = 2 * pi() / frequency
        if wavelength < trained / high:
            return frequency
        if wavelength > trained / low:
            return frequency / factor
        smooth = (trained / wavelength - low) / (high - low)
        return (1 - smooth) * frequency / factor + smooth * frequency

    return [scaled(frequency) for frequency in plain(dim, base)]


def dynamic_base(dim, base, rules, config, length):
    trained, factor = config["max_position_embeddings"], Decimal(str(rules["factor"]))
    if length <= trained:
        return Decimal(base)
    return base * power(factor * length / trained - (factor - 1), Decimal(dim) / (dim - 2))


def longrope(dim, base, rules, config, length):
    trained = rules.get("original_max_position_embeddings") or config["original_max_position_embeddings"]
    factors = rules["long_factor" if length > trained else "short_factor"]
    ratio = Decimal(config["max_position_embeddings"]) / trained
    scale = Decimal(1) if ratio <= 1 else sqrt(1 + log(ratio) / log(trained))
    return [f / Decimal(str(e)) for f, e in zip(plain(dim, base), factors)], scale


def proportional(dim, base, rules):
    rotated = int(Decimal(str(rules["partial_rotary_factor"])) * dim // 2)
    factor = Decimal(str(rules.get("factor", 1)))
    return [f / factor if k < rotated else Decimal(0) for k, f in enumerate(plain(dim, base))]


def frequencies(config, length=1):
    """Radians per position of each pair, and the factor of cosine and sine."""
    rules = rope_parameters(config)
    kind, base = rules["rope_type"], Decimal(str(rules["rope_theta"]))
    if kind == "proportional":
        return proportional(head_dim(config), base, rules), Decimal(1)
    dim = int(head_dim(config) * Decimal(str(rules["partial_rotary_factor"])))
    if kind == "yarn":
        return yarn(dim, base, rules, config)
    if kind == "longrope":
        return longrope(dim, base, rules, config, length)
    if kind == "llama3":
        return llama3(dim, base, rules), Decimal(1)
    if kind == "linear":
        return [f / Decimal(str(rules["factor"])) for f in plain(dim, base)], Decimal(1)
    if kind == "dynamic":
        return plain(dim, dynamic_base(dim, base, rules, config, length)), Decimal(1)
    return plain(dim, base), Decimal(1)
