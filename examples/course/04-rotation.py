# One matrix moves all positions alike; dot products measure distances.
import torch

dim = 8
base = 100
start = 5
step = 3

frequency = base ** (-torch.arange(0, dim, 2) / dim)


def table(positions):
    angle = torch.tensor(positions)[:, None] * frequency
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


# T_k: a rotation for each pair (sine, cosine), along the diagonal.
cos, sin = (step * frequency).cos(), (step * frequency).sin()
blocks = torch.stack([cos, sin, -sin, cos], dim=-1).view(-1, 2, 2)
turn = torch.block_diag(*blocks)


def show(row):
    return " ".join(f"{value:.3f}" for value in row)


before, after = table([start, start + step])
print("T_k PE(m) ", show(turn @ before))
#> T_k PE(m)  0.989 -0.146 0.574 -0.819 0.717 0.697 0.250 0.968
print("PE(m + k) ", show(after))
#> PE(m + k)  0.989 -0.146 0.574 -0.819 0.717 0.697 0.250 0.968

# The same distance, wherever and in either direction: the same product.
rows = table([start, start + step, 5000, 5000 + step, start - step])
products = rows @ rows.T
print("dot products", show([products[0, 1], products[2, 3], products[0, 4]]))
#> dot products 1.544 1.544 1.544
print("and with itself", show([products[0, 0]]))
#> and with itself 4.000
