// The numbers in the solutions from relative positions on.
import { fixed, grouped } from "../lib/format.ts";
import type { ChapterName } from "../text/chapters.en.ts";
import { degrees, tableOf, type Exercise, type Numbers, type Tools } from "./tools.ts";

type Later = Exclude<ChapterName, "order" | "counting" | "sinusoidal" | "rotation" | "adding" | "learned">;

function buckets({ pe }: Tools): Numbers {
  const t5 = pe.create({ kind: "t5", heads: 1, buckets: 32, maxDistance: 128 });
  const keyPositions = Array.from({ length: 400 }, (_, distance) => -distance);
  const { data } = t5.buckets({ queries: 1, keys: keyPositions.length, offset: 0, keyPositions });
  t5.dispose();
  const first = data.findIndex((bucket, distance) => distance > 0 && bucket === data[distance - 1]);
  return { first: first - 1, second: first, last: data.indexOf(data.at(-1)!) };
}

function shaw({ pe }: Tools): Numbers {
  const encoding = pe.create({ kind: "shaw", dim: 64, maxDistance: 16 });
  const [low, high] = encoding.bucketOf([-1000, 1000]) as unknown as [number, number];
  encoding.dispose();
  return { vectors: high - low + 1 };
}

function scores({ pe }: Tools): Numbers {
  const rope = pe.create({ kind: "rope", dim: 64 });
  const turned = (seed: number, position: number) => {
    const data = Float32Array.from({ length: 64 }, (_, i) => 1 + Math.sin(seed * i));
    return rope.apply({ data, dims: [1, 1, 1, 64] }, { positions: [position] }).data.slice();
  };
  const score = (query: number, key: number) => {
    const k = turned(2, key);
    return fixed(
      turned(1, query).reduce((sum, x, i) => sum + x * k[i]!, 0),
      3,
    );
  };
  const found = { score: score(12, 20), moved: score(112, 120), swapped: score(20, 12) };
  rope.dispose();
  return found;
}

function byHand({ pe }: Tools): Numbers {
  const rope = pe.create({ kind: "rope", dim: 2 });
  const at = (position: number) =>
    rope.apply({ data: Float32Array.of(1, 0), dims: [1, 1, 1, 2] }, { positions: [position] }).data.slice();
  const [q, k] = [at(5), at(3)];
  rope.dispose();
  return { score: fixed(q[0]! * k[0]! + q[1]! * k[1]!, 3) };
}

/** Columns that a one in column 1 spreads to. */
function partners({ pe }: Tools): Numbers {
  const partner = (pairing: "half" | "interleaved") => {
    const rope = pe.create({ kind: "rope", dim: 64, pairing });
    const data = Float32Array.from({ length: 64 }, (_, i) => Number(i === 1));
    const turned = rope.apply({ data, dims: [1, 1, 1, 64] }, { positions: [1] }).data;
    const other = turned.findIndex((value, column) => column !== 1 && value !== 0);
    rope.dispose();
    return other;
  };
  return { half: partner("half"), interleaved: partner("interleaved") };
}

function slopes({ pe, explain }: Tools): Numbers {
  const alibi = pe.create({ kind: "alibi", heads: 8 });
  const { reach } = explain(pe, alibi);
  const list = Array.from(alibi.slopes);
  alibi.dispose();
  return {
    steep: fixed(list[0]!, 1),
    flat: fixed(list[7]!, 6),
    ratio: fixed(list[0]! / list[1]!, 0),
    half: Math.round(reach!.halved[7]!),
    nat: Math.round(reach!.nat[7]!),
  };
}

/** The share of a head's weight that falls on the last keys of a long text. */
function nearest({ pe }: Tools): Numbers {
  const [heads, keys] = [8, 4096];
  const alibi = pe.create({ kind: "alibi", heads });
  const rows = (count: number) => ({ data: new Float32Array(heads * count), dims: [1, heads, count, 1] });
  const { data } = pe.attentionWeights(rows(1), rows(keys), { encoding: alibi });
  const share = (head: number, last: number) => {
    const own = data.slice(head * keys, (head + 1) * keys).slice(-last);
    return fixed(100 * own.reduce((sum, weight) => sum + weight, 0), 1);
  };
  const found = { steep: share(0, 8), flat: share(7, 1024) };
  alibi.dispose();
  return found;
}

const frequenciesOf = ({ pe }: Tools, spec: Parameters<Tools["pe"]["create"]>[0]): Float64Array => {
  const rope = pe.create(spec) as ReturnType<Tools["pe"]["create"]> & { inverseFrequencies: Float64Array };
  const list = rope.inverseFrequencies.slice();
  rope.dispose();
  return list;
};
const waveOf = (frequency: number) => grouped(Math.round((2 * Math.PI) / frequency));

