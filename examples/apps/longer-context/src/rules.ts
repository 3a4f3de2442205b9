// The rules that the app compares, as options of usePositions.
import type { RewriteOptions } from "posenc/onnx";

interface Lengths {
  trained: number;
  length: number;
  /** length / trained; 1 for texts of at most the trained length. */
  factor: number;
}

export interface Rule {
  label: string;
  note: string;
  /** Returns the change of the model; missing: the model as it was trained. */
  change?: (lengths: Lengths) => RewriteOptions;
}

export const rules = {
  trained: { label: "as trained", note: "The file as it is." },
  linear: {
    label: "linear",
    note: "Position interpolation: all frequencies are divided by the factor. It needs fine-tuning.",
    change: ({ length, factor }) => ({ rotary: { kind: "rope-linear", factor }, length }),
  },
  ntk: {
    label: "NTK",
    note: "A larger base. Its factor is the square of the ratio of lengths here.",
    change: ({ length, factor }) => ({ rotary: { kind: "rope-ntk", factor: factor ** 2 }, length }),
  },
  dynamic: {
    label: "dynamic NTK",
    note: "A base for exactly this length.",
    change: ({ trained, length, factor }) => ({
      rotary: { kind: "rope-dynamic", factor, originalLength: trained },
      length,
    }),
  },
  yarn: {
    label: "YaRN",
    note: "Slow pairs are interpolated, fast pairs stay, and the scores get sharper.",
    change: ({ trained, length, factor }) => ({
      rotary: { kind: "rope-yarn", factor, originalLength: trained },
      length,
    }),
  },
  selfExtend: {
    label: "SelfExtend",
    note: "Far tokens share positions: distances stay below the trained length.",
    change: ({ trained, factor }) => ({
      remap: { kind: "self-extend", group: Math.ceil(2 * factor), window: Math.floor(trained / 2) },
    }),
  },
  rerope: {
    label: "ReRoPE",
    note: "All tokens beyond a window of ¾ of the trained length have the distance of its end.",
    change: ({ trained }) => ({ remap: { kind: "rerope", window: Math.floor(0.75 * trained) } }),
  },
  window: {
    label: "window",
    note: "Each token attends to as many tokens as in training. All earlier text is lost.",
    change: ({ trained }) => ({ window: trained }),
  },
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;
export const ruleNames = Object.keys(rules) as RuleName[];
