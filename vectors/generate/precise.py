"""Elementary functions with 60 correct digits, by the standard library alone."""
from decimal import Decimal, getcontext
from functools import lru_cache

getcontext().prec = 80
ONE, TWO = Decimal(1), Decimal(2)


@lru_cache
def pi() -> Decimal:
    """Machin: pi = 16 atan(1/5) - 4 atan(1/239)."""

    def arctan_of_inverse(n: int) -> Decimal:
        term = total = ONE / n
        k = 1
        while abs(term) > Decimal(10) ** -85:
            term = -term / (n * n)
            k += 2
            total += term / k
        return total

    return 16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239)


def power(base, exponent) -> Decimal:
    return Decimal(base) ** Decimal(exponent)


def log(x) -> Decimal:
    return Decimal(x).ln()


def exp(x) -> Decimal:
    return Decimal(x).exp()


def sqrt(x) -> Decimal:
    return Decimal(x).sqrt()


@lru_cache(maxsize=100_000)
def sin(x: Decimal) -> Decimal:
    """Taylor series after the whole turns are removed."""
    turn = 2 * pi()
    x -= (x / turn).to_integral_value() * turn
    term = total = x
    k = 1
    while abs(term) > Decimal(10) ** -75:
        term = -term * x * x / ((k + 1) * (k + 2))
        k += 2
        total += term
    return total


def cos(x: Decimal) -> Decimal:
    return sin(x + pi() / 2)
