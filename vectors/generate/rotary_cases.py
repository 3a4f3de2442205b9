"""Rotary encodings: rotation, several axes, cached keys."""
from decimal import Decimal

from arrays import Array, random_array, stored, vector
from case import case
from config_cases import YARN, frequency_cases, rotations_of_configs
from frequencies import frequencies, plain
from rotation import axes_of_pairs, rotate, rotate_axes

ROFORMER = "Su et al. 2021, RoFormer, arXiv:2104.09864, eq. 34"


def rotation(
    name, title, *, dim=8, rotary=None, pairing="halves", positions=(0, 1, 2, 3, 5), shape=(1, 2), seed=1, **rest
):
    """A rotation with given frequencies."""
    freqs = stored(plain(rotary or dim, 10000))
    ids = positions if isinstance(positions, Array) else vector(positions)
    x = random_array([*shape, ids.shape[-1], dim], seed)
    return case(
        f"rotation/{name}",
        "rotate",
        title=title,
        parameters={"pairing": pairing},
        inputs={"x": x, "positions": ids, "frequencies": vector(freqs)},
        outputs={"y": rotate(x, ids, freqs, pairing)},
        source=rest.pop("source", ROFORMER),
        angle=max(abs(p) for p in ids.values),
        **rest,
    )


PAIRS = (
    "pairs of the other layout",
    "huggingface/transformers#25199",
    "ggml-org/llama.cpp#7481",
    "jzhang38/TinyLlama#24",
)
IDS = ("positions ignored: tokens count from 0 in each row", "huggingface/transformers#22161", "unslothai/unsloth#3699")


def rotations():
    far = [131071, 1000000, 16777217, 2147483647]
    small = "positions in float16 or bfloat16: whole numbers merge"
    merged = (small, "huggingface/transformers#29285", "huggingface/candle#3520", "sgl-project/sglang-jax#1472")
    rows = Array([2, 5], [Decimal(p) for p in (0, 0, 0, 1, 2, 0, 1, 2, 3, 4)])
    yield rotation("halves", "Pairs (k, k + d/2)", caught=[PAIRS])
    yield rotation("interleaved", "Pairs (2k, 2k + 1)", pairing="interleaved", caught=[PAIRS])
    yield rotation("halves-wide", "64 coordinates, 4 heads", dim=64, shape=(1, 4), seed=2, positions=(0, 9, 511, 2047))
    unrotated = ("coordinates after the rotary part rotated, or pairs across the whole head", "vllm-project/vllm#43770")
    for pairing in ("halves", "interleaved"):
        yield rotation(
            f"partial-{pairing}",
            "Only the first 6 of 10 coordinates rotate",
            dim=10,
            rotary=6,
            pairing=pairing,
            seed=3,
            tags=["partial"],
            caught=[unrotated],
        )
    yield rotation(
        "left-padded",
        "Two texts with their own positions",
        positions=rows,
        shape=(2, 2),
        seed=4,
        tags=["needs-position-ids"],
        caught=[IDS],
    )
    yield rotation(
        "decode", "One token after 37 cached ones", positions=(37,), seed=5, tags=["needs-position-ids"], caught=[IDS]
    )
    yield rotation(
        "not-in-order",
        "Positions that go back and repeat",
        positions=(7, 3, 3, 0, 9),
        seed=6,
        tags=["needs-position-ids"],
        caught=[IDS],
    )
    yield rotation(
        "beyond-2048",
        "Neighbours that float16 merges",
        dim=16,
        positions=(2047, 2048, 2049, 2051, 15962),
        seed=7,
        tags=["float16"],
        caught=[merged],
    )
    yield rotation(
        "beyond-256",
        "Neighbours that bfloat16 merges",
        dim=16,
        positions=(255, 256, 257, 259, 511),
        seed=8,
        tags=["bfloat16"],
        caught=[merged],
    )
    angles = ("angles rounded to float32: 3e-2 at a million tokens", "ml-explore/mlx-lm#1076", "kekzl/imp#1325")
    yield rotation("far", "Up to the largest int32", dim=16, positions=far, seed=9, tags=["long"], caught=[angles])
    yield rotation(
        "far-interleaved",
        "Up to a million, interleaved",
        dim=16,
        pairing="interleaved",
        positions=(65536, 999999, 1000000),
        seed=10,
        tags=["long"],
        caught=[angles],
    )
    yield rotation(
        "negative",
        "Positions before the first token",
        positions=(-1, -2, -300),
        seed=11,
        tags=["negative"],
        caught=[("negative positions clamped to 0",)],
    )
    yield rotation(
        "fractional",
        "Positions between tokens",
        positions=("0.5", "1.25", "1000.375"),
        seed=12,
        tags=["fractional"],
        caught=[("positions rounded to whole numbers",)],
    )
    yield backward()


def backward():
    freqs, ids, dy = stored(plain(8, 10000)), vector((0, 1, 4, 9)), random_array([1, 2, 4, 8], 13)
    return case(
        "rotation/gradient",
        "rotate-backward",
        title="Gradient of the input: rotation in the other direction",
        parameters={"pairing": "halves"},
        inputs={"dy": dy, "positions": ids, "frequencies": vector(freqs)},
        outputs={"dx": rotate(dy, ids, freqs, "halves", sign=-1)},
        source=ROFORMER,
        tags=["gradient"],
        angle=9,
        caught=[("gradients rotated forward",)],
    )


