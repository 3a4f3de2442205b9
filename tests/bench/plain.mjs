// The same work in plain JavaScript, written as well as it goes: flat typed arrays, tables computed once, no allocation.

export function frequencies(dim, base) {
  return Float64Array.from({ length: dim / 2 }, (_, k) => base ** ((-2 * k) / dim));
}

/** cos and sin of position · frequency, [positions, dim / 2] each. */
export function tables(positions, dim, base, cos, sin) {
  const rates = frequencies(dim, base);
  const pairs = dim / 2;
  for (let t = 0, i = 0; t < positions; t++)
    for (let k = 0; k < pairs; k++, i++) {
      const angle = t * rates[k];
      cos[i] = Math.cos(angle);
      sin[i] = Math.sin(angle);
    }
}

/** Sinusoidal table, sine and cosine beside each other. */
export function sinusoidal(positions, dim, base, out) {
  const rates = frequencies(dim, base);
  for (let t = 0, i = 0; t < positions; t++)
    for (let k = 0; k < rates.length; k++, i += 2) {
      const angle = t * rates[k];
      out[i] = Math.sin(angle);
      out[i + 1] = Math.cos(angle);
    }
}

/** RoPE on x [positions, heads, dim] with ready tables, halves turned together, in place. */
export function rotateHalf(x, positions, heads, dim, cos, sin) {
  const pairs = dim / 2;
  for (let t = 0, row = 0; t < positions; t++)
    for (let h = 0; h < heads; h++, row += dim)
      for (let k = 0, table = t * pairs; k < pairs; k++, table++) {
        const a = x[row + k];
        const b = x[row + k + pairs];
        const c = cos[table];
        const s = sin[table];
        x[row + k] = a * c - b * s;
        x[row + k + pairs] = a * s + b * c;
      }
}

/** The same with neighbours turned together. */
export function rotateInterleaved(x, positions, heads, dim, cos, sin) {
  const pairs = dim / 2;
  for (let t = 0, i = 0; t < positions; t++)
    for (let h = 0; h < heads; h++)
      for (let k = 0, table = t * pairs; k < pairs; k++, table++, i += 2) {
        const a = x[i];
        const b = x[i + 1];
        const c = cos[table];
        const s = sin[table];
        x[i] = a * c - b * s;
        x[i + 1] = a * s + b * c;
      }
}
