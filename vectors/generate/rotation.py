"""Rotation of pairs of coordinates."""
from decimal import Decimal

from arrays import Array
from precise import cos, sin


def pair_of(i, pairs, pairing):
    """The pair of a coordinate, and whether it is the second of the two."""
    return (i % pairs, i >= pairs) if pairing == "halves" else (i // 2, i % 2 == 1)


def partner(i, pairs, pairing):
    return (i + pairs) % (2 * pairs) if pairing == "halves" else i ^ 1


def rotated(x, angle_of, pairs, pairing, scale=Decimal(1)):
    """y0 = x0 cos - x1 sin, y1 = x1 cos + x0 sin; coordinates after the pairs are unchanged."""

    def value(*index):
        *before, i = index
        if i >= 2 * pairs:
            return x[index]
        k, second = pair_of(i, pairs, pairing)
        angle = angle_of(before, k)
        other = x[(*before, partner(i, pairs, pairing))]
        return scale * (x[index] * cos(angle) + (other if second else -other) * sin(angle))

    return Array.of(x.shape, value)


def position_at(positions, before):
    """`before` is [batch, head, token]; positions are [T], or [B, T] with one list per text."""
    b, _, t = before
    return positions[(t,)] if len(positions.shape) == 1 else positions[(b, t)]


def rotate(x, positions, freqs, pairing, scale=Decimal(1), sign=1):
    return rotated(x, lambda before, k: sign * position_at(positions, before) * freqs[k], len(freqs), pairing, scale)


def axes_of_pairs(sections, arrangement, pairs):
    """The axis whose coordinate rotates each pair."""
    if arrangement == "consecutive":
        return [axis for axis, size in enumerate(sections) for _ in range(size)]
    axes = [0] * pairs
    for axis in (1, 2):
        for k in range(axis, 3 * sections[axis], 3):
            axes[k] = axis
    return axes


def rotate_axes(x, positions, freqs, axes, pairing, scale=Decimal(1)):
    """positions [axes, T]"""
    return rotated(x, lambda before, k: positions[(axes[k], before[2])] * freqs[k], len(freqs), pairing, scale)
