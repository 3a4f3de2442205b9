// Each mistake: where the matter is explained, and what is computed to check it. Words stand in text.*.ts under the same key.
import { models } from "virtual:models/llama-3-8b,falcon-7b";
import { attend, largestDifference } from "../lib/attention.ts";
import { withEncoding, type Posenc } from "../lib/engine.svelte.ts";
import { measured } from "../lab/measured.ts";
import { vectorLength, wordVectors } from "../lib/words.ts";
import {
  dot,
  frequencies,
  longestWave,
  outOfRange,
  score,
  turned,
  waves,
  type Cell,
  type Checks,
  type Row,
} from "./rows.ts";

interface Mistake {
  /** A page and an anchor. */
  at: string;
  /** One row for each of the text's `rows`. */
  rows?: Checks;
  /** Neither column is wrong: they are compared. */
  neutral?: boolean;
}

const evens = (row: Float32Array) => row.filter((_, column) => column % 2 === 0);
const lossAt = (model: string, length: number) =>
  measured[model]["default"].loss.find(([measuredAt]) => measuredAt === length)![1];
const foundAt = (model: string, distance: number) =>
  measured[model]["default"].needle.find(([measuredAt]) => measuredAt === distance)![1];

/** What a float32 holds of a number. */
const single = (value: number) => new Float32Array([value])[0];
const stored = (pe: Posenc, type: "float16" | "bfloat16", value: number) => {
  const x = { data: new Float32Array([value]), dims: [1] };
  return pe.toFloat32(type === "float16" ? pe.toFloat16(x) : pe.toBfloat16(x)).data[0];
};

/** Whether the library refuses a row that a table of so many rows has not; what it gives instead. */
function refusal(pe: Posenc, length: number, position: number): Cell {
  return withEncoding(pe.create({ kind: "learned", length, dim: 4 }), (table) => {
    try {
      return table.table({ positions: [position] }).data[0];
    } catch (error) {
      if ((error as { code: string }).code === "out-of-range") return outOfRange;
      throw error;
    }
  });
}

const bucket = (pe: Posenc, distance: number) =>
  withEncoding(
    pe.create({ kind: "t5", heads: 1 }),
    (t5) => t5.buckets({ queries: 1, keys: 1, offset: 0, keyPositions: [distance] }).data[0] as number,
  );

/** How far outputs move when all words stand 100 further on, with values turned or as they are. */
function movedBy(pe: Posenc, turnsValues: boolean): number {
  const words = ["the", "dog", "sees", "a", "cat"];
  const outputs = (shift: number) => {
    const tensor = () => ({ data: wordVectors(words), dims: [1, 1, words.length, vectorLength] });
    return withEncoding(pe.create({ kind: "rope", dim: vectorLength }), (encoding) => {
      const values = turnsValues ? encoding.apply(tensor(), { offset: shift }) : tensor();
      return pe.attention(tensor(), tensor(), values, { encoding, at: { offset: shift } }).data.slice();
    });
  };
  return largestDifference(outputs(0), outputs(100));
}

const yarnFactor = (pe: Posenc) =>
  withEncoding(
    pe.create({ kind: "rope-yarn", dim: 128, factor: 4, originalLength: 4096 }),
    (yarn) => yarn.attentionFactor,
  );

const slopes = (pe: Posenc, heads: number) =>
  withEncoding(pe.create({ kind: "alibi", heads }), (alibi) => alibi.slopes.slice());

const shawRow = (pe: Posenc, distance: number) =>
  withEncoding(pe.create({ kind: "shaw", dim: 8, maxDistance: 4 }), (shaw) => shaw.bucketOf([distance])[0]);

/** Pairs of a head of 128 that do not finish a turn within so many tokens. */
const unfinished = (pe: Posenc, base: number, length: number) =>
  frequencies(pe, 128, base).filter((frequency) => (2 * Math.PI) / frequency > length).length;

const sineRows = (pe: Posenc): Row[] =>
  [0, 50].map((from) => {
    const [one, other] = [waves(pe, 128, from), waves(pe, 128, from + 10)];
    return [dot(pe, evens(one), evens(other)), dot(pe, one, other)];
  });

const paddedIds = (pe: Posenc) => pe.positionIds({ data: Int32Array.from([0, 0, 1, 1, 1]), dims: [1, 5] }).data;

const llama = models["llama-3-8b"].spec as { base: number; dim: number };

