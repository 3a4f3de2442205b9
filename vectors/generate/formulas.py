"""Tables, biases, buckets, position ids and attention."""
from decimal import Decimal

from arrays import Array
from precise import cos, exp, power, sin, sqrt


def sinusoidal(positions, dim, base, order, denominator, scale=Decimal(1)):
    """`denominator` is the exponent's: dim / 2, or dim / 2 - 1."""
    half = dim // 2
    freqs = [power(base, Decimal(-k) / denominator) for k in range(half)]

    def value(t, i):
        if i >= 2 * half:
            return Decimal(0)
        k, second = (i // 2, i % 2) if order == "interleaved" else (i % half, i // half)
        cosine = bool(second) != (order == "cosines-first")
        angle = positions.values[t] * scale * freqs[k]
        return cos(angle) if cosine else sin(angle)

    return Array.of([len(positions.values), dim], value)


def sinusoidal_grid(height, width, dim, base, first):
    """Each axis has half of the coordinates: sines, then cosines. Cells are in row-major order."""
    half = dim // 2

    def value(cell, i):
        row, column = divmod(cell, width)
        on_width = (i < half) == (first == "width")
        k = i % half
        freq = power(base, Decimal(-(k % (half // 2))) / (half // 2))
        angle = (column if on_width else row) * freq
        return sin(angle) if k < half // 2 else cos(angle)

    return Array.of([height * width, dim], value)


def alibi_slopes(heads, max_bias=8):
    whole = 1 << (heads.bit_length() - 1)
    exponents = [Decimal(h + 1) / whole for h in range(whole)]
    exponents += [Decimal(2 * h + 1) / (2 * whole) for h in range(heads - whole)]
    return [power(2, -max_bias * e) for e in exponents]


def alibi_bias(heads, queries, keys, max_bias=8):
    """-slope * |distance|; the last query and the last key are the same token."""
    slopes = alibi_slopes(heads, max_bias)
    return Array.of([heads, queries, keys], lambda h, i, j: -slopes[h] * abs(keys - queries + i - j))


def whole_steps(ratio_numerator, ratio_denominator, top, steps):
    """floor(steps * log(numerator / denominator) / log(top / denominator)) by whole numbers: exact at the boundaries."""
    k = 0
    while (k < steps) and top ** (k + 1) * ratio_denominator ** (steps - k - 1) <= ratio_numerator**steps:
        k += 1
    return k


def t5_bucket(distance, bidirectional, buckets, longest):
    """`distance` is the position of the key minus that of the query."""
    first = 0
    if bidirectional:
        buckets //= 2
        first = buckets if distance > 0 else 0
        distance = abs(distance)
    else:
        distance = max(-distance, 0)
    near = buckets // 2
    if distance < near:
        return first + distance
    return first + min(near + whole_steps(distance, near, longest, buckets - near), buckets - 1)


def deberta_bucket(distance, buckets, longest):
    """`distance` is the position of the query minus that of the key."""
    middle = buckets // 2
    size = abs(distance)
    if size <= middle:
        return distance
    # ceil(log(size / middle) / log((longest - 1) / middle) * (middle - 1)) by whole numbers.
    steps, power_of_size = 0, size ** (middle - 1)
    while (longest - 1) ** steps * middle ** (middle - 1) < power_of_size * middle**steps:
        steps += 1
    return (middle + steps) if distance > 0 else -(middle + steps)


def window_index(height, width):
    """Swin: row of the table of (2h - 1)(2w - 1) biases for each query cell and key cell."""
    cells = height * width

    def value(i, j):
        rows, columns = i // width - j // width, i % width - j % width
        return (rows + height - 1) * (2 * width - 1) + columns + width - 1

    return Array.of([cells, cells], value)


def ids_of_mask(mask):
    """Tokens count from 0; padding may have any position."""

    def value(b, t):
        return sum(int(mask[(b, i)]) for i in range(t)) if mask[(b, t)] else None

    return Array.of(mask.shape, value)


def ids_of_packed(lengths):
    return Array([sum(lengths)], [t for n in lengths for t in range(n)])


def mrope_ids(segments, merge):
    """Texts advance all axes together; an image [t, h, w] begins after its largest coordinate so far."""
    columns, start = [], 0
    for segment in segments:
        if "text" in segment:
            columns += [(start + i,) * 3 for i in range(segment["text"])]
        else:
            frames, height, width = segment["image"]
            height, width = height // merge, width // merge
            columns += [
                (start + f, start + r, start + c) for f in range(frames) for r in range(height) for c in range(width)
            ]
        start = 1 + max(max(column) for column in columns)
    return Array([3, len(columns)], [column[axis] for axis in range(3) for column in columns])


def attention(q, k, v, causal=False, window=None, bias=None, scale=None):
    """softmax(q k' scale + bias) v. Query heads share key heads in groups; the last query and key are the same token."""
    batch, heads, queries, dim = q.shape
    keys, shared = k.shape[2], q.shape[1] // k.shape[1]
    scale = 1 / sqrt(dim) if scale is None else Decimal(str(scale))
    weights = {}

    def weight(b, h, i):
        if (b, h, i) not in weights:
            scores = [score(b, h, i, j) for j in range(keys)]
            most = max(s for s in scores if s is not None)
            terms = [Decimal(0) if s is None else exp(s - most) for s in scores]
            weights[b, h, i] = [t / sum(terms) for t in terms]
        return weights[b, h, i]

    def score(b, h, i, j):
        distance = keys - queries + i - j
        if causal and distance < 0 or window is not None and distance >= window:
            return None
        dot = sum(q[(b, h, i, c)] * k[(b, h // shared, j, c)] for c in range(dim))
        return dot * scale + (bias[(h, i, j)] if bias else 0)

    def value(b, h, i, c):
        return sum(w * v[(b, h // shared, j, c)] for j, w in enumerate(weight(b, h, i)))

    return Array.of([batch, heads, queries, v.shape[3]], value)
