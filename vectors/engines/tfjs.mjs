// TensorFlow.js has no rotary operator: these are the formulas in its float32 operators, as programs write them.
import * as tf from "@tensorflow/tfjs-core";
import { setThreadsCount, setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { fileURLToPath } from "node:url";

setWasmPaths(fileURLToPath(new URL(".", import.meta.resolve("@tensorflow/tfjs-backend-wasm"))));
setThreadsCount(1);
await tf.setBackend("wasm");

const result = (tensor) => ({ dims: tensor.shape, data: tensor.dataSync() });
const column = ({ data }) => tf.tensor(Float32Array.from(data), [data.length, 1]);
const row = (data) => tf.tensor(Float32Array.from(data), [1, data.length]);

/** Cosines and sines [T, pairs], or [B, 1, T, pairs] for texts with their own positions. */
function waves(positions, frequencies, sign = 1) {
  const angles = tf.mul(column(positions), row(frequencies.data.map((f) => sign * f)));
  const [batch, tokens] = positions.dims;
  const shaped = tokens === undefined ? angles : tf.reshape(angles, [batch, 1, tokens, frequencies.data.length]);
  return { cos: tf.cos(shaped), sin: tf.sin(shaped) };
}

/** The coordinates of the pairs, first and second, and the rest. */
function split(x, pairs, pairing) {
  const [batch, heads, tokens, dim] = x.shape;
  const rest = dim - 2 * pairs;
  const [part, after] = rest > 0 ? tf.split(x, [2 * pairs, rest], -1) : [x];
  if (pairing === "halves") return [...tf.split(part, 2, -1), after];
  return [...tf.unstack(tf.reshape(part, [batch, heads, tokens, pairs, 2]), -1), after];
}

function rotated({ data, dims }, positions, frequencies, pairing, sign) {
  return tf.tidy(() => {
    const { cos, sin } = waves(positions, frequencies, sign);
    const [first, second, after] = split(tf.tensor(data, dims), frequencies.data.length, pairing);
    const parts = [tf.sub(tf.mul(first, cos), tf.mul(second, sin)), tf.add(tf.mul(second, cos), tf.mul(first, sin))];
    const size = 2 * frequencies.data.length;
    const joined =
      pairing === "halves" ? tf.concat(parts, -1) : tf.reshape(tf.stack(parts, -1), [...dims.slice(0, 3), size]);
    return result(after ? tf.concat([joined, after], -1) : joined);
  });
}

export default {
  rotate: ({ x, positions, frequencies }, { pairing }) => ({ y: rotated(x, positions, frequencies, pairing) }),

  "rotate-backward": ({ dy, positions, frequencies }, { pairing }) => ({
    dx: rotated(dy, positions, frequencies, pairing, -1),
  }),

  "sinusoidal-table": ({ positions }, { dim, base, order, denominator, scale }) =>
    tf.tidy(() => {
      const half = dim / 2;
      const below = denominator === "half" ? half : half - 1;
      const frequencies = { data: Float64Array.from({ length: half }, (_, k) => scale * base ** (-k / below)) };
      const { cos, sin } = waves({ data: positions.data, dims: [positions.data.length] }, frequencies);
      const parts = order === "cosines-first" ? [cos, sin] : [sin, cos];
      const table = order === "interleaved" ? tf.reshape(tf.stack(parts, -1), [-1, dim]) : tf.concat(parts, -1);
      return { table: result(table) };
    }),
};
