// Converts single 16-bit floats, for a model's constants and for printing. The core has kernels for large tensors.

const scratch = new DataView(new ArrayBuffer(4));

export function fromFloat16Bits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
}

/** Returns the bits of the nearest float16, ties to even. Larger values become infinity. */
export function toFloat16Bits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(Math.max(size, 2 ** -24))));
  const unit = 2 ** (exponent - 10);
  const scaled = size / unit;
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const steps = rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  // The exponent bits of subnormal numbers are 0; steps that reach 2048 carry into the exponent.
  return sign | (steps < 1024 ? steps : (exponent + 14) * 1024 + steps);
}

export function fromBfloat16Bits(bits: number): number {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}
