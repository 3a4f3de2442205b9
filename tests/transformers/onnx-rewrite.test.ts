// Exported models with other positions written into them compute what PyTorch computes with these positions. More models, and
// all in both runtimes: POSENC_ONNX_MODELS=folder POSENC_ONNX_WEB=1 npx vitest run --config tests/transformers/vitest.config.ts onnx-rewrite
import { readFileSync } from "node:fs";
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { openModel, type PositionalComponent, type OnnxModel } from "posenc/onnx";
import { errorOf, feedsOf, models, type Case, type Model } from "./onnx-models";
import { runtimes } from "./runtimes";

const pe = await init();
type Options = Parameters<OnnxModel["rewrite"]>[1];

const original = 64;
const scaled = { factor: 4, originalLength: original };
const fixed: Record<string, object> = {
  default: { kind: "rope" },
  linear4: { kind: "rope-linear", factor: 4 },
  dynamic4: { kind: "rope-dynamic", ...scaled },
  yarn4: { kind: "rope-yarn", ...scaled },
  llama3_4: { kind: "rope-llama3", ...scaled, lowFrequencyFactor: 1, highFrequencyFactor: 4 },
  theta: { kind: "rope", base: 370000 },
};
const globalNames: Record<string, string> = {
  "linear4-global": "linear4",
  "yarn4-global": "yarn4",
  global_theta: "theta",
};
const configOf = ({ file }: Model) => JSON.parse(readFileSync(file.replace(/[^/]*$/, "config.json"), "utf8"));
/** Exporters froze what depends on the length to short texts; one took Llama 3's original length from another field. */
const wrongAsExported = (model: Model, length: number, all: readonly PositionalComponent[]) => {
  const { type, rope_type: kind = type } = configOf(model).rope_scaling ?? {};
  return (length > original && /dynamic|longrope/.test(kind)) || (kind === "llama3" && all[0]!.form === "cache");
};
const baseOf = (component: PositionalComponent) => (component.spec as { base?: number } | undefined)?.base ?? Infinity;
const rowsFor = ({ rows }: PositionalComponent, length: number) => rows === undefined || rows >= length;

function rotaryOf(
  variant: string,
  length: number,
  model: Model,
  all: readonly PositionalComponent[],
  scaling: unknown,
) {
  if (variant === "orig" && wrongAsExported(model, length, all)) return pe.fromConfig(configOf(model)) as never;
  // Another base below the scaling that the configuration has.
  if (variant === "theta" && scaling) return pe.fromConfig({ ...configOf(model), rope_theta: 370000 }) as never;
  const factors = model.truth.longrope_factors;
  const longrope = factors && {
    ...{ kind: "rope-longrope", ...scaled },
    ...{ shortFactor: factors.short_factor, longFactor: factors.long_factor },
  };
  const name = globalNames[variant] ?? variant;
  const spec = name === "longrope4" ? longrope : fixed[name];
  const top = Math.max(...all.map(baseOf));
  // Of a model of two bases the configuration's scaling is about the larger one. What stays has more rows at most.
  const kept = (component: PositionalComponent) => (rowsFor(component, length) ? undefined : component.spec);
  return (component: PositionalComponent) =>
    (spec === undefined || baseOf(component) < top ? kept(component) : spec) as never;
}

/** What a case asks of the library; undefined: nothing. */
function optionsOf(
  { name, rope_scaling: scaling }: Case,
  model: Model,
  positions: readonly PositionalComponent[],
): Options {
  const [variant, text] = name.split("@") as [string, string | undefined];
  const size = /^px(\d+)$/.exec(variant);
  if (size) {
    const side = Math.round(Number(size[1]) / configOf(model).patch_size);
    const [table] = positions;
    return table!.form === "added" && side ** 2 + 1 !== table!.rows ? { grid: [side, side] } : {};
  }
  const length = Number(text);
  const resize = /^resize(\d+)-(linear_ac|linear|bicubic)$/.exec(variant);
  if (resize) {
    const [, rows, mode] = resize;
    const how = mode === "linear_ac" ? { mode: "linear" as const, alignCorners: true } : (mode as "linear" | "bicubic");
    return { length: Number(rows), resize: how };
  }
  const slopes = Array.from(
    { length: positions[0]!.heads ?? 0 },
    (_, h, heads = positions[0]!.heads!) => 2 ** ((-8 * (h + 1)) / heads) / 4,
  );
  if (variant === "slopes_div4") return { bias: { kind: "alibi", slopes } };
  const distance = /^max_(?:distance|relative)(\d+)$/.exec(variant)?.[1];
  if (distance)
    return {
      bias: { kind: (positions[0]!.spec?.kind ?? "deberta") as "t5", maxDistance: Number(distance) },
      angles: "float32",
    };
  if (variant !== "orig" && !fixed[globalNames[variant] ?? variant] && variant !== "longrope4")
    throw new Error(`nothing is known of the change ${variant}`);
  if (!positions.some(({ family }) => family === "rotary")) return {};
  // Angles of 16 bits are off by more than all else beyond some tokens.
  const fixes = variant !== "orig" && positions.some(({ form, type }) => form === "frequencies" && type === "float16");
  const exact = fixes ? { angles: "float32" as const } : {};
  const isWrong = variant === "orig" && wrongAsExported(model, length, positions);
  const isDynamic = /dynamic|longrope/.test(JSON.stringify([variant, variant === "theta" && scaling]));
  const isLonger = isDynamic || isWrong || positions.some((component) => !rowsFor(component, length));
  return { rotary: rotaryOf(variant, length, model, positions, scaling), ...(isLonger && { length }), ...exact };
}

