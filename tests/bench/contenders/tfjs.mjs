// TensorFlow.js' ways: its wasm backend on one thread. Tensors are made once and results stay in wasm memory.
import * as tf from "@tensorflow/tfjs-core";
import { setThreadsCount, setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { readyMask } from "../cases/attention.mjs";
import { t5Bucket } from "../cases/kinds.mjs";

const works = {
  rope({ size, spec, x, cos, sin }) {
    const { positions, heads, dim } = size;
    const table = (values) => tf.tensor(values, [positions, 1, dim / 2]);
    const ready = { cos: table(cos), sin: table(sin) };
    const input = tf.tensor(x, [positions, heads, dim]);
    return rotations[spec.pairing].map(([label, prepare]) => {
      const rotate = prepare(ready, positions, heads, dim);
      return wayOf(label, () => ({ y: rotate(input) }));
    });
  },
  cosSin({ positions, rates, float32Tolerance }) {
    const t = tf.tensor(positions, [positions.length, 1]);
    const row = tf.tensor(rates, [1, rates.length]);
    const make = () => {
      const angle = tf.mul(t, row);
      return { cos: tf.cos(angle), sin: tf.sin(angle) };
    };
    return [{ ...wayOf("mul, cos, sin", make), tolerance: float32Tolerance }];
  },
  sinusoidal({ positions, rates, float32Tolerance }) {
    const t = tf.tensor(positions, [positions.length, 1]);
    const row = tf.tensor(rates, [1, rates.length]);
    const make = () => {
      const angle = tf.mul(t, row);
      return { table: tf.stack([tf.sin(angle), tf.cos(angle)], 2) };
    };
    return [{ ...wayOf("mul, sin, cos, stack", make), tolerance: float32Tolerance }];
  },
  bias({ case: { kind }, size, spec, value, parameters }) {
    const { heads, length } = size;
    const cells = (of) => Array.from({ length: length ** 2 }, (_, p) => of((p % length) - Math.floor(p / length)));
    if (kind === "alibi") {
      const slopes = tf.tensor(
        Array.from({ length: heads }, (_, h) => value(h, 1, 0)),
        [heads, 1, 1],
      );
      const distances = tf.tensor(cells(Math.abs), [1, length, length]);
      return [wayOf("mul of ready distances", () => ({ bias: tf.mul(slopes, distances) }))];
    }
    const weights = tf.tensor(parameters.weights, [spec.buckets, heads]);
    const buckets = tf.tensor(
      cells((apart) => t5Bucket(apart, spec)),
      [length, length],
      "int32",
    );
    const late = () => ({ bias: tf.transpose(tf.gather(weights, buckets), [2, 0, 1]) });
    const early = () => ({ bias: tf.gather(tf.transpose(weights), buckets, 1) });
    return [wayOf("gather, transpose", late), wayOf("transpose, gather", early)];
  },
  attention(given) {
    const { size, q, k, v, queryDims, dims, scale, kind, spec } = given;
    const [query, key, value] = [tf.tensor(q, queryDims), tf.tensor(k, dims), tf.tensor(v, dims)];
    const ready = readyMask(given);
    const mask = ready && tf.tensor(ready.data, ready.dims);
    const rotate = kind === "rope" ? attentionRotation(size, spec) : (x) => x;
    const make = () => {
      const scores = tf.mul(tf.matMul(rotate(query), rotate(key), false, true), scale);
      const weights = tf.softmax(mask ? tf.add(scores, mask) : scores);
      return { y: tf.matMul(weights, value) };
    };
    return [wayOf("matMul, softmax, matMul", make)];
  },
};

/** Tables for pairs of neighbours: each number twice, the sine's first one negative. */
const interleaved = (cos, sin, dims) => [
  tf.reshape(tf.stack([cos, cos], 3), dims),
  tf.reshape(tf.stack([tf.neg(sin), sin], 3), dims),
];

/** [label, ready tables => (x [positions, heads, dim]) => turned] */
const rotations = {
  half: [
    [
      "slice, mul, concat",
      ({ cos, sin }, positions, heads, dim) => {
        const half = [positions, heads, dim / 2];
        return (x) => {
          const [a, b] = [tf.slice(x, [0, 0, 0], half), tf.slice(x, [0, 0, dim / 2], half)];
          const low = tf.sub(tf.mul(a, cos), tf.mul(b, sin));
          return tf.concat([low, tf.add(tf.mul(a, sin), tf.mul(b, cos))], 2);
        };
      },
    ],
    [
      "concat of swapped halves, mul, add",
      ({ cos, sin }, positions, heads, dim) => {
        const half = [positions, heads, dim / 2];
        const [straight, across] = [tf.concat([cos, cos], 2), tf.concat([tf.neg(sin), sin], 2)];
        return (x) => {
          const swapped = tf.concat([tf.slice(x, [0, 0, dim / 2], half), tf.slice(x, [0, 0, 0], half)], 2);
          return tf.add(tf.mul(x, straight), tf.mul(swapped, across));
        };
      },
    ],
  ],
  interleaved: [
    [
      "reverse of each pair, mul, add",
      ({ cos, sin }, positions, heads, dim) => {
        const pairs = [positions, heads, dim / 2, 2];
        const [straight, across] = interleaved(cos, sin, [positions, 1, dim]);
        return (x) => {
          const swapped = tf.reshape(tf.reverse(tf.reshape(x, pairs), 3), x.shape);
          return tf.add(tf.mul(x, straight), tf.mul(swapped, across));
        };
      },
    ],
    [
      "gather of swapped places, mul, add",
      ({ cos, sin }, positions, _, dim) => {
        const [straight, across] = interleaved(cos, sin, [positions, 1, dim]);
        const swap = tf.tensor1d(
          Array.from({ length: dim }, (_, d) => d ^ 1),
          "int32",
        );
        return (x) => tf.add(tf.mul(x, straight), tf.mul(tf.gather(x, swap, 2), across));
      },
    ],
  ],
};

/** Turns [1, heads, length, dim], halves together: heads come first here. */
function attentionRotation({ heads, length, dim }, { base }) {
  const angle = (i) => Math.floor(i / (dim / 2)) * base ** ((-2 * (i % (dim / 2))) / dim);
  const table = (of) =>
    tf.tensor(
      Array.from({ length: (length * dim) / 2 }, (_, i) => of(angle(i))),
      [1, length, dim / 2],
    );
  const [[, prepare]] = rotations.half;
  const rotate = prepare({ cos: table(Math.cos), sin: table(Math.sin) }, heads, length, dim);
  return (x) => tf.reshape(rotate(tf.reshape(x, [heads, length, dim])), x.shape);
}

function wayOf(label, make) {
  return {
    contender: "TensorFlow.js",
    label,
    role: "tfjs",
    oneOfSeveral: true,
    run: () => tf.dispose(tf.tidy(make)),
    first() {
      const made = tf.tidy(make);
      const results = Object.fromEntries(Object.entries(made).map(([name, tensor]) => [name, tensor.dataSync()]));
      tf.dispose(made);
      return results;
    },
  };
}

/** `path`: the folder of the backend's wasm files. */
export async function startTfjs(path) {
  setWasmPaths(path);
  setThreadsCount(1);
  await tf.setBackend("wasm");
  await tf.ready();
  return {
    name: "tfjs",
    ways(given) {
      tf.engine().startScope();
      return { list: works[given.case.work]?.(given) ?? [], end: () => tf.engine().endScope() };
    },
  };
}
