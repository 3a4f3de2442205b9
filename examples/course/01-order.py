# Two sentences made of the same words: does attention notice?
import torch

causal = False
dim = 16

frequency = 10000 ** (-torch.arange(0, dim, 2) / dim)
# A made-up vector for each word: 0 the, 1 dog, 2 bites, 3 man.
words = 2 * torch.sin(torch.arange(1, 5)[:, None] * torch.arange(1, dim + 1) ** 2)
dog_bites_man = torch.tensor([0, 1, 2, 0, 3])
man_bites_dog = torch.tensor([0, 3, 2, 0, 1])


def rope(x):
    angle = torch.arange(len(x))[:, None] * frequency.repeat(2)
    first, second = x.chunk(2, dim=-1)
    return x * angle.cos() + torch.cat([-second, first], dim=-1) * angle.sin()


# The output of "dog". Every word is query, key and value.
def dog_in(sentence, causal=False, encode=lambda x: x):
    x = words[sentence]
    scores = encode(x) @ encode(x).T / dim**0.5
    if causal:
        scores = scores.masked_fill(torch.ones(5, 5).triu(1).bool(), -torch.inf)
    return (scores.softmax(dim=-1) @ x)[sentence == 1]


def change(**options):
    difference = dog_in(dog_bites_man, **options) - dog_in(man_bites_dog, **options)
    return f"{difference.abs().max():.3f}"


print("change without positions:", change(causal=causal))
#> change without positions: 0.000
print("change with RoPE:", change(causal=causal, encode=rope))
#> change with RoPE: 0.022
print("change with a causal mask:", change(causal=True))
#> change with a causal mask: 0.052
