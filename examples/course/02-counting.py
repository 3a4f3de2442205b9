# How long is the step from a place to the next? Six ways to count.
import torch
import torch.nn.functional as F

length = 16
waves = 4

places = torch.arange(length)
column = places[:, None].float()
powers = torch.arange(waves)

angle = column * 10000.0 ** (-powers / waves)
tables = {
    "one-hot": F.one_hot(places).float(),
    "integer": column,
    "normalized": column / (length - 1),
    "binary": (places[:, None] >> powers & 1).float(),
    # Sines with periods of 4, 8, 16, 32 places.
    "periodic": torch.sin(torch.pi / 2 * column / 2**powers),
    "sinusoidal": torch.cat([angle.sin(), angle.cos()], dim=1),
}
for name, table in tables.items():
    steps = table.diff(dim=0).norm(dim=1)
    print(name, f"{steps.min():.3f} to {steps.max():.3f}")
#> one-hot 1.414 to 1.414
#> integer 1.000 to 1.000
#> normalized 0.067 to 0.067
#> binary 1.000 to 2.000
#> periodic 1.068 to 1.298
#> sinusoidal 0.964 to 0.964
