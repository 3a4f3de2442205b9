// Plain JavaScript's ways: what one would write without posenc, and write well.
import { frequencies } from "../numbers.mjs";
import { attention, attentionOfOne, attentionScratch } from "./plain/attention.mjs";
import {
  biasOfDistance,
  cosSin,
  cosSinByAddition,
  rotateHalf,
  rotateInterleaved,
  sinusoidal,
} from "./plain/encodings.mjs";

const way = (label, run, results, role = "plain") => ({
  contender: "plain JavaScript",
  label,
  role,
  run,
  first() {
    run();
    return results();
  },
});

const rotations = { half: rotateHalf, interleaved: rotateInterleaved };

const works = {
  rope({ size, spec, x, cos, sin }) {
    const own = x.slice();
    const run = () => rotations[spec.pairing](own, size, cos, sin);
    return [
      {
        ...way("tables ready", run, () => ({ y: own.slice() })),
        first() {
          own.set(x);
          run();
          return { y: own.slice() };
        },
      },
    ];
  },
  cosSin({ size, spec }) {
    const rates = frequencies(size.dim, spec.base);
    const length = size.positions * rates.length;
    const [cos, sin] = [new Float32Array(length), new Float32Array(length)];
    const results = () => ({ cos: cos.slice(), sin: sin.slice() });
    return [
      way("Math.cos, Math.sin", () => cosSin(size.positions, rates, cos, sin), results),
      way("angle addition", () => cosSinByAddition(size.positions, rates, cos, sin), results, "plain addition"),
    ];
  },
  sinusoidal({ size, spec }) {
    const rates = frequencies(size.dim, spec.base);
    const table = new Float32Array(size.positions * size.dim);
    return [
      way(
        "Math.sin, Math.cos",
        () => sinusoidal(size.positions, rates, table),
        () => ({ table: table.slice() }),
      ),
    ];
  },
  bias({ size, value }) {
    const line = lineOf(size, value);
    const bias = new Float32Array(size.heads * size.length ** 2);
    return [
      way(
        "a line for each head, copied",
        () => biasOfDistance(size, line, bias),
        () => ({ bias: bias.slice() }),
      ),
    ];
  },
  attention(given) {
    const { size, q, bias, kind } = given;
    const scratch = attentionScratch(size);
    const y = new Float32Array(q.length);
    const line = bias && lineOf(size, bias);
    const rotate = kind === "rope" ? rotation(given) : () => given;
    const all = size.queries === 1 ? attentionOfOne : attention;
    return [
      way(
        "blocks of queries",
        () => all(rotate(), size, y, scratch, line),
        () => ({ y: y.slice() }),
      ),
    ];
  },
};

/** The bias by distance: [heads, 2 length - 1], from the farthest key before the query to the farthest after it. */
function lineOf({ heads, length }, value) {
  const line = new Float32Array(heads * (2 * length - 1));
  let i = 0;
  for (let h = 0; h < heads; h++)
    for (let apart = 1 - length; apart < length; apart++) line[i++] = value(h, Math.max(0, -apart), Math.max(0, apart));
  return line;
}

/** Queries and keys [heads, length, dim] turned, in copies. */
function rotation(given) {
  const { size, spec, q, k } = given;
  const { length, heads, dim } = size;
  const rates = frequencies(dim, spec.base);
  const [cos, sin] = [new Float32Array(length * rates.length), new Float32Array(length * rates.length)];
  cosSin(length, rates, cos, sin);
  const rotated = { ...given, q: q.slice(), k: k.slice() };
  return () => {
    for (const name of ["q", "k"]) {
      rotated[name].set(given[name]);
      for (let h = 0; h < heads; h++) {
        const head = rotated[name].subarray(h * length * dim, (h + 1) * length * dim);
        rotations[spec.pairing](head, { positions: length, heads: 1, dim }, cos, sin);
      }
    }
    return rotated;
  };
}

export const plain = () => ({
  name: "plain",
  ways: (given) => ({ list: works[given.case.work]?.(given) ?? [], end() {} }),
});
