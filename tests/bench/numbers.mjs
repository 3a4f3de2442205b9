// Inputs of the bench: the same everywhere, and neither special nor periodic.

/** `count` numbers between -amplitude and amplitude. */
export function sinusoid(count, step = 0.7, amplitude = 1) {
  const out = new Float32Array(count);
  for (let i = 0; i < count; i++) out[i] = amplitude * Math.sin(i * step);
  return out;
}

export const product = (dims) => dims.reduce((total, dim) => total * dim, 1);

// Prime, so that it visits each place of any row.
const stride = 37;
const mostTruths = 1 << 20;

/** Which of `count` elements are compared: all, or every 37th of very many. */
export function sampled(count) {
  if (count <= mostTruths) return Uint32Array.from({ length: count }, (_, i) => i);
  return Uint32Array.from({ length: Math.ceil(count / stride) }, (_, i) => i * stride);
}

/** θ_k = base^(-2k/dim) */
export const frequencies = (dim, base) => Float64Array.from({ length: dim / 2 }, (_, k) => base ** ((-2 * k) / dim));
