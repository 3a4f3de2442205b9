"""Arrays of a case: nested shapes, values in row-major order."""
from decimal import Decimal
from itertools import product
from math import prod


class Array:
    """A dense array of exact values."""

    def __init__(self, shape, values):
        self.shape, self.values = list(shape), list(values)
        assert len(self.values) == prod(self.shape), (self.shape, len(self.values))

    @staticmethod
    def of(shape, function):
        """Fills each index with a function of it."""
        return Array(shape, [function(*index) for index in product(*map(range, shape))])

    def __getitem__(self, index):
        at = 0
        for size, i in zip(self.shape, index):
            at = at * size + i
        return self.values[at]

    def as_json(self, dtype):
        """The form of JSON files. Floats have the digits that restore them exactly; None (null) allows any value."""
        convert = int if dtype == "int64" else lambda x: shortened(float(x))
        values = [None if x is None else convert(x) for x in self.values]
        return {"shape": self.shape, "dtype": dtype, "values": values}


def shortened(x: float):
    """Whole numbers without a fraction, and no negative zero."""
    return int(x) if x == int(x) and abs(x) < 2**53 else x


def random_array(shape, seed):
    """Multiples of 1/256 between -2 and 2: exact in float16 and float32."""
    state = seed * 2654435761 % 2**32

    def draw(*_):
        nonlocal state
        state = (state * 1664525 + 1013904223) % 2**32
        return Decimal((state >> 12) % 1024 - 512) / 256

    return Array.of(shape, draw)


def vector(values):
    return Array([len(values)], [Decimal(v) if isinstance(v, (int, str)) else v for v in values])


def stored(values):
    """The values as a case stores them: results are exact for these."""
    return [Decimal(float(v)) for v in values]


def largest(array):
    return max((abs(float(v)) for v in array.values), default=0.0)
