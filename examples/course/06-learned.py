# A learned table finds out that every word wants the word before it.
import torch
from torch import nn

length = 20
steps = 600
seed = 1

torch.manual_seed(seed)
# Two halves of a row: one asks (the query), one is asked (the key).
asks, answers = nn.Embedding(48, 8), nn.Embedding(48, 8)
for table in (asks, answers):
    nn.init.normal_(table.weight, std=0.3)
optimizer = torch.optim.Adam([asks.weight, answers.weight], lr=0.02)
positions = torch.arange(length)


def attention():
    scores = asks(positions) @ answers(positions).T / 8**0.5
    return scores.softmax(dim=-1)


for step in range(steps + 1):
    words = torch.randn(length, 8)
    answer = attention() @ words
    error = (answer[1:] - words[:-1]).square().sum() / 2
    optimizer.zero_grad()
    error.backward()
    optimizer.step()

print("word 7 looks at word", attention()[7].argmax().item())
#> word 7 looks at word 6
try:
    asks(torch.tensor([48]))
except IndexError as problem:
    print(problem)
    #> index out of range in self