export const mistakes = {
  slow: {
    at: "sinusoidal#table",
    rows: (pe) => [
      ["0.0001", frequencies(pe, 512, 10000)[1]],
      ["sin 0.0001 = 0.0001", waves(pe, 512, 1)[2]],
      ["cos 0.9999 = 0.5404", waves(pe, 512, 1)[511]],
    ],
  },
  tenth: {
    at: "sinusoidal#example",
    rows: (pe) => [
      ["0.9950", waves(pe, 4, 1)[2]],
      ["0.0998", waves(pe, 4, 1)[3]],
    ],
  },
  column: {
    at: "sinusoidal#curves",
    // Twice the exponent is the base squared.
    rows: (pe) => [
      [frequencies(pe, 128, 1e8)[5], frequencies(pe, 128, 1e4)[5]],
      [longestWave(pe, 128, 1e8), longestWave(pe, 128, 1e4)],
    ],
  },
  cosine: { at: "sinusoidal#clocks", rows: sineRows },
  absolute: {
    at: "rotation#pairs",
    neutral: true,
    rows: (pe) => [[dot(pe, waves(pe, 128, 0), waves(pe, 128, 10)), dot(pe, waves(pe, 128, 500), waves(pe, 128, 510))]],
  },
  sign: {
    at: "rotation#turn",
    rows: (pe) =>
      [0, 100].map((shift): Row => [
        dot(pe, turned(pe, "query", 5 + shift), turned(pe, "key", -3 - shift)),
        score(pe, 5 + shift, 3 + shift),
      ]),
  },
  sentence: {
    at: "order#matrix",
    rows: (pe) => {
      const words = ["I", "love", "you"];
      const { outputs } = attend(pe, words, "sinusoidal", { causal: false, shift: 0, head: 1 });
      return [[1, outputs.length / vectorLength]];
    },
  },
  dates: { at: "relative#clip" },
  limit: {
    at: "long-context#figure-arena",
    neutral: true,
    rows: (pe) => [
      [lossAt("en-rope", 256), lossAt("en-rope", 1024)],
      [lossAt("en-sinusoidal", 256), lossAt("en-sinusoidal", 1024)],
      [unfinished(pe, 10000, 256), unfinished(pe, 10000, 1024)],
    ],
  },
  flat: {
    at: "long-context#figure-needle",
    neutral: true,
    rows: () => [
      [lossAt("en-alibi", 256), lossAt("en-alibi", 2048)],
      [foundAt("en-alibi", 256), foundAt("en-alibi", 2048)],
    ],
  },
  falcon: { at: "models#atlas", rows: () => [["alibi", models["falcon-7b"].spec.kind]] },
  embedding: {
    at: "relative#clip",
    rows: (pe) => [
      ["−3", shawRow(pe, -3)],
      ["8", shawRow(pe, 4) + 1],
      ["−1", refusal(pe, 512, -1)],
      ["512", refusal(pe, 512, 512)],
    ],
  },
  buckets: {
    at: "relative#buckets",
    rows: (pe) => [
      [bucket(pe, -3), bucket(pe, 3)],
      [bucket(pe, 3), bucket(pe, -3)],
    ],
  },
  slopes: {
    at: "alibi#bias",
    rows: (pe) => [
      ["2^(−8/12) = 0.6300", slopes(pe, 12)[0]],
      ["2^(−6) = 0.0156", slopes(pe, 12)[8]],
    ],
  },
  layout: {
    at: "rope#layouts",
    neutral: true,
    rows: (pe) => [0, 3, 20].map((distance): Row => [score(pe, distance, 0, "interleaved"), score(pe, distance, 0)]),
  },
  values: { at: "rope#rotate", rows: (pe) => [[movedBy(pe, true), movedBy(pe, false)]] },
  base: {
    at: "long-context#lab",
    neutral: true,
    rows: (pe) => [
      [longestWave(pe, llama.dim, 10000), longestWave(pe, llama.dim, llama.base)],
      [unfinished(pe, 10000, 8192), unfinished(pe, llama.base, 8192)],
    ],
  },
  factor: {
    at: "long-context#sharp",
    rows: (pe) => [
      ["1", yarnFactor(pe)],
      ["1", yarnFactor(pe) ** 2],
    ],
  },
  precision: {
    at: "long-context#precision",
    neutral: true,
    rows: (pe) => [
      [257, stored(pe, "bfloat16", 257)],
      [2049, stored(pe, "float16", 2049)],
      [16777217, single(16777217)],
    ],
  },
  padding: {
    at: "learned#end",
    rows: (pe) => [
      ["2", paddedIds(pe)[2]],
      [waves(pe, 4, 2)[0], waves(pe, 4, paddedIds(pe)[2])[0]],
    ],
  },
  cache: { at: "rope#shift", rows: (pe) => [[score(pe, 0, 4), score(pe, 9, 4)]] },
} satisfies Record<string, Mistake>;

export type MistakeName = keyof typeof mistakes;
export const mistakeNames = Object.keys(mistakes) as MistakeName[];
export const mistakeOf = (name: MistakeName): Mistake => mistakes[name];
