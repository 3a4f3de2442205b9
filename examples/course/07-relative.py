# Distances instead of positions: Shaw's rows, T5's buckets, Transformer-XL's shift.
import math

import torch
import torch.nn.functional as F

clip = 2
memory = 2
buckets = 16
max_distance = 64


def show(row):
    return " ".join(str(int(value)) for value in row)


distances = torch.tensor([-9, -3, -2, -1, 0, 1, 2, 3, 9])
print("key - query:", show(distances))
#> key - query: -9 -3 -2 -1 0 1 2 3 9
print("Shaw's rows:", show(distances.clamp(-clip, clip) + clip))
#> Shaw's rows: 0 0 0 1 2 3 4 4 4


def t5_buckets(distance):
    """Half of them for keys to the right; near ones exact, far ones by logarithm."""
    half = buckets // 2
    exact = half // 2
    size = distance.abs()
    ratio = torch.log(size.clamp(min=1) / exact) / math.log(max_distance / exact)
    far = (exact + (ratio * (half - exact)).long()).clamp(max=half - 1)
    return half * (distance > 0) + torch.where(size < exact, size, far)


print("T5's buckets:", show(t5_buckets(distances)))
#> T5's buckets: 5 3 2 1 0 9 10 11 13

# Three queries and their memory: scores by distance (the farthest first;
# 10 for distance 0, 20 for 1 …) become scores by key.
columns = 3 + memory
scores = (10 * torch.arange(columns, 0, -1)).repeat(3, 1)
padded = F.pad(scores, (1, 0)).view(columns + 1, 3)
shifted = padded[1:].reshape(3, columns)
# What was wrapped around lies after the query's own position.
shifted = shifted.tril(diagonal=memory)
for row in shifted:
    print(show(row))
#> 30 20 10 0 0
#> 40 30 20 10 0
#> 50 40 30 20 10
