"""Position ids, biases, buckets and tables."""
from decimal import Decimal

import formulas as f
from arrays import Array, vector
from case import case

ALIBI = "Press et al. 2021, ALiBi, arXiv:2108.12409, section 3"
VASWANI = "Vaswani et al. 2017, arXiv:1706.03762, section 3.5"


def of_mask(name, title, rows, **rest):
    mask = Array([len(rows), len(rows[0])], [int(c) for row in rows for c in row])
    return case(
        f"position-ids/{name}",
        "position-ids-of-mask",
        title=title,
        parameters={},
        inputs={"attention_mask": mask},
        outputs={"position_ids": f.ids_of_mask(mask)},
        source="huggingface/transformers: cumulative sum of the mask, minus 1; padding 0",
        **rest,
    )


def id_cases():
    padded = ("padding counted as tokens", "huggingface/transformers#22161", "NVIDIA/Megatron-LM#453")
    yield of_mask("left-padding", "Texts end together", ["00111", "11111", "01111"], tags=["padding"], caught=[padded])
    yield of_mask("right-padding", "Texts begin together", ["11100", "11111"], tags=["padding"])
    yield of_mask("gap", "A masked token in the middle", ["110111"], tags=["padding"], caught=[padded])
    yield case(
        "position-ids/packed",
        "position-ids-of-lengths",
        title="Three texts packed into one row",
        parameters={},
        inputs={"lengths": Array([3], [3, 1, 4])},
        outputs={"position_ids": f.ids_of_packed([3, 1, 4])},
        source="flash-attention: cu_seqlens",
        tags=["packed"],
        caught=[("positions counted through all texts", "Dao-AILab/flash-attention#177")],
    )
    mrope = [
        ("image", [{"text": 3}, {"image": [1, 4, 6]}, {"text": 2}]),
        ("two-images", [{"text": 1}, {"image": [1, 2, 2]}, {"text": 2}, {"image": [1, 8, 2]}, {"text": 1}]),
        ("text-only", [{"text": 4}]),
    ]
    for name, segments in mrope:
        ids = f.mrope_ids(segments, 2)
        yield case(
            f"position-ids/mrope-{name}",
            "mrope-position-ids",
            title=f"Qwen2-VL: {name.replace('-', ' ')}",
            parameters={"segments": segments, "merge": 2},
            inputs={},
            outputs={"position_ids": ids, "delta": Array([1], [max(ids.values) + 1 - ids.shape[1]])},
            source="Wang et al. 2024, Qwen2-VL, arXiv:2409.12191, section 2.1",
            tags=["mrope", "image"],
            caught=[
                (
                    "text after an image continues by the number of tokens",
                    "huggingface/transformers#45381",
                    "vllm-project/vllm#10403",
                )
            ],
        )


def bias_cases():
    for heads in (1, 8, 12, 71):
        fault = [("slopes of head counts that are not powers of two: all by one rule", "Dao-AILab/flash-attention#332")]
        yield case(
            f"alibi/slopes-{heads}",
            "alibi-slopes",
            title=f"Slopes of {heads} heads",
            parameters={"heads": heads},
            inputs={},
            outputs={"slopes": vector(f.alibi_slopes(heads))},
            source=ALIBI,
            caught=fault if heads in (12, 71) else (),
            relative=True,
        )
    for name, queries, keys, fault in [
        ("square", 4, 4, "distances with the wrong sign"),
        ("decode", 1, 6, "the query is at position 0 instead of after the cached keys"),
        ("chunk", 2, 5, "queries aligned with the first keys"),
    ]:
        yield case(
            f"alibi/bias-{name}",
            "alibi-bias",
            title=f"{queries} queries, {keys} keys, 6 heads",
            parameters={"heads": 6, "queries": queries, "keys": keys},
            inputs={},
            outputs={"bias": f.alibi_bias(6, queries, keys)},
            source=ALIBI,
            caught=[(fault, "Dao-AILab/flash-attention#540")],
        )


