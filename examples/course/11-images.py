# Where the patches of an image stand: as a grid, as a line, between words.
import torch
import torch.nn.functional as F

rows = 12
columns = 12
dim = 64


def waves(positions, dim):
    angle = positions[:, None] * 10000 ** (-torch.arange(0, dim, 2) / dim)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


# Similarity to the right, below, and of a row's end to the next row's start.
def compare(name, table):
    products = table @ table.T
    pairs = [(0, 1), (0, columns), (columns - 1, columns)]
    print(name, *[f"{products[pair] / products[0, 0]:.2f}" for pair in pairs])


def grid_of(*sizes):
    """The coordinates of every cell, one axis after the other."""
    axes = torch.meshgrid(*[torch.arange(size) for size in sizes], indexing="ij")
    return torch.stack(axes).flatten(1)


y, x = grid_of(rows, columns)
# Half of the numbers tell the row, half the column.
grid = torch.cat([waves(y, dim // 2), waves(x, dim // 2)], dim=1)
compare("sinusoidal-2d", grid)
#> sinusoidal-2d 0.98 0.98 0.82
compare("sinusoidal", waves(torch.arange(rows * columns), dim))
#> sinusoidal 0.97 0.67 0.97

# A learned table for one grid, made into one with twice the rows and columns.
learned = torch.nn.Embedding(rows * columns, dim).weight
image = learned.T.view(1, dim, rows, columns)
larger = F.interpolate(image, scale_factor=2, mode="bicubic", align_corners=False)
larger = larger.flatten(2)[0].T
print(list(learned.shape), "->", list(larger.shape))
#> [144, 64] -> [576, 64]

# Two words, an image of 2 x 3 tokens, one word: time, height, width.
text = torch.arange(2).repeat(3, 1)
image = grid_of(1, 2, 3) + text.max() + 1
after = (image.max() + 1).repeat(3, 1)
for axis in torch.cat([text, image, after], dim=1).tolist():
    print(*axis)
#> 0 1 2 2 2 2 2 2 5
#> 0 1 2 2 2 3 3 3 5
#> 0 1 2 3 4 2 3 4 5
print("the next token stands at", after.max().item() + 1)
#> the next token stands at 6
