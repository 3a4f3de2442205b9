# A ruler made of waves: the table, its waves, and one hand at two places.
import torch

length = 96
dim = 128
base = 10000
start = 0
step = 3


def sinusoidal(positions, dim, base):
    """The table of "Attention is all you need", sines and cosines by turns."""
    frequency = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    angle = positions[:, None].double() * frequency
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).float()


table = sinusoidal(torch.arange(length), dim, base)
print("table:", " × ".join(str(size) for size in table.shape))
#> table: 96 × 128

wavelengths = 2 * torch.pi * base ** (torch.arange(0, dim, 2) / dim)
print(f"wavelengths: {wavelengths[0]:.2f} to {wavelengths[-1]:.0f}")
#> wavelengths: 6.28 to 54410

before, after = sinusoidal(torch.tensor([start, start + step]), dim, base)
print(f"first sine at {start}: {before[0]:.4f}")
#> first sine at 0: 0.0000
print(f"first sine at {start + step}: {after[0]:.4f}")
#> first sine at 3: 0.1411
# The pair is a hand of a clock: cosine to the right, sine upwards.
turn = torch.atan2(after[0], after[1]) - torch.atan2(before[0], before[1])
print(f"{step} steps turn its pair by {turn:.4f} (up to whole turns)")
#> 3 steps turn its pair by 3.0000 (up to whole turns)
