// Encodings in plain JavaScript, written as well as it goes: flat typed arrays, tables computed once, no allocation.

/** RoPE on x [positions, heads, dim] with ready tables, halves turned together, in place; two pairs a step. */
export function rotateHalf(x, { positions, heads, dim }, cos, sin) {
  const pairs = dim / 2;
  for (let t = 0, row = 0; t < positions; t++)
    for (let h = 0; h < heads; h++, row += dim)
      for (let table = t * pairs, end = table + pairs, low = row, high = row + pairs; table < end; table += 2) {
        const a = x[low];
        const b = x[high];
        const c = cos[table];
        const s = sin[table];
        const a2 = x[low + 1];
        const b2 = x[high + 1];
        const c2 = cos[table + 1];
        const s2 = sin[table + 1];
        x[low] = a * c - b * s;
        x[high] = a * s + b * c;
        x[low + 1] = a2 * c2 - b2 * s2;
        x[high + 1] = a2 * s2 + b2 * c2;
        low += 2;
        high += 2;
      }
}

/** The same with neighbours turned together. */
export function rotateInterleaved(x, { positions, heads, dim }, cos, sin) {
  const pairs = dim / 2;
  for (let t = 0, i = 0; t < positions; t++)
    for (let h = 0; h < heads; h++)
      for (let table = t * pairs, end = table + pairs; table < end; table += 2, i += 4) {
        const a = x[i];
        const b = x[i + 1];
        const c = cos[table];
        const s = sin[table];
        const a2 = x[i + 2];
        const b2 = x[i + 3];
        const c2 = cos[table + 1];
        const s2 = sin[table + 1];
        x[i] = a * c - b * s;
        x[i + 1] = a * s + b * c;
        x[i + 2] = a2 * c2 - b2 * s2;
        x[i + 3] = a2 * s2 + b2 * c2;
      }
}

/** cos and sin of position · rate, [positions, rates] each. */
export function cosSin(positions, rates, cos, sin) {
  for (let t = 0, i = 0; t < positions; t++)
    for (let k = 0; k < rates.length; k++, i++) {
      const angle = t * rates[k];
      cos[i] = Math.cos(angle);
      sin[i] = Math.sin(angle);
    }
}

/** The same by angle addition, from the turns of every 64th position and of the 64 after it. */
export function cosSinByAddition(positions, rates, cos, sin) {
  const block = 64;
  const pairs = rates.length;
  const near = { cos: new Float64Array(block * pairs), sin: new Float64Array(block * pairs) };
  cosSin(block, rates, near.cos, near.sin);
  const far = { cos: new Float64Array(pairs), sin: new Float64Array(pairs) };
  for (let first = 0; first < positions; first += block) {
    for (let k = 0; k < pairs; k++) {
      far.cos[k] = Math.cos(first * rates[k]);
      far.sin[k] = Math.sin(first * rates[k]);
    }
    const end = Math.min(block, positions - first);
    for (let t = 0, i = first * pairs, n = 0; t < end; t++)
      for (let k = 0; k < pairs; k++, i++, n++) {
        cos[i] = far.cos[k] * near.cos[n] - far.sin[k] * near.sin[n];
        sin[i] = far.sin[k] * near.cos[n] + far.cos[k] * near.sin[n];
      }
  }
}

/** Sinusoidal table, sine and cosine beside each other. */
export function sinusoidal(positions, rates, table) {
  for (let t = 0, i = 0; t < positions; t++)
    for (let k = 0; k < rates.length; k++, i += 2) {
      const angle = t * rates[k];
      table[i] = Math.sin(angle);
      table[i + 1] = Math.cos(angle);
    }
}

/**
 * A bias of the distance alone, [heads, length, length]: `line` holds that of each head from the farthest key before
 * the query to the farthest after it, and rows are pieces of it.
 */
export function biasOfDistance({ heads, length }, line, out) {
  for (let h = 0, row = 0; h < heads; h++)
    for (let i = 0, first = h * (2 * length - 1) + length - 1; i < length; i++, row += length, first--)
      out.set(line.subarray(first, first + length), row);
}
