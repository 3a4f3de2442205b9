// An independent oracle: rotary angles in fixed-point arithmetic of whole numbers (BigInt), 256 bits after the point.
// Nothing here is shared with the library; it is slow and obviously right.

const BITS = 256n;
export const ONE = 1n << BITS;

export const multiply = (a: bigint, b: bigint) => (a * b) >> BITS;
export const divide = (a: bigint, b: bigint) => (a << BITS) / b;

/** Any finite float64, exactly. */
export function fixed(value: number): bigint {
  let exponent = 0;
  while (!Number.isInteger(value)) {
    value *= 2;
    exponent++;
  }
  return (BigInt(value) << BITS) >> BigInt(exponent);
}

const toNumber = (value: bigint) => Number(value) / 2 ** Number(BITS);

// atanh(1/n) or atan(1/n) for a whole n: the sum of ±1 / ((2k+1) n^(2k+1)).
function inverseSeries(n: bigint, alternate: boolean): bigint {
  let power = ONE / n;
  let sum = power;
  for (let k = 1n; power !== 0n; k++) {
    power /= n * n;
    const term = power / (2n * k + 1n);
    sum += alternate && k % 2n === 1n ? -term : term;
  }
  return sum;
}

const LN2 = 2n * inverseSeries(3n, false);
export const PI = 16n * inverseSeries(5n, true) - 4n * inverseSeries(239n, true);

export function logarithm(x: bigint): bigint {
  let twos = 0n;
  while (x >= 2n * ONE) {
    x >>= 1n;
    twos++;
  }
  // ln x = 2 atanh((x - 1) / (x + 1))
  const ratio = divide(x - ONE, x + ONE);
  const square = multiply(ratio, ratio);
  let power = ratio;
  let sum = ratio;
  for (let k = 1n; power !== 0n; k++) {
    power = multiply(power, square);
    sum += power / (2n * k + 1n);
  }
  return 2n * sum + twos * LN2;
}

// exp(-x) for x >= 0
export function exponentialOfMinus(x: bigint): bigint {
  const halvings = x / LN2;
  const rest = x - halvings * LN2;
  let term = ONE;
  let sum = ONE;
  for (let k = 1n; term !== 0n; k++) {
    term = -multiply(term, rest) / k;
    sum += term;
  }
  return sum >> halvings;
}

// cos and sin of an angle in [0, π/4]
function smallCosSin(angle: bigint): [bigint, bigint] {
  const square = multiply(angle, angle);
  let term = ONE;
  let cosine = ONE;
  let sine = angle;
  let sineTerm = angle;
  for (let k = 1n; term !== 0n || sineTerm !== 0n; k++) {
    term = -multiply(term, square) / ((2n * k - 1n) * (2n * k));
    sineTerm = -multiply(sineTerm, square) / (2n * k * (2n * k + 1n));
    cosine += term;
    sine += sineTerm;
  }
  return [cosine, sine];
}

/** cos and sin of an angle in radians, rounded to float64. */
export function cosSinOf(angle: bigint): { cos: number; sin: number } {
  const [cosine, sine] = cosSin(angle);
  return { cos: toNumber(cosine), sin: toNumber(sine) };
}

function cosSin(angle: bigint): [bigint, bigint] {
  const half = PI / 2n;
  // The nearest whole number of quarter turns, so that the rest is within ±π/4.
  const twice = (2n * angle) / half;
  const quarters = angle >= 0n ? (twice + 1n) / 2n : (twice - 1n) / 2n;
  const rest = angle - quarters * half;
  const [cosine, magnitude] = smallCosSin(rest < 0n ? -rest : rest);
  const sine = rest < 0n ? -magnitude : magnitude;
  const quadrant = Number(((quarters % 4n) + 4n) % 4n);
  return (
    [
      [cosine, sine],
      [-sine, cosine],
      [-cosine, -sine],
      [sine, -cosine],
    ] as [bigint, bigint][]
  )[quadrant]!;
}

const frequencyCache = new Map<string, bigint>();

// base^(-numerator/denominator)
export function inverseFrequency(base: number, numerator: number, denominator: number): bigint {
  const key = `${base} ${numerator}/${denominator}`;
  const known = frequencyCache.get(key);
  if (known !== undefined) return known;
  const exponent = (logarithm(fixed(base)) * BigInt(numerator)) / BigInt(denominator);
  const frequency = exponentialOfMinus(exponent);
  frequencyCache.set(key, frequency);
  return frequency;
}

/** base^(-2k/dim), rounded to float64. */
export const exactFrequency = (base: number, pair: number, dim: number) =>
  toNumber(inverseFrequency(base, 2 * pair, dim));

/** cos and sin of position · base^(-2k/dim), rounded to float64. */
export const exactCosSin = (position: number, base: number, pair: number, dim: number) =>
  cosSinOf(multiply(fixed(position), inverseFrequency(base, 2 * pair, dim)));

/** How many float32 numbers lie between `got` and the truth, in units of the truth's last place. */
export function ulps(got: number, truth: number): number {
  const exponent = Math.max(-126, Math.floor(Math.log2(Math.abs(truth))));
  return got === truth ? 0 : Math.abs(got - truth) / 2 ** (exponent - 23);
}
