# The four terms of an attention score; then concatenation and dropout.
import torch
from torch import nn

dim = 64
words = 6
word_scale = 1
dropout = 0.1

torch.manual_seed(1)
x = word_scale * torch.randn(words, dim)
wq, wk = torch.randn(2, dim, dim) / dim**0.5
frequency = 10000 ** (-torch.arange(0, dim, 2) / dim)
angle = torch.arange(words)[:, None] * frequency
p = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


# How the word at position 0 scores the word at position 1.
def term(query_part, key_part):
    return (query_part[0] @ wq) @ (key_part[1] @ wk)


terms = [term(x, x), term(x, p), term(p, x), term(p, p)]
# The score of x + PE is their sum.
print("the same:", torch.allclose(term(x + p, x + p), sum(terms), atol=1e-4))
#> the same: True

print("concatenated:", " × ".join(str(size) for size in torch.cat([x, p], dim=1).shape))
#> concatenated: 6 × 128
added = nn.Dropout(dropout)(x + p)
print("dropout has set some numbers to zero:", bool((added == 0).any()))
#> dropout has set some numbers to zero: True