def bucket_cases():
    distances = [*range(-131, 132), 255, 256, 300, 510, 511, 512, -255, -256, -300, -511, -512, 100000]
    for name, bidirectional, buckets, longest in [
        ("both", True, 32, 128),
        ("causal", False, 32, 128),
        ("small", True, 16, 20),
    ]:
        found = [f.t5_bucket(d, bidirectional, buckets, longest) for d in distances]
        yield case(
            f"buckets/t5-{name}",
            "t5-buckets",
            title=f"{buckets} buckets up to distance {longest}",
            parameters={"bidirectional": bidirectional, "buckets": buckets, "max_distance": longest},
            inputs={"distances": Array([len(distances)], distances)},
            outputs={"buckets": Array([len(found)], found)},
            source="Raffel et al. 2020, T5, arXiv:1910.10683, section 2.1",
            caught=[("logarithms rounded across the bound of a bucket",)],
        )
    found = [f.deberta_bucket(d, 256, 512) for d in distances]
    yield case(
        "buckets/deberta",
        "deberta-buckets",
        title="256 buckets up to distance 512",
        parameters={"buckets": 256, "max_distance": 512},
        inputs={"distances": Array([len(distances)], distances)},
        outputs={"buckets": Array([len(found)], found)},
        source="He et al. 2021, DeBERTa, arXiv:2006.03654; microsoft/DeBERTa, log buckets",
        caught=[("rounded down instead of up",)],
    )
    yield case(
        "buckets/window",
        "window-index",
        title="Swin: windows of 2 by 3 cells",
        parameters={"height": 2, "width": 3},
        inputs={},
        outputs={"index": f.window_index(2, 3)},
        source="Liu et al. 2021, Swin, arXiv:2103.14030, section 3.2",
        caught=[("rows and columns exchanged: right only for square windows",)],
    )


def table(name, title, *, dim, positions, order="interleaved", denominator="half", base=10000, scale=1, **rest):
    ids = vector(positions)
    below = Decimal(dim) / 2 if denominator == "half" else Decimal(dim // 2 - 1)
    return case(
        f"sinusoidal/{name}",
        "sinusoidal-table",
        title=title,
        parameters={"dim": dim, "base": base, "order": order, "denominator": denominator, "scale": scale},
        inputs={"positions": ids},
        outputs={"table": f.sinusoidal(ids, dim, base, order, below, Decimal(scale))},
        angle=max(abs(p) for p in ids.values) * scale,
        **rest,
    )


def table_cases():
    near, far = (0, 1, 2, 50), (65535, 1000000, 16777217)
    t2t, timestep = (
        "tensorflow/tensor2tensor: get_timing_signal_1d",
        "Ho et al. 2020, DDPM, arXiv:2006.11239; huggingface/diffusers",
    )
    order = ("sine and cosine exchanged", "flashinfer-ai/flashinfer#3819", "kohya-ss/sd-scripts#1187")
    divisor = (
        "exponent divided by dim / 2 instead of dim / 2 - 1, or the other way round",
        "huggingface/diffusers#12791",
    )
    yield table("interleaved", "Sine and cosine in turn", dim=8, positions=near, source=VASWANI, caught=[order])
    yield table(
        "far",
        "Up to 2^24 + 1",
        dim=16,
        positions=far,
        source=VASWANI,
        tags=["long"],
        caught=[("angles rounded to float32",)],
    )
    yield table(
        "sines-first",
        "All sines, then all cosines; exponent k / (dim / 2 - 1)",
        dim=8,
        positions=near,
        order="sines-first",
        denominator="half-minus-one",
        source=t2t,
        caught=[order, divisor],
    )
    yield table(
        "timestep",
        "Diffusion timesteps: cosines first",
        dim=16,
        positions=(0, 1, 500, 999),
        order="cosines-first",
        source=timestep,
        caught=[order, divisor],
    )
    yield table(
        "timestep-fractional",
        "Timesteps between 0 and 1, scaled by 1000",
        dim=16,
        positions=("0.0005", "0.25", "0.999"),
        order="sines-first",
        scale=1000,
        source=timestep,
        tags=["fractional"],
        caught=[("timesteps rounded to float16 before the scale", "huggingface/diffusers#9405")],
    )
    for first in ("width", "height"):
        yield case(
            f"sinusoidal/grid-{first}",
            "sinusoidal-grid",
            title=f"2 by 3 patches, {first} in the first half",
            parameters={"height": 2, "width": 3, "dim": 16, "first": first},
            inputs={},
            outputs={"table": f.sinusoidal_grid(2, 3, 16, 10000, first)},
            source="He et al. 2022, MAE, arXiv:2111.06377; facebookresearch/mae, pos_embed.py",
            tags=["image"],
            angle=2,
            caught=[("height and width exchanged",)],
        )


def other_cases():
    for group in (id_cases, bias_cases, bucket_cases, table_cases):
        yield from group()
