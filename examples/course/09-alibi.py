# ALiBi: what one head charges for distance, what it sees in a longer text.
import math

import torch

heads = 8
head = 8
length = 4096

# For a power of two; other numbers of heads take slopes in between.
slopes = 2 ** (-8 * torch.arange(1, heads + 1) / heads)
slope = slopes[head - 1]
print(f"head {head} of {heads}: a step back costs {slope:.6f}")
#> head 8 of 8: a step back costs 0.003906
half, nat = math.ceil(math.log(2) / slope), math.ceil(1 / slope)
print(f"half the weight {half} keys back, 1/e {nat} keys back")
#> half the weight 178 keys back, 1/e 256 keys back


# To one query all keys are equally good: where it looks is up to the bias.
def last_thousand(keys):
    distance = torch.arange(keys - 1, -1, -1)
    scores = torch.zeros(keys) - slope * distance
    return f"{100 * scores.softmax(dim=-1)[-1024:].sum():.1f} %"


print(f"weight of the last 1024 of {length} keys: {last_thousand(length)}")
#> weight of the last 1024 of 4096 keys: 98.2 %
# A longer text changes nothing.
longer = 4 * length
print(f"weight of the last 1024 of {longer} keys: {last_thousand(longer)}")
#> weight of the last 1024 of 16384 keys: 98.2 %