/** Of files that compute with fewer bits. */
const isRough = ({ name }: Model) => /fp16|f16|quantized|_q4|webgpu/.test(name);

async function run(ort: any, bytes: Uint8Array, model: Model, one: Case): Promise<number> {
  const externalData = Object.entries(model.externalData).map(([path, data]) => ({ path, data }));
  // 1.24 cannot load float16 graphs with all of its fusions.
  const options = {
    graphOptimizationLevel: "basic",
    logSeverityLevel: 4,
    executionProviders: [ort === runtimes[1]![1] ? "wasm" : "cpu"],
  };
  const session = await ort.InferenceSession.create(bytes, { ...options, externalData });
  try {
    return errorOf(await session.run(feedsOf(ort, session, model, one)), model, one);
  } finally {
    await session.release();
  }
}

/** The web runtime is asked a few: what it loads, it computes as the other does. */
const asksWeb = (name: string) => Boolean(process.env.POSENC_ONNX_WEB) || few.has(name);
const few = new Set(["yarn4@192", "resize192-bicubic@192", "slopes_div4@192", "max_distance192@192", "longrope4@192"]);

/** Of fewer bits, in errors of the unchanged file. */
const rough = 1.5;
/** Rows between rows of a file that has rounded both, and T5 with other distances. */
const rougher = 2;

/**
 * What a file of fewer bits may be off by: somewhat more than it was, or as much as with PyTorch's own frequencies in place of
 * the library's, as errors of float16 and of quantised weights differ from rotation to rotation.
 */
async function roughly(ort: any, opened: OnnxModel, options: Options, model: Model, one: Case): Promise<number> {
  const own = await roughness(ort, model, one);
  const [rope] = one.rope ?? [];
  if (!rope) return rougher * own;
  const theirs = {
    family: "rotary",
    spec: {},
    inverseFrequencies: Float64Array.from(rope.inv_freq),
    frequenciesAt: () => Float64Array.from(rope.inv_freq),
    attentionFactor: rope.attention_scaling,
  };
  const changed = await opened.rewrite(pe, { ...options, rotary: theirs as never });
  return Math.max(rough * own, 1.1 * (await run(ort, await changed.bytes(), model, one)));
}

/** What was written is read again: PyTorch's frequencies, and its factor. */
async function rotatesAs(bytes: Uint8Array, model: Model, { rope = [] }: Case) {
  const { positions } = await openModel(bytes, { externalData: model.externalData });
  for (const { family, frequencies, attentionFactor, type } of positions) {
    if (family !== "rotary" || rope.length === 0) continue;
    const tolerance = type === "float16" ? 1e-3 : 1e-5;
    const off = rope.map(({ inv_freq: wanted, attention_scaling: factor }) =>
      Math.max(Math.abs(attentionFactor! / factor - 1), ...wanted.map((f, k) => Math.abs(frequencies![k]! / f - 1))),
    );
    expect(Math.min(...off)).toBeLessThan(tolerance);
  }
}

describe.each(models.map((model) => [model.name, model] as const))("%s", (_, model) => {
  const open = () => openModel(readFileSync(model.file), { externalData: model.externalData });
  it.each(model.truth.cases.map((one) => [one.name, one] as const))("%s", async (name, one) => {
    const opened = await open();
    const source = readFileSync(model.file);
    const options = optionsOf(one, model, opened.positions);
    const changed = await opened.rewrite(pe, options);
    const bytes = await changed.bytes();
    const stays = changed.changes.every(({ what }) => / already$/.test(what));
    expect(stays, "unchanged, byte for byte").toBe(Buffer.compare(bytes, source) === 0);
    if (changed.changes.length > 0) await rotatesAs(bytes, model, one);
    const asked = runtimes.filter(([runtime]) => runtime === "onnxruntime-node" || asksWeb(name));
    for (const [runtime, ort] of asked) {
      const allowed = isRough(model) ? await roughly(ort, opened, options, model, one) : 1e-4;
      expect(await run(ort, bytes, model, one), runtime).toBeLessThan(allowed);
    }
  });
});

const roughnesses = new Map<any, Map<string, Promise<number>>>(runtimes.map(([, ort]) => [ort, new Map()]));
/** The error of the unchanged file: of the same length, or the length that its tables end at. */
function roughness(ort: any, model: Model, { name }: Case): Promise<number> {
  const length = name.split("@")[1];
  const own = model.truth.cases.find((one) => one.name === `orig@${length}`);
  const key = `${model.name} ${length}`;
  const known = roughnesses.get(ort)!;
  const file = readFileSync(model.file);
  const ask = (one: Case) => run(ort, file, model, one);
  const unchanged = model.truth.cases.filter((one) => /^(orig|px)/.test(one.name));
  const longest = unchanged.reduce(
    (shorter: () => Promise<number>, one) => () => ask(one).catch(shorter),
    () => Promise.reject(new Error(`${model.name} runs no case unchanged`)),
  );
  const made = known.get(key) ?? (own ? ask(own).catch(longest) : longest());
  known.set(key, made);
  return made;
}
