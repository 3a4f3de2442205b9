// The numbers in the solutions: each is computed by the library when the site is built (build/teach.ts). Words are in text.exercises-*.ts.
import { fixed, grouped } from "../lib/format.ts";
import type { ChapterName } from "../text/chapters.en.ts";
import { later } from "./later-answers.ts";
import {
  apart,
  distance,
  products,
  smallestBinary,
  tableOf,
  turnedBy,
  type Exercise,
  type Numbers,
  type Tools,
} from "./tools.ts";

/** Attention over five words, two of which are alike: how far the output of "dog" moves when "dog" and "man" are exchanged. */
function moved({ pe }: Tools, options: object): string {
  const dim = 16;
  const vector = (word: number) => Array.from({ length: dim }, (_, i) => 2 * Math.sin((word + 1) * (i + 1) ** 2));
  const dogIn = (sentence: number[]) => {
    const x = { data: Float32Array.from(sentence.flatMap(vector)), dims: [1, 1, 5, dim] };
    const start = sentence.indexOf(1) * dim;
    return pe.attention(x, x, x, options).data.slice(start, start + dim);
  };
  const [before, after] = [dogIn([0, 1, 2, 0, 3]), dogIn([0, 3, 2, 0, 1])];
  return fixed(Math.max(...before.map((value, i) => Math.abs(value - after[i]!))), 3);
}

function counted({ pe }: Tools): Numbers {
  const binary = tableOf(pe, { kind: "binary", dim: 4 }, { positions: [7, 8, 9] });
  const normalized = (length: number) => tableOf(pe, { kind: "normalized" }, { length });
  return {
    far: fixed(distance(binary, 0, 1), 0),
    near: fixed(distance(binary, 1, 2), 0),
    digits: smallestBinary(pe, 4095),
    rows: grouped(4096),
    short: fixed(normalized(16).data[1]!, 3),
    long: fixed(normalized(1000).data[1]!, 4),
  };
}

/** Where position 44 stands beside position 0, seen on two clocks of 64. */
function almostAround({ pe }: Tools): Numbers {
  const table = tableOf(pe, { kind: "sinusoidal", dim: 128 }, { positions: [0, 44] });
  return { first: fixed(apart(table, 0), 1), second: fixed(apart(table, 1), 0) };
}

function waves({ pe, explain }: Tools): Numbers {
  const encoding = pe.create({ kind: "sinusoidal", dim: 128 });
  const { wavelengths = [] } = explain(pe, encoding);
  encoding.dispose();
  return { quick: fixed(wavelengths[0]!, 2), slow: grouped(Math.round(wavelengths.at(-1)!)) };
}

const numbered = (name: string, values: ArrayLike<number>, decimals: number): Numbers =>
  Object.fromEntries(Array.from(values, (value, index) => [`${name}${index}`, fixed(value, decimals)]));

function shifts({ pe }: Tools): Numbers {
  const encoding = pe.create({ kind: "sinusoidal", dim: 4, base: 100 });
  const block = encoding.shift(3).data.slice(0, 4);
  encoding.dispose();
  const from = tableOf(pe, { kind: "sinusoidal", dim: 4, base: 100 }, { positions: [5, 8] });
  return {
    ...numbered("t", block, 3),
    ...numbered("from", from.data.slice(0, 2), 3),
    ...numbered("to", from.data.slice(4, 6), 3),
  };
}

function rightAngles({ pe }: Tools): Numbers {
  const rows = 200;
  const all = (dim: number) => {
    const table = tableOf(pe, { kind: "learned", length: rows, dim, std: 1, seed: 1 }, { length: rows });
    const offs = products(pe, table).map((angle) => Math.abs(90 - angle));
    return offs.sort((a, b) => a - b)[Math.floor(0.95 * offs.length)]!;
  };
  return { few: fixed(all(4), 0), many: fixed(all(512), 0) };
}

