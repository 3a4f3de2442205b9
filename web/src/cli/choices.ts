// Converts the options of `posenc rewrite` to those of `model.rewrite`.
import type { PositionalComponent } from "../onnx/component.js";
import type { Finding } from "../onnx/audit/finding.js";
import type { OnnxModel } from "../onnx/model.js";
import type { BiasChoice, Library, RewriteOptions, RotaryChoice } from "../onnx/options.js";
import { UsageError, type Given, type OptionKinds } from "./arguments.js";
import { readConfig } from "./files.js";

/** Options that scale rotations; at most one of them. */
const scalings = {
  linear: "rope-linear",
  ntk: "rope-ntk",
  dynamic: "rope-dynamic",
  yarn: "rope-yarn",
  llama3: "rope-llama3",
} as const;
type Scaling = keyof typeof scalings;
const scalingNames = Object.keys(scalings) as Scaling[];
/** Scalings that depend on the training context length. */
const fromLength: readonly Scaling[] = ["dynamic", "yarn", "llama3"];
const modes = ["nearest", "linear", "bicubic"] as const;

export const changeOptions: OptionKinds = {
  ...Object.fromEntries(scalingNames.map((name) => [name, "value"] as const)),
  "original-length": "value",
  base: "value",
  spec: "value",
  config: "value",
  bias: "value",
  "max-distance": "value",
  component: "value",
  length: "value",
  resize: "value",
  "align-corners": "flag",
  grid: "value",
  window: "value",
  remap: "value",
  temperature: "value",
  angles: "value",
  tables: "value",
  attention: "flag",
  fix: "value",
};

/** Whether an option sets one rotation for all layers. A config has one for each layer. */
export const isForAll = (given: Given): boolean => [...scalingNames, "spec"].some((name) => given.has(name));

type Choice<T> = T | ((component: PositionalComponent) => T | undefined);

/** The new rotation, and the option that sets it. */
interface Rotation {
  readonly option: string;
  readonly choice: Choice<RotaryChoice>;
}

/** A spec parsed from JSON. The core checks its fields. */
const asChoice = (spec: Record<string, unknown>): RotaryChoice => spec as never;

function scaled(name: Scaling, given: Given, model: OnnxModel, config: unknown): RotaryChoice {
  const factor = given.number(name)!;
  const base = given.number("base");
  // Models without a rotation get another error later.
  const isRotary = model.positions.some(({ family }) => family === "rotary");
  const originalLength =
    isRotary && fromLength.includes(name) ? originalLengthOf(given, name, config) : given.count("original-length");
  return asChoice({
    kind: scalings[name],
    factor,
    ...(originalLength !== undefined && { originalLength }),
    ...(base !== undefined && { base }),
  });
}

function originalLengthOf(given: Given, name: string, config: unknown): number {
  const length = given.count("original-length");
  if (length !== undefined) return length;
  const fields = (config ?? {}) as Record<string, any>;
  const text = { ...fields, ...fields["text_config"] };
  const scaling = { ...text.rope_scaling, ...text.rope_parameters };
  const known: unknown =
    scaling.original_max_position_embeddings ?? text.original_max_position_embeddings ?? text.max_position_embeddings;
  if (typeof known === "number" && known >= 1) return known;
  throw new UsageError(
    `--${name}: requires --original-length N, the training context length; no config.json near the model has it`,
  );
}

/** Returns the found rules with another base. */
function withBase(base: number, { positions }: OnnxModel): Choice<RotaryChoice> {
  const isPlain = positions.every(({ family, spec }) => family !== "rotary" || spec?.kind === "rope");
  if (isPlain) return { kind: "rope", base };
  return ({ spec }) => asChoice(spec && "base" in spec ? { ...spec, base } : { kind: "rope", base });
}

function rotationOf(given: Given, model: OnnxModel, config: unknown): Rotation | undefined {
  const names = [...scalingNames, "spec", "config"].filter((name) => given.has(name));
  if (names.length > 1)
    throw new UsageError(`--${names[0]} and --${names[1]} exclude each other: each sets the whole rotation`);
  const [option] = names;
  if (given.has("original-length") && !fromLength.includes(option as Scaling))
    throw new UsageError(`--original-length requires --${fromLength.join(" or --")}`);
  const base = given.number("base");
  if (option === undefined) return base === undefined ? undefined : { option: "base", choice: withBase(base, model) };
  if (option === "spec" || option === "config") {
    if (base !== undefined) throw new UsageError(`--base: --${option} already sets the base`);
    const choice = option === "spec" ? given.json("spec")! : readConfig(given.text("config")!, "--config").json;
    return { option, choice: asChoice(choice as Record<string, unknown>) };
  }
  return { option, choice: scaled(option as Scaling, given, model, config) };
}

/** Limits a choice to the components of `--component`, numbered as `inspect` prints them. */
function only<T>(
  choice: Choice<T> | undefined,
  indices: readonly number[] | undefined,
  model: OnnxModel,
): Choice<T> | undefined {
  if (choice === undefined || indices === undefined) return choice;
  const meant = new Set(indices.map((number) => model.positions[number - 1]));
  return (component) =>
    !meant.has(component)
      ? undefined
      : typeof choice === "function"
        ? (choice as (one: PositionalComponent) => T)(component)
        : choice;
}