def shifted(name, title, *, dim, rotary, pairing, positions, shift, seed):
    """Cached keys move: rotated at p, wanted at p + shift."""
    freqs, ids = stored(plain(rotary, 10000)), vector(positions)
    keys = random_array([1, 2, len(positions), dim], seed)
    moves = vector([shift] * len(positions))
    return case(
        f"cache/{name}",
        "shift-keys",
        title=title,
        parameters={"pairing": pairing, "shift": shift},
        inputs={"keys": keys, "frequencies": vector(freqs)},
        outputs={"keys": rotate(keys, moves, freqs, pairing)},
        source="RoFormer, eq. 34: rotations add, R(p) R(s) = R(p + s)",
        tags=["cache"],
        angle=abs(shift),
        caught=[
            ("keys kept, or shifted in the wrong direction", "ggml-org/llama.cpp#2060", "ggml-org/llama.cpp#13870")
        ],
    )


def shifts():
    yield shifted(
        "back",
        "Keys move 3 positions forward in the text",
        dim=8,
        rotary=8,
        pairing="halves",
        positions=(4, 5, 6),
        shift=-3,
        seed=21,
    )
    yield shifted(
        "ahead",
        "Keys move 1000 positions back",
        dim=8,
        rotary=8,
        pairing="interleaved",
        positions=(0, 1),
        shift=1000,
        seed=22,
    )
    yield shifted(
        "partial", "Only the rotary part moves", dim=10, rotary=6, pairing="halves", positions=(2, 3), shift=-2, seed=23
    )


def axis_cases():
    """Several coordinates per token."""
    ids = Array([3, 6], [Decimal(p) for p in (0, 1, 1, 1, 1, 3, 0, 1, 1, 2, 2, 3, 0, 1, 2, 1, 2, 3)])
    for arrangement, sections in (("consecutive", [2, 3, 3]), ("interleaved", [4, 2, 2])):
        freqs, x = stored(plain(16, 10000)), random_array([1, 2, 6, 16], 40)
        axes = axes_of_pairs(sections, arrangement, 8)
        yield case(
            f"axes/mrope-{arrangement}",
            "rotate-axes",
            title=f"M-RoPE, pairs of time, height and width {arrangement}",
            parameters={"pairing": "halves", "sections": sections, "arrangement": arrangement},
            inputs={"x": x, "positions": ids, "frequencies": vector(freqs)},
            outputs={"y": rotate_axes(x, ids, freqs, axes, "halves")},
            source="Wang et al. 2024, Qwen2-VL, arXiv:2409.12191, section 2.1",
            tags=["mrope", "needs-position-ids"],
            angle=3,
            caught=[
                (
                    "consecutive and interleaved sections mistaken: text right, images wrong",
                    "Blaizzy/mlx-vlm#1621",
                    "Blaizzy/mlx-vlm#756",
                )
            ],
        )
    yield yarn_with_axes(ids)
    yield grid()


def yarn_with_axes(ids):
    config = {
        "head_dim": 32,
        "max_position_embeddings": 32768,
        "rope_theta": 1000000,
        "rope_scaling": {
            "type": "yarn",
            "factor": 4,
            "original_max_position_embeddings": 32768,
            "mrope_section": [4, 6, 6],
        },
    }
    freqs, scale = frequencies(config)
    x, axes = random_array([1, 1, 6, 32], 41), axes_of_pairs([4, 6, 6], "consecutive", 16)
    return case(
        "axes/mrope-yarn",
        "rotary-embedding",
        title="YaRN with M-RoPE sections",
        parameters={"config": config, "pairing": "halves"},
        inputs={"x": x, "positions": ids},
        outputs={"y": rotate_axes(x, ids, freqs, axes, "halves", scale)},
        source=YARN,
        tags=["config", "mrope", "needs-position-ids"],
        angle=3,
        caught=[("YaRN ignored if the config has sections",)],
    )


def grid():
    """Vision towers of Qwen2-VL: rows rotate the first half of the pairs, columns the second, each with all frequencies."""
    freqs, x = stored(plain(8, 10000)), random_array([1, 2, 6, 16], 42)
    cells = [Decimal(i // 3) for i in range(6)] + [Decimal(i % 3) for i in range(6)]
    ids, doubled = Array([2, 6], cells), [*freqs, *freqs]
    return case(
        "axes/grid",
        "rotate-axes",
        title="2-D: rows, then columns, each with its own list of frequencies",
        parameters={"pairing": "halves", "sections": [4, 4], "arrangement": "consecutive"},
        inputs={"x": x, "positions": ids, "frequencies": vector(doubled)},
        outputs={"y": rotate_axes(x, ids, doubled, [0] * 4 + [1] * 4, "halves")},
        source="Qwen2-VL, vision tower",
        tags=["image", "needs-position-ids"],
        angle=2,
        caught=[("rows and columns exchanged",)],
    )


def rotary_cases():
    for group in (rotations, shifts, frequency_cases, rotations_of_configs, axis_cases):
        yield from group()
