# One query and one key, turned by their positions: the score knows how far,
# not where.
import torch

base = 10000
query = 12
key = 20
shift = 100

frequency = base ** (-torch.arange(0, 64, 2) / 64)


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)


def rope(x, position):
    """As in Llama: number k is turned together with number k + dim/2."""
    angle = (position * frequency).repeat(2)
    return x * angle.cos() + rotate_half(x) * angle.sin()


def vector(seed):
    return 1 + torch.sin(seed * torch.arange(64))


def score(query_position, key_position):
    q = rope(vector(1), query_position)
    k = rope(vector(2), key_position)
    return f"{q @ k:.3f}"


print(f"query at {query}, key at {key}: {score(query, key)}")
#> query at 12, key at 20: 47.849
print(f"both moved by {shift}: {score(query + shift, key + shift)}")
#> both moved by 100: 47.849
print(f"swapped: {score(key, query)}")
#> swapped: 48.266
