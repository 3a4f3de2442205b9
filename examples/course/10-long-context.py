# A longer text than trained: new angles, what rules slow down, float32.
import math

import torch

dim = 128
base = 10000
original_length = 4096
factor = 8

pair = torch.arange(dim // 2, dtype=torch.float64)
plain = base ** (-2 * pair / dim)
turns = original_length * plain / (2 * math.pi)
print(f"{(turns < 1).sum()} of {dim // 2} pairs never came round in training")
#> 18 of 64 pairs never came round in training


def yarn(fast=32, slow=1):
    """Pairs between those of 32 turns and of one are blended, by a straight ramp."""
    def at(count):
        return dim * math.log(original_length / (count * 2 * math.pi)) / (2 * math.log(base))

    low, high = max(math.floor(at(fast)), 0), min(math.ceil(at(slow)), dim - 1)
    slowed = ((pair - low) / (high - low)).clamp(0, 1)
    return plain * (1 - slowed) + plain / factor * slowed


def llama3(low=1, high=4):
    kept = ((turns - low) / (high - low)).clamp(0, 1)
    return plain * kept + plain / factor * (1 - kept)


rules = {
    "rope-linear": plain / factor,
    "rope-ntk": (base * factor ** (dim / (dim - 2))) ** (-2 * pair / dim),
    "rope-yarn": yarn(),
    "rope-llama3": llama3(),
}
for name, frequency in rules.items():
    ratio = plain / frequency
    unchanged, slowed = ratio < 1 + 1e-9, ratio > factor * (1 - 1e-9)
    parts = {"unchanged": unchanged, "blended": ~unchanged & ~slowed, "slowed": slowed}
    told = []
    for change, mask in parts.items():
        run = mask.nonzero().flatten().tolist()
        if run:
            told.append(f"{run[0]}-{run[-1]} {change}")
    print(f"{name}:", ", ".join(told))
#> rope-linear: 0-63 slowed
#> rope-ntk: 0-0 unchanged, 1-62 blended, 63-63 slowed
#> rope-yarn: 0-20 unchanged, 21-45 blended, 46-63 slowed
#> rope-llama3: 0-35 unchanged, 36-45 blended, 46-63 slowed

# Position times frequency in float32, as most models compute it.
position = 1000000
inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
rounded = (torch.tensor(float(position)) * inv_freq).cos()
worst = (rounded.double() - (position * plain).cos()).abs().max()
print(f"position {position}: float32 is off by up to {worst:.2g}")
#> position 1000000: float32 is off by up to 0.029
