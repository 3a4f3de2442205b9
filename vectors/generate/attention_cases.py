"""Attention, with encodings inside."""
from arrays import random_array, stored, vector
from case import case
from formulas import alibi_bias, attention
from frequencies import plain
from other_cases import ALIBI
from rotation import rotate

VASWANI = "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.1"


def attended(name, title, *, heads=2, key_heads=2, queries=4, keys=4, dim=8, seed=60, rotary=None, alibi=False, **rest):
    """`rotary` is the pairing: queries and keys are rotated first; the last query and the last key have the same position."""
    q, k, v = (
        random_array([1, h, n, dim], seed + i)
        for i, (h, n) in enumerate([(heads, queries), (key_heads, keys), (key_heads, keys)])
    )
    parameters = {key: rest.pop(key) for key in ("causal", "window", "scale") if key in rest}
    inputs, options = {"q": q, "k": k, "v": v}, dict(parameters)
    if rotary:
        freqs = stored(plain(dim, 10000))
        inputs["frequencies"], parameters["rotary"] = vector(freqs), rotary
        q = rotate(q, vector(range(keys - queries, keys)), freqs, rotary)
        k = rotate(k, vector(range(keys)), freqs, rotary)
    if alibi:
        parameters["alibi"], options["bias"] = True, alibi_bias(heads, queries, keys)
    return case(
        f"attention/{name}",
        "attention",
        title=title,
        parameters=parameters,
        inputs=inputs,
        outputs={"y": attention(q, k, v, **options)},
        source=rest.pop("source", VASWANI),
        angle=keys,
        **rest,
    )


def attention_cases():
    top_left = ("fewer queries than keys: the mask aligned with the first keys",)
    yield attended(
        "causal", "Each token attends to itself and earlier ones", causal=True, caught=[("masked scores not removed",)]
    )
    yield attended(
        "decode", "One query, five cached keys", queries=1, keys=6, causal=True, tags=["cache"], caught=[top_left]
    )
    yield attended(
        "chunk",
        "Three queries after four cached keys",
        queries=3,
        keys=7,
        causal=True,
        tags=["cache"],
        caught=[top_left],
    )
    yield attended(
        "grouped",
        "Four query heads share two key heads",
        heads=4,
        causal=True,
        caught=[("query heads share key heads in turn, not in groups",)],
    )
    yield attended(
        "window",
        "Each token attends to three",
        queries=6,
        keys=6,
        causal=True,
        window=3,
        caught=[("window one token too long or too short",)],
    )
    yield attended("scale", "A given scale", causal=True, scale=0.5, caught=[("scale of the config ignored",)])
    for pairing in ("halves", "interleaved"):
        yield attended(
            f"rotary-{pairing}",
            "Rotated queries and keys",
            causal=True,
            rotary=pairing,
            seed=70,
            dim=16,
            caught=[("values rotated, or only the queries",)],
        )
    yield attended(
        "rotary-decode",
        "One rotated query after six rotated keys",
        queries=1,
        keys=7,
        causal=True,
        rotary="halves",
        seed=73,
        dim=16,
        tags=["cache", "needs-position-ids"],
        caught=[("the query rotated at position 0",)],
    )
    yield attended("rotary-grouped", "Rotary, grouped heads", heads=4, causal=True, rotary="halves", seed=76, dim=16)
    yield attended(
        "alibi",
        "Linear biases",
        heads=4,
        key_heads=4,
        causal=True,
        alibi=True,
        seed=80,
        source=ALIBI,
        caught=[("bias scaled together with the scores",)],
    )
    yield attended(
        "alibi-decode",
        "Linear biases, one query",
        heads=4,
        key_heads=4,
        queries=1,
        keys=6,
        causal=True,
        alibi=True,
        seed=83,
        source=ALIBI,
        tags=["cache"],
    )
