// A sequence of words and grids of patches with its three position ids per token, and the pairs that follow each of them.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import type { en } from "./text.en.ts";

export const whats = ["image", "video", "two"] as const;
export const orders = ["chunked", "interleaved"] as const;
export const afters = ["spatial", "maximum"] as const;

export interface MropeSettings {
  what: (typeof whats)[number];
  rows: number;
  columns: number;
  frames: number;
  order: (typeof orders)[number];
  after: (typeof afters)[number];
  token: number;
}

export type Axis = "t" | "h" | "w";
export const axes: Axis[] = ["t", "h", "w"];

export type Ids = Record<Axis, number>;

export interface Token extends Ids {
  index: number;
  /** A word of the text, or nothing for a patch. */
  word?: string;
  patch?: { frame: number; row: number; column: number };
}

/** Words in a row, or one frame of patches. */
export interface Block {
  kind: "words" | "patches";
  columns: number;
  frame: number;
  tokens: Token[];
}

interface Part {
  words?: string[];
  grid?: number[];
}

/** What stands in the sequence, in order. */
function partsOf({ what, rows, columns, frames }: MropeSettings, text: typeof en.mrope.figure): Part[] {
  const picture = { grid: [what === "video" ? frames : 1, rows, columns] };
  const between = what === "two" ? [{ words: text.between }, picture] : [];
  return [{ words: text.before }, picture, ...between, { words: text.behind }];
}

export interface Sequence {
  tokens: Token[];
  blocks: Block[];
  next: number;
  delta: number;
}

export function sequenceOf(pe: Posenc, settings: MropeSettings, text: typeof en.mrope.figure): Sequence {
  const parts = partsOf(settings, text);
  const segments = parts.map(({ words, grid }) =>
    words ? { text: words.length } : grid![0] > 1 ? { video: grid! } : { image: grid! },
  );
  const { positions, delta, next } = pe.mropePositionIds(segments, { after: settings.after });
  const [t, h, w] = positions.axes;
  const idsOf = (index: number) => ({ index, t: t[index], h: h[index], w: w[index] });
  const blocks: Block[] = [];
  let count = 0;
  for (const { words, grid } of parts) {
    if (words) {
      const tokens = words.map((word, index) => ({ ...idsOf(count + index), word }));
      blocks.push({ kind: "words", columns: 1, frame: 0, tokens });
      count += words.length;
      continue;
    }
    const [frames, rows, columns] = grid!;
    for (let frame = 0; frame < frames; frame += 1) {
      const tokens = Array.from({ length: rows * columns }, (_, index) => ({
        ...idsOf(count + index),
        patch: { frame, row: Math.floor(index / columns), column: index % columns },
      }));
      blocks.push({ kind: "patches", columns, frame, tokens });
      count += tokens.length;
    }
  }
  return { tokens: blocks.flatMap(({ tokens }) => tokens), blocks, next, delta };
}

export interface Pair {
  axis: Axis;
  cos: number;
  sin: number;
}

/** Qwen2-VL's sections of the pairs, one after the other, or Qwen3-VL's, which take turns. */
const specs = {
  chunked: { kind: "rope-mrope", dim: 128, base: 1e6, sections: [16, 24, 24] },
  interleaved: { kind: "rope-mrope", dim: 128, base: 5e6, sections: [24, 20, 20], interleavedSections: true },
} as const;

/** Where each pair's hand stands at a token, and which of the three ids moves it. */
export function pairsAt(pe: Posenc, order: MropeSettings["order"], { t, h, w }: Ids): Pair[] {
  const { sections, ...spec } = specs[order];
  return withEncoding(pe.create({ ...spec, sections: [...sections] }), (rope) => {
    const { cos, sin } = rope.tables({ positions: [[t], [h], [w]] });
    // A pair turns by the axis whose step alone gives it an angle.
    const turns = axes.map((_, axis) => rope.angles({ positions: axes.map((_, other) => [other === axis ? 1 : 0]) }));
    return Array.from({ length: rope.pairs }, (_, pair) => ({
      axis: axes[turns.findIndex((angles) => angles[pair] !== 0)],
      cos: cos.data[pair],
      sin: sin.data[pair],
    }));
  });
}
