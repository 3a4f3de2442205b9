// The kernels of an encoding as text, for a program's own pipelines.
import { PosencError, invalid, show } from "../base/errors.js";
import type { Encoding } from "../encodings/encoding.js";
import { fields, shader, type Kernel } from "./shaders.js";

const descriptions: Record<string, readonly [text: string, ...kernels: Kernel[]]> = {
  rotary: [
    `rotate: a thread for each unit of each row of a head rotates pairs in place.
threads = B * H * T * units; first: numbers before x; width = D; rows = T; inner = 1 for [B, H, T, D], H for [B, T, H, D];
batch = H * T; step = T if each batch element has its own positions, else 0; pairs: of the encoding.
numbers: cos, sin of each position and pair, [T or B * T, pairs, 2], as encoding.tables returns them.
plan: [units, 3]: the features i and j of a pair, and the index of the pair. In float16 a unit is a word (j = i + 1) or
two words, i and j even, with this pair and the next.
carry: the same from a copy of x's words in \`source\` (p.source: numbers before it), a thread for each word.
plan: [D, 4]: 0 unchanged, 1 first of a pair, 2 second; the features i and j of the pair; the index of the pair.`,
    "rotate",
    "carry",
  ],
  table: [
    `add: x += numbers, a thread for each word. threads: words of x; first: numbers before x; size: numbers in it.
numbers: rows as encoding.table returns them; width: their length.`,
    "add",
  ],
  bias: [
    `spread: x = numbers, a thread for each word. threads: words of x; first: numbers before x; size: numbers in it.
width = 0: numbers are x. Else width = keys, rows = queries, step = queries + keys - 1, numbers: [heads, step] by distance, as
encoding.bias returns them for the last query and \`step\` keys.`,
    "spread",
  ],
};

/** Returns the text of the kernels, with the contents of their bindings as comments. */
export function shaderOf(encoding: Encoding<any>): string {
  const { kind, family } = (encoding as Encoding<any> | null | undefined) ?? {};
  if (typeof family !== "string")
    throw invalid("encoding", `must be made by pe.create or fromConfig, got ${show(encoding)}`);
  const [text, ...kernels] = Object.hasOwn(descriptions, family) ? descriptions[family]! : [];
  if (!text) throw new PosencError("unsupported", `encoding: no kernel for ${kind}`, "encoding");
  const lines = `${kind}. override half: x and source hold float16, two to a word, else float32. Workgroups of 64, in x and y.
p: ${fields.length} u32. x: written. source, numbers, plan: read; those not named below may be any buffer.
${text}`;
  return `${lines.replace(/^/gm, "// ")}\n${shader(...kernels)}`;
}