function componentsOf(given: Given, model: OnnxModel): number[] | undefined {
  const text = given.text("component");
  if (text === undefined) return undefined;
  const { length } = model.positions;
  return text.split(",").map((word) => {
    const number = Number(word);
    if (Number.isInteger(number) && number >= 1 && number <= length) return number;
    throw new UsageError(`--component: must be numbers from 1 to ${length}, as inspect lists them, got "${text}"`);
  });
}

function biasOf(given: Given): Choice<BiasChoice> | undefined {
  const distance = given.count("max-distance");
  const spec = given.json("bias") as BiasChoice | undefined;
  if (distance === undefined) return spec;
  if (spec) throw new UsageError("--bias and --max-distance exclude each other");
  return ({ form, family }) =>
    form === "buckets" ? { kind: family === "relative" ? "deberta" : "t5", maxDistance: distance } : undefined;
}

function gridOf(given: Given): number[] | undefined {
  const text = given.text("grid");
  if (text === undefined) return undefined;
  const found = /^(\d{1,6})x(\d{1,6})$/.exec(text);
  if (!found) throw new UsageError(`--grid: must be rows and columns of patches, such as 16x16, got "${text}"`);
  return [Number(found[1]), Number(found[2])];
}

function resizeOf(given: Given): RewriteOptions["resize"] {
  const mode = given.oneOf("resize", modes);
  if (given.has("align-corners") && !mode) throw new UsageError("--align-corners requires --resize");
  return mode && given.has("align-corners") ? { mode, alignCorners: true } : mode;
}

/** Returns the options that fix the findings of `--fix`. */
function fixed(given: Given, model: OnnxModel, pe: Library, config: unknown): RewriteOptions {
  const text = given.text("fix");
  if (text === undefined) return {};
  const findings = model.audit(pe, config).filter(({ rewrite, severity }) => rewrite && severity !== "note");
  const wanted = text.split(",");
  const isMeant = ({ code }: Finding): boolean => text === "all" || wanted.includes(code);
  const missing = wanted.find((code) => !findings.some((finding) => code === "all" || finding.code === code));
  if (missing === "all") throw new UsageError("--fix: this model has no findings that a rewrite can fix");
  if (missing) {
    const known = [...new Set(findings.map(({ code }) => code))];
    throw new UsageError(`--fix: this model has no finding ${missing}; fixable: ${known.join(", ") || "none"}`);
  }
  const lengths = findings.filter(isMeant).flatMap(({ rewrite }) => rewrite!.length ?? []);
  return {
    ...Object.assign({}, ...findings.filter(isMeant).map(({ rewrite }) => rewrite)),
    ...(lengths.length > 0 && { length: Math.max(...lengths) }),
  };
}

/** Returns the options of one model's rewrite; `config` is its config.json. Throws UsageError for conflicts. */
export function choicesOf(given: Given, model: OnnxModel, pe: Library, config: unknown): RewriteOptions {
  const rotation = rotationOf(given, model, config);
  if (given.has("fix") && rotation) throw new UsageError(`--fix and --${rotation.option} exclude each other`);
  const indices = componentsOf(given, model);
  const rotary = only(rotation?.choice, indices, model);
  const bias = only(biasOf(given), indices, model);
  const [length, grid, resize] = [given.count("length"), gridOf(given), resizeOf(given)];
  const window = given.count("window");
  const [remap, temperature] = [given.json("remap"), given.json("temperature")];
  const angles = given.oneOf("angles", ["float32"]);
  const tables = given.oneOf("tables", ["inputs"]);
  return {
    ...fixed(given, model, pe, config),
    ...(rotary !== undefined && { rotary }),
    ...(bias !== undefined && { bias }),
    ...(length !== undefined && { length }),
    ...(grid && { grid }),
    ...(resize && { resize }),
    ...(window !== undefined && { window }),
    ...(remap && { remap: remap as never }),
    ...(temperature && { temperature: temperature as never }),
    ...(angles && { angles }),
    ...(tables && { tables: only(tables, indices, model) }),
    ...(given.has("attention") && { attention: true }),
  };
}

const inDashes = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Replaces the names of the library's options, which are in backticks, by those of the program. */
export const inProgramWords = (message: string): string =>
  message.replaceAll(/`(\w+)`/g, (all, name) =>
    Object.hasOwn(changeOptions, inDashes(name)) ? `--${inDashes(name)}` : all,
  );

/** Returns the option that an error of the library is about. `isMissing`: the error is that it was not given. */
export function optionOfField(field: string | undefined, given: Given, isMissing = false): string | undefined {
  if (field === undefined) return undefined;
  const dashed = inDashes(field.replace(/^[\w-]+\./, ""));
  if (given.has(dashed) || (isMissing && Object.hasOwn(changeOptions, dashed))) return dashed;
  return [...scalingNames, "spec", "config", "base", "bias", "max-distance", "fix"].find((option) => given.has(option));
}
