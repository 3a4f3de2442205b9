"""From the fields of config.json to frequencies and rotated vectors."""
from arrays import random_array, vector
from case import case
from frequencies import frequencies, head_dim
from rotation import rotate

TRANSFORMERS = "huggingface/transformers, modeling_rope_utils.py"
YARN = "Peng et al. 2023, YaRN, arXiv:2309.00071, section 3"

# Configs of published models, as far as the frequencies need them.
CONFIGS = {
    "default": {"head_dim": 64, "max_position_embeddings": 2048, "rope_theta": 10000},
    "hidden-size": {"hidden_size": 96, "num_attention_heads": 4, "max_position_embeddings": 2048, "rope_theta": 500000},
    "nested-theta": {
        "head_dim": 32,
        "max_position_embeddings": 4096,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1000000},
    },
    "partial": {"head_dim": 80, "partial_rotary_factor": 0.4, "max_position_embeddings": 2048, "rope_theta": 10000},
    "linear": {
        "head_dim": 32,
        "max_position_embeddings": 4096,
        "rope_theta": 10000,
        "rope_scaling": {"type": "linear", "factor": 2.5},
    },
    "llama3": {
        "head_dim": 64,
        "max_position_embeddings": 131072,
        "rope_theta": 500000,
        "rope_scaling": {
            "rope_type": "llama3",
            "factor": 32,
            "low_freq_factor": 1,
            "high_freq_factor": 4,
            "original_max_position_embeddings": 8192,
        },
    },
    "yarn": {
        "head_dim": 64,
        "max_position_embeddings": 32768,
        "rope_theta": 1000000,
        "rope_scaling": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 32768},
    },
    "yarn-not-truncated": {
        "head_dim": 64,
        "max_position_embeddings": 131072,
        "rope_theta": 150000,
        "rope_scaling": {
            "rope_type": "yarn",
            "factor": 32,
            "beta_fast": 32,
            "beta_slow": 1,
            "truncate": False,
            "original_max_position_embeddings": 4096,
        },
    },
    "yarn-mscale": {
        "head_dim": 64,
        "max_position_embeddings": 163840,
        "rope_theta": 10000,
        "rope_scaling": {
            "type": "yarn",
            "factor": 40,
            "mscale": 1,
            "mscale_all_dim": 0.707,
            "beta_fast": 32,
            "beta_slow": 1,
            "original_max_position_embeddings": 4096,
        },
    },
    "yarn-attention-factor": {
        "head_dim": 32,
        "max_position_embeddings": 16384,
        "rope_theta": 10000,
        "rope_scaling": {
            "rope_type": "yarn",
            "factor": 4,
            "attention_factor": 0.8,
            "original_max_position_embeddings": 4096,
        },
    },
    "proportional": {
        "head_dim": 64,
        "max_position_embeddings": 131072,
        "rope_parameters": {"rope_type": "proportional", "rope_theta": 1000000, "partial_rotary_factor": 0.25},
    },
    "dynamic": {
        "head_dim": 32,
        "max_position_embeddings": 2048,
        "rope_theta": 10000,
        "rope_scaling": {"type": "dynamic", "factor": 2},
    },
    "longrope": {
        "head_dim": 16,
        "max_position_embeddings": 131072,
        "original_max_position_embeddings": 4096,
        "rope_theta": 10000,
        "rope_scaling": {
            "type": "longrope",
            "short_factor": [1, 1.05, 1.1, 1.25, 1.5, 2, 2.25, 3],
            "long_factor": [1.25, 2, 4.5, 8, 16, 24.75, 32, 64],
        },
    },
}

YARN_FAULTS = {
    "yarn": [("magnitude of YaRN missing", "keras-team/keras-hub#2981", "ggml-org/ggml#835")],
    "yarn-not-truncated": [("bounds of the ramp rounded although `truncate` is false",)],
    "yarn-mscale": [
        (
            "`mscale` and `mscale_all_dim` ignored",
            "huggingface/transformers#47435",
            "sgl-project/sglang#22711",
            "ml-explore/mlx-lm#1507",
        )
    ],
    "yarn-attention-factor": [("`attention_factor` of the config ignored",)],
}
FAULTS = {
    **YARN_FAULTS,
    "nested-theta": [
        (
            "`rope_theta` inside `rope_parameters` not read: silently 10000",
            "vllm-project/vllm#28542",
            "deepspeedai/DeepSpeed#8345",
        )
    ],
    "partial": [("`partial_rotary_factor` ignored", "vllm-project/vllm#30384")],
    "hidden-size": [("head dimension other than hidden_size / num_attention_heads",)],
    "llama3": [("smooth part between the two bounds missing",)],
    "linear": [("positions multiplied instead of divided",)],
    "proportional": [
        (
            "treated as partial: exponent divided by the rotary part",
            "apple/coreai-models#66",
            "huggingface/transformers#48652",
        )
    ],
    "dynamic": [("constant scale, not one of the length", "vllm-project/vllm#41236", "ml-explore/mlx-lm#1553")],
    "longrope": [
        (
            "switch at the trained length instead of after it",
            "unslothai/unsloth#10681",
            "microsoft/onnxruntime-genai#1161",
        )
    ],
}

LENGTHS = {"dynamic": {"within": 2048, "beyond": 5000}, "longrope": {"short": 4096, "long": 4097}}


def lengths_of(key):
    yield from ((f"-{suffix}", {"length": n}) for suffix, n in LENGTHS[key].items()) if key in LENGTHS else [("", {})]


def frequency_cases():
    for key, config in CONFIGS.items():
        for suffix, length in lengths_of(key):
            freqs, scale = frequencies(config, **length)
            yield case(
                f"frequencies/{key}{suffix}",
                "rotary-frequencies",
                title=f"Frequencies of config.json: {key}{suffix}",
                parameters={"config": config, **length},
                inputs={},
                outputs={"frequencies": vector(freqs), "attention_factor": vector([scale])},
                source=YARN if key.startswith("yarn") else TRANSFORMERS,
                tags=["config", *(["by-length"] if length else [])],
                caught=FAULTS.get(key, ()),
                relative=True,
            )


def rotations_of_configs():
    """From config.json to rotated vectors: magnitudes and partial rotation are applied here."""
    for key, pairing, positions in [
        ("yarn", "halves", (0, 1, 500, 40000)),
        ("yarn-mscale", "interleaved", (0, 3, 8000)),
        ("yarn-attention-factor", "halves", (0, 1, 77)),
        ("llama3", "halves", (0, 8192, 100000)),
        ("partial", "halves", (0, 1, 1000)),
        ("proportional", "halves", (0, 5, 5000)),
        ("longrope-long", "halves", (0, 1, 6000)),
    ]:
        config = CONFIGS[key.removesuffix("-long")]
        length = {"length": 6001} if key == "longrope-long" else {}
        freqs, scale = frequencies(config, **length)
        x, ids = random_array([1, 1, len(positions), head_dim(config)], 30), vector(positions)
        yield case(
            f"rotary-configs/{key}",
            "rotary-embedding",
            title=f"Rotated vectors of config.json: {key}",
            parameters={"config": config, "pairing": pairing, **length},
            inputs={"x": x, "positions": ids},
            outputs={"y": rotate(x, ids, freqs, pairing, scale)},
            source=YARN if "yarn" in key else TRANSFORMERS,
            tags=["config", *(["long"] if max(positions) > 65535 else [])],
            angle=max(positions),
            caught=FAULTS[key.removesuffix("-long")],
        )
