// Multimodal RoPE: cosines of three kinds of positions; each section of features uses one kind.
import { attributeOf, integerOf, type Step, type Value } from "../read/flow.js";
import { constantValue, constantValues } from "../read/constant-values.js";
import { beforeForms, formOps, forward, makerOf } from "../read/trace.js";
import type { Files } from "../read/values.js";

/** A part of the features, and the axis whose positions it uses. */
interface Section {
  readonly size: number;
  readonly axis: number;
}

const mostSections = 64;
const between = new Set([...formOps, "Concat"]);

/**
 * Returns the index of a value among several: the index of a Gather, or of an output of a Split into single elements.
 */
async function indexOf(value: Value | undefined, files: Files): Promise<number | undefined> {
  if (!value) return undefined;
  const before = beforeForms(value);
  const { maker } = before;
  if (maker?.op === "Gather") return constantValue(maker.ins[1], files);
  const sizes = maker?.op === "Split" ? await constantValues(maker.ins[1], files) : undefined;
  const isEach = sizes?.every((size) => size === 1);
  return isEach ? maker!.outs.indexOf(before) : undefined;
}

async function axisOf(part: Value, files: Files): Promise<number | undefined> {
  const [take, ...others] = part.users;
  return take?.op === "Gather" && others.length === 0 ? indexOf(take.outs[0], files) : undefined;
}

async function sectionsAt(split: Step, files: Files): Promise<Section[] | undefined> {
  const sizes = split.outs.length <= mostSections ? await constantValues(split.ins[1], files) : undefined;
  if (sizes?.length !== split.outs.length) return undefined;
  const found: Section[] = [];
  for (const [i, part] of split.outs.entries()) {
    const axis = await axisOf(part, files);
    if (axis === undefined || !(axis >= 0 && axis < sizes.length)) return undefined;
    found.push({ size: sizes[i]!, axis });
  }
  return found;
}

/** Reads angles of another axis that overwrite every third pair: the axis, and the number of pairs in the Slice. */
async function overwritten({ ins }: Step, files: Files): Promise<Section | undefined> {
  const slice = makerOf(ins[2], between);
  const bounds = slice?.op === "Slice" ? slice.ins.slice(1, 5) : [];
  if (bounds.length !== 4) return undefined;
  const [start, end, , step] = await Promise.all(
    bounds.map(async (value) => (await constantValues(value, files))?.[0]),
  );
  const axis = await indexOf(slice!.ins[0], files);
  if (start === undefined || end === undefined || !(step! > 1) || axis !== start) return undefined;
  return { axis, size: Math.ceil((end - start) / step!) };
}

/** Returns the sections of alternating axes (Qwen3-VL). The first axis has the remaining pairs. */
async function alternatingSections(cos: Step, pairs: number, files: Files): Promise<readonly number[] | undefined> {
  const found: Section[] = [];
  let at = cos.ins[0];
  for (let left = mostSections; left > 0 && at?.maker; left--) {
    const { maker } = at as { maker: Step };
    const section = maker.op === "ScatterND" ? await overwritten(maker, files) : undefined;
    if (section) found.unshift(section);
    else if (maker.op === "ScatterND" || !between.has(maker.op)) break;
    at = maker.ins[0];
  }
  const first = pairs - found.reduce((sum, { size }) => sum + size, 0);
  const isInOrder = found.length > 0 && first > 0 && found.every(({ axis }, i) => axis === i + 1);
  return isInOrder ? [first, ...found.map(({ size }) => size)] : undefined;
}

/** Fields of a spec: number of pairs of each axis, and whether axes alternate; or the axis of each pair. */
export type Sections =
  | { readonly sections: readonly number[]; readonly interleavedSections?: boolean }
  | { readonly axisOfPair: readonly number[] };

/**
 * Returns the sections of onnxruntime's MRotaryEmbedding; undefined: the operator would not run. Alternating axes 1 and 2
 * have every third pair, up to three times their section; axis 0 has all other pairs.
 */
export function sectionsOfOperator({ op, node }: Step, pairs: number): Sections | undefined {
  if (op !== "MRotaryEmbedding") return undefined;
  const sections = attributeOf(node, "mrope_section")?.ints ?? [];
  const sum = sections.reduce((all, section) => all + section, 0);
  if (sections.length !== 3 || sum !== pairs || !sections.every((section) => section >= 0)) return undefined;
  if (integerOf(node, "mrope_layout", 0) !== 1) return { sections };
  const axisOfPair = Array.from({ length: pairs }, (_, pair) => (pair < 3 * sections[pair % 3]! ? pair % 3 : 0));
  const isWhole = sections.every((section, axis) => axisOfPair.filter((one) => one === axis).length === section);
  return isWhole ? { sections, interleavedSections: true } : { axisOfPair };
}

/**
 * Returns the number of pairs of each axis, in order; undefined: one axis for all. Bai et al. 2025 (Qwen2-VL,
 * arXiv:2409.12191), section 2.1.
 */
export async function sectionsOf(cos: Step, pairs: number, files: Files): Promise<Sections | undefined> {
  const alternating = await alternatingSections(cos, pairs, files);
  if (alternating) return { sections: alternating, interleavedSections: true };
  const splits: Step[] = [];
  forward(cos.outs, (step) => {
    if (step.op === "Split") splits.push(step);
    return !formOps.has(step.op);
  });
  const [split] = splits;
  const all = split && (await sectionsAt(split, files));
  const total = all?.reduce((sum, { size }) => sum + size, 0);
  // Both features of a pair may have their own sections.
  const sections = total === 2 * pairs ? all!.slice(0, all!.length / 2) : total === pairs ? all! : [];
  const isInOrder = sections.length > 1 && sections.every(({ axis }, i) => axis === i);
  return isInOrder ? { sections: sections.map(({ size }) => size) } : undefined;
}
