// What a small learner knows of positions, for each encoding: rows that are added, or what happens inside attention.
import type { AttentionOptions, Encoding, LearnedTable, SinusoidalTable } from "posenc";
import type { Posenc } from "../../lib/engine.svelte.ts";

export const encodingNames = ["none", "learned", "sinusoidal", "shaw", "t5", "alibi", "rope", "cope"] as const;
export type EncodingName = (typeof encodingNames)[number];

/** Slopes and frequencies could be learned, too; here they are those of the papers. */
const learnedKinds = ["learned", "shaw", "t5", "cope"];

export interface Sizes {
  width: number;
  heads: number;
  layers: number;
  /** The longest text that will ever be read. */
  longest: number;
}

/** The encodings of all layers. Those with learned numbers get their gradients from attention, tables from `tableBack`. */
export interface Places {
  /** Adds the table's rows to hidden states [texts, length, width], if there is a table. */
  addTo(hidden: Float32Array, length: number): void;
  /** Hands back to a learned table what came back to the hidden states. */
  tableBack(gradient: Float32Array, length: number): void;
  /** Of each layer. */
  attention(layer: number): Pick<AttentionOptions, "encoding">;
  step(learningRate: number): void;
  /** The encodings that learn. */
  learning: Encoding[];
  dispose(): void;
}

type Table = SinusoidalTable | LearnedTable;

function tableOf(pe: Posenc, name: EncodingName, { width, longest }: Sizes, seed: number): Table | undefined {
  if (name === "learned") return pe.create({ kind: "learned", length: longest, dim: width, std: 0.3, seed });
  if (name === "sinusoidal") return pe.create({ kind: "sinusoidal", dim: width });
  return undefined;
}

function insideAttention(pe: Posenc, name: EncodingName, sizes: Sizes, seed: number): Encoding | undefined {
  const { width, heads } = sizes;
  const dim = width / heads;
  switch (name) {
    case "shaw":
      return pe.create({ kind: "shaw", dim, maxDistance: 16, maxRight: 0, std: 0.02, seed });
    case "t5":
      // T5's own 32 buckets up to 128 were for texts of 512.
      return pe.create({ kind: "t5", heads, buckets: 16, maxDistance: 32, bidirectional: false, seed });
    case "alibi":
      return pe.create({ kind: "alibi", heads });
    case "rope":
      // With 10 000 three of the four pairs would hardly turn in texts that short.
      return pe.create({ kind: "rope", dim, base: 100 });
    case "cope":
      return pe.create({ kind: "cope", dim, maxPosition: 32, std: 0.02, seed });
    default:
      return undefined;
  }
}

export function makePlaces(pe: Posenc, name: EncodingName, sizes: Sizes, seed: number): Places {
  const table = tableOf(pe, name, sizes, seed);
  const inside = Array.from({ length: sizes.layers }, (_, layer) => insideAttention(pe, name, sizes, seed * 8 + layer));
  const all: Encoding[] = [table, ...inside].filter((one) => one !== undefined);
  const learning = all.filter(({ kind }) => learnedKinds.includes(kind));
  const dimsOf = (x: Float32Array, length: number) => [x.length / length / sizes.width, length, sizes.width];
  return {
    addTo(hidden, length) {
      if (table) hidden.set(table.addTo({ data: hidden, dims: dimsOf(hidden, length) }).data);
    },
    tableBack(gradient, length) {
      if (table?.kind !== "learned") return;
      (table as LearnedTable).backward({ data: gradient, dims: dimsOf(gradient, length) });
    },
    attention: (layer) => (inside[layer] ? { encoding: inside[layer] } : {}),
    step: (learningRate) => learning.forEach((one) => one.step({ optimizer: "adam", learningRate })),
    learning,
    dispose: () => all.forEach((one) => one.dispose()),
  };
}