function unfinished(tools: Tools): Numbers {
  const all = frequenciesOf(tools, { kind: "rope", dim: 128 });
  const never = (length: number) => all.filter((frequency) => length * frequency < 2 * Math.PI).length;
  return { pairs: all.length, never: never(4096), longer: never(32768) };
}

function interpolated(tools: Tools): Numbers {
  const [plain] = frequenciesOf(tools, { kind: "rope", dim: 128 });
  const [linear] = frequenciesOf(tools, { kind: "rope-linear", dim: 128, factor: 8 });
  return { before: fixed(degrees(plain!), 1), after: fixed(degrees(linear!), 1) };
}

function ntk(tools: Tools): Numbers {
  const plain = frequenciesOf(tools, { kind: "rope", dim: 128 });
  const slowed = frequenciesOf(tools, { kind: "rope-ntk", dim: 128, factor: 8 });
  return {
    first: fixed(plain[0]! / slowed[0]!, 0),
    middle: fixed(plain[32]! / slowed[32]!, 2),
    last: fixed(plain[63]! / slowed[63]!, 0),
  };
}

function grid({ pe }: Tools): Numbers {
  const [rows, columns, dim] = [12, 12, 64];
  const around = (spec: Parameters<typeof pe.create>[0], places: object) => {
    const { data } = pe.similarity(tableOf(pe, spec, places));
    return fixed(data[(columns - 1) * rows * columns + columns]! / data[0]!, 2);
  };
  return {
    line: around({ kind: "sinusoidal", dim }, { length: rows * columns }),
    grid: around({ kind: "sinusoidal-2d", dim }, { grid: [rows, columns] }),
  };
}

function window({ pe }: Tools): Numbers {
  const swin = pe.create({ kind: "swin", heads: 1, windowHeight: 7, windowWidth: 7 });
  const entries = swin.parameters.weights.dims[0]!;
  swin.dispose();
  return { entries, pairs: grouped(49 * 49) };
}

function llama31({ pe, explain, models }: Tools): Numbers {
  const encoding = pe.fromConfig(models["llama-3.1-8b"].config, { family: "rotary" });
  const { pairs } = explain(pe, encoding);
  encoding.dispose();
  const count = (change: string) =>
    pairs!.filter((run) => run.change === change).reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return { same: count("unchanged"), blended: count("blended"), slowed: count("slowed") };
}

function slowest(tools: Tools): Numbers {
  const last = (name: "llama-2-7b" | "llama-3-8b") =>
    waveOf(frequenciesOf(tools, tools.models[name].spec as never).at(-1)!);
  return { two: last("llama-2-7b"), three: last("llama-3-8b") };
}

function chosen({ recommend }: Tools): Numbers {
  const kinds = {
    short: "short-text",
    long: "long-generation",
    extend: "context-extension",
    vision: "vision",
  } as const;
  return Object.fromEntries(Object.entries(kinds).map(([name, task]) => [name, recommend(task).kind]));
}

/** Two vectors for each of 32 heads and 1024 words, of 64 numbers each. */
const numbersTurned = 2 * 32 * 1024 * 64;

export const later: Record<Later, Exercise[]> = {
  relative: [
    { at: "relative#figure-clip", numbers: shaw },
    { at: "relative#figure-buckets", numbers: buckets },
    {
      at: "relative#figure-clip",
      numbers: () => ({ pairs: grouped((512 * 513) / 2), distances: 512 }),
    },
  ],
  rope: [
    { at: "rope#figure-hands", numbers: byHand },
    { at: "rope#figure-shift", numbers: scores },
    { at: "rope#figure-layouts", numbers: partners },
  ],
  alibi: [
    { at: "alibi#figure-bias", numbers: slopes },
    { at: "alibi#figure-reach", numbers: slopes },
    { at: "alibi#figure-reach", numbers: nearest },
  ],
  "long-context": [
    { at: "long-context#figure-unseen", numbers: unfinished },
    { at: "long-context#figure-unseen", numbers: interpolated },
    { at: "long-context#figure-lab", numbers: ntk },
  ],
  images: [
    {
      at: "images#figure-mrope",
      numbers: ({ pe }) => ({ next: pe.mropePositionIds([{ text: 3 }, { image: [1, 4, 6] }]).next }),
    },
    { at: "images#figure-patches", numbers: grid },
    { at: "images#figure-window", numbers: window },
  ],
  models: [
    { at: "models#figure-config", numbers: llama31 },
    { at: "models#figure-config", numbers: slowest },
    { at: "models#figure-choose", numbers: chosen },
  ],
  speed: [
    { at: "speed#figure-lanes", numbers: () => ({ products: grouped((numbersTurned / 2) * 4) }) },
    {
      at: "speed#figure-memory",
      numbers: () => ({
        megabytes: fixed((numbersTurned * 4 * 2) / 1e6, 1),
        time: fixed((numbersTurned * 8) / 1e7, 1),
      }),
    },
    { at: "speed#figure-race" },
  ],
};