function terms({ pe }: Tools): Numbers {
  const dim = 64;
  const random = (length: number, std: number, seed: number) =>
    tableOf(pe, { kind: "learned", length, dim, std, seed }, { length });
  const positions = tableOf(pe, { kind: "sinusoidal", dim }, { length: 6 });
  const found = pe.scoreTerms(random(6, 1, 1), positions, random(dim, dim ** -0.5, 2), random(dim, dim ** -0.5, 3));
  const at = (name: keyof typeof found) => found[name].data[1]!;
  const all = (Object.keys(found) as (keyof typeof found)[]).reduce((sum, name) => sum + at(name), 0);
  return {
    ww: fixed(at("contentContent"), 3),
    wp: fixed(at("contentPosition"), 3),
    pw: fixed(at("positionContent"), 3),
    pp: fixed(at("positionPosition"), 3),
    all: fixed(all, 3),
  };
}

function widths({ pe }: Tools): Numbers {
  const dim = 64;
  const encoding = pe.create({ kind: "sinusoidal", dim });
  const x = tableOf(pe, { kind: "learned", length: 6, dim, seed: 1 }, { length: 6 });
  const [, wide] = encoding.concatTo(x).dims as [number, number];
  encoding.dispose();
  return { wide, added: grouped(dim * dim), joined: grouped(wide * dim) };
}

function untrained({ pe }: Tools): Numbers {
  const [rows, length, dim] = [48, 20, 8];
  const table = pe.create({ kind: "learned", length: rows, dim, seed: 2 });
  table.backward({ data: new Float32Array(length * dim).fill(1), dims: [length, dim] });
  const gradient = table.gradient.data;
  const still = Array.from({ length: rows }, (_, row) => gradient.slice(row * dim, (row + 1) * dim)).filter((row) =>
    row.every((value) => value === 0),
  ).length;
  table.dispose();
  return { still };
}

function gpt2({ models }: Tools): Numbers {
  const { length, dim } = models["gpt-2"].spec as { length: number; dim: number };
  return { length, dim, numbers: grouped(length * dim), last: grouped(length - 1) };
}

export const exercises: Record<ChapterName, Exercise[]> = {
  order: [
    { at: "order#figure-words", numbers: () => ({ orders: (5 * 4 * 3 * 2) / 2 }) },
    {
      at: "order#figure-leak",
      numbers: (tools) => ({ none: moved(tools, {}), mask: moved(tools, { causal: true }) }),
    },
    { at: "order#figure-matrix" },
  ],
  counting: [
    { at: "counting#figure-waves", numbers: counted },
    { at: "counting#figure-strips", numbers: counted },
    { at: "counting#figure-strips", numbers: counted },
  ],
  sinusoidal: [
    {
      at: "sinusoidal#figure-example",
      numbers: ({ pe }) =>
        numbered("v", tableOf(pe, { kind: "sinusoidal", dim: 4, base: 100 }, { positions: [3] }).data, 3),
    },
    { at: "sinusoidal#figure-table", numbers: waves },
    { at: "sinusoidal#figure-row", numbers: almostAround },
  ],
  rotation: [
    { at: "rotation#figure-turn", numbers: shifts },
    {
      at: "rotation#figure-apart",
      numbers: ({ pe }) => {
        const spec = { kind: "sinusoidal", dim: 8, base: 100 } as const;
        const table = tableOf(pe, spec, { positions: [5, 8, 5000, 5003] });
        const { data } = pe.similarity(table);
        return { here: fixed(data[1]!, 3), there: fixed(data[2 * 4 + 3]!, 3), self: fixed(data[0]!, 0) };
      },
    },
    { at: "rotation#figure-compose", numbers: ({ pe }) => ({ error: turnedBy(pe) }) },
  ],
  adding: [
    { at: "adding#figure-cosines", numbers: rightAngles },
    { at: "adding#figure-terms", numbers: terms },
    { at: "adding#figure-concat", numbers: widths },
  ],
  learned: [
    { at: "learned#figure-end", numbers: gpt2 },
    { at: "learned#figure-rows", numbers: untrained },
    { at: "learned#figure-end", numbers: gpt2 },
  ],
  ...later,
};
