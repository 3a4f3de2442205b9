// What stands around an encoding in a reference's module: projections, heads, layer norm. In float64.

/** x [..., in] times weight [out, in] transposed, plus bias. */
export function linear(x, weight, bias) {
  const [out, width] = weight.dims;
  const rows = x.data.length / width;
  const data = new Float64Array(rows * out);
  for (let row = 0; row < rows; row++)
    for (let o = 0; o < out; o++) {
      let sum = bias ? bias.data[o] : 0;
      for (let i = 0; i < width; i++) sum += x.data[row * width + i] * weight.data[o * width + i];
      data[row * out + o] = sum;
    }
  return { data, dims: [...x.dims.slice(0, -1), out] };
}

/** The gradients of `linear` without bias: of x and of the weight, for the gradient g of its result. */
export function linearBackward(x, weight, g) {
  const [out, width] = weight.dims;
  const rows = x.data.length / width;
  const byX = new Float64Array(x.data.length);
  const byWeight = new Float64Array(weight.data.length);
  for (let row = 0; row < rows; row++)
    for (let o = 0; o < out; o++)
      for (let i = 0; i < width; i++) {
        byX[row * width + i] += g.data[row * out + o] * weight.data[o * width + i];
        byWeight[o * width + i] += g.data[row * out + o] * x.data[row * width + i];
      }
  return { x: { data: byX, dims: x.dims }, weight: { data: byWeight, dims: weight.dims } };
}

/** The axes in another order: `order[n]` is the old axis of the new axis n. */
export function permute({ data, dims }, order) {
  const strides = dims.map((_, axis) => dims.slice(axis + 1).reduce((product, dim) => product * dim, 1));
  const outDims = order.map((axis) => dims[axis]);
  const out = new data.constructor(data.length);
  const index = order.map(() => 0);
  for (let n = 0; n < out.length; n++) {
    out[n] = data[index.reduce((sum, at, axis) => sum + at * strides[order[axis]], 0)];
    for (let axis = order.length - 1; axis >= 0 && ++index[axis] === outDims[axis]; axis--) index[axis] = 0;
  }
  return { data: out, dims: outDims };
}

/** [B, T, heads · D] as a float32 tensor [B, heads, T, D]. */
export function splitHeads({ data, dims: [batch, count, width] }, heads) {
  const split = permute({ data, dims: [batch, count, heads, width / heads] }, [0, 2, 1, 3]);
  return float32(split);
}

/** [B, heads, T, D] as [B, T, heads · D]. */
export function joinHeads({ data, dims: [batch, heads, count, dim] }) {
  return {
    data: permute({ data, dims: [batch, heads, count, dim] }, [0, 2, 1, 3]).data,
    dims: [batch, count, heads * dim],
  };
}

/** (x - mean) / √(variance + 1e-5) · weight + bias over the last axis. */
export function layerNorm(x, weight, bias) {
  const width = x.dims.at(-1);
  const data = Float64Array.from(x.data);
  for (let start = 0; start < data.length; start += width) {
    const row = data.subarray(start, start + width);
    const mean = row.reduce((sum, value) => sum + value, 0) / width;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width;
    row.forEach((value, i) => (row[i] = ((value - mean) / Math.sqrt(variance + 1e-5)) * weight.data[i] + bias.data[i]));
  }
  return { data, dims: x.dims };
}

/** The gradients of `layerNorm`. */
export function layerNormBackward(x, weight, g) {
  const width = x.dims.at(-1);
  const normal = layerNorm(x, { data: new Float64Array(width).fill(1) }, { data: new Float64Array(width) });
  const byX = new Float64Array(x.data.length);
  const [byWeight, byBias] = [new Float64Array(width), new Float64Array(width)];
  for (let start = 0; start < byX.length; start += width) {
    const row = Array.from(x.data.slice(start, start + width));
    const mean = row.reduce((total, value) => total + value, 0) / width;
    const deviation = Math.sqrt(row.reduce((total, value) => total + (value - mean) ** 2, 0) / width + 1e-5);
    const slopes = row.map((_, i) => g.data[start + i] * weight.data[i]);
    const level = slopes.reduce((total, slope) => total + slope, 0) / width;
    const tilt = slopes.reduce((total, slope, i) => total + slope * normal.data[start + i], 0) / width;
    slopes.forEach((slope, i) => {
      byX[start + i] = (slope - level - normal.data[start + i] * tilt) / deviation;
      byWeight[i] += g.data[start + i] * normal.data[start + i];
      byBias[i] += g.data[start + i];
    });
  }
  return {
    x: { data: byX, dims: x.dims },
    weight: { data: byWeight, dims: weight.dims },
    bias: { data: byBias, dims: weight.dims },
  };
}

/** Element by element. */
export const sum = (a, b) => ({ data: Float64Array.from(a.data, (value, i) => value + b.data[i]), dims: a.dims });

export const float32 = ({ data, dims }) => ({ type: "float32", data: Float32Array.from(data), dims: [...dims] });

/** With an axis of 1 in front. */
export const batched = ({ data, dims }) => ({ data, dims: [1, ...dims] });
