// posenc rewrite --explain: the changes of a rewrite without writing them, and the same changes for other programs.
import { dirname, join } from "node:path";
import { PosencError } from "../base/errors.js";
import type { Json } from "../base/json.js";
import { llamaCppOptions, type LlamaCppOptions } from "../config/llama-cpp.js";
import type { PositionalComponent } from "../onnx/component.js";
import type { RotaryChoice } from "../onnx/options.js";
import { whatIsLost, type Followed } from "../transformers/model-json.js";
import { specOfChoice, type Rope } from "../transformers/rope-json.js";
import { entryInWords, followedFile, objectAt, type Entry } from "./checkout.js";
import { componentHead, componentRow } from "./report.js";
import { aligned } from "./words.js";

/** A component before and after a rewrite. undefined: the graph has no such component. */
export interface ChangedComponent {
  readonly before?: PositionalComponent;
  readonly after?: PositionalComponent;
}

/** The change of a model, as other programs follow it. */
export interface Explained {
  readonly path: string;
  readonly rotary: RotaryChoice | ((component: PositionalComponent) => RotaryChoice | undefined) | undefined;
  readonly components: readonly ChangedComponent[];
  readonly followed: Followed;
  /** The nearest config.json. */
  readonly config: Json | undefined;
  /** Options with an effect other than rotations, as the program names them. */
  readonly others: readonly string[];
}

/** Pairs each component with the new one of its family and layers. */
export function pairedComponents(
  before: readonly PositionalComponent[],
  after: readonly PositionalComponent[],
): ChangedComponent[] {
  const left = [...after];
  const pairs = before.map((one): ChangedComponent => {
    const index = left.findIndex(
      ({ family, layers }) => family === one.family && String(layers) === String(one.layers),
    );
    return { before: one, ...(index >= 0 && { after: left.splice(index, 1)[0]! }) };
  });
  return [...pairs, ...left.map((one) => ({ after: one }))];
}

/** Returns a table with the rows of each component: "now", and "becomes" if it changes. */
export function componentsInLines(components: readonly ChangedComponent[]): string[] {
  if (components.length === 0) return ["no positions were found"];
  const rows = components.flatMap(({ before, after }, i) => {
    const [now, then] = [before, after].map((one) => (one ? componentRow(one) : ["none", "", "", "", "", ""]));
    const head = [String(i + 1), "now", ...now!];
    return now!.join("\n") === then!.join("\n") ? [head] : [head, ["", "becomes", ...then!]];
  });
  return aligned([["#", "", ...componentHead], ...rows]);
}

interface LlamaCpp extends Partial<LlamaCppOptions> {
  /** Why llama.cpp cannot do it, or not all of it. */
  readonly reason?: string;
}

/** Returns the rotation that a component gets, with the fields that a file does not show. */
function rotationOf({ before, after }: ChangedComponent, rotary: Explained["rotary"]): Rope {
  const found = { ...(after?.spec as Rope | undefined) };
  const choice = before && (typeof rotary === "function" ? rotary(before) : rotary);
  if (choice === undefined) return found;
  let named: Rope;
  try {
    named = specOfChoice(choice);
  } catch {
    // A config with several rotations: the file shows which one the component has.
    return found;
  }
  if (found["kind"] === named["kind"]) return { ...found, ...named };
  const { dim, spec } = before!;
  return { ...(dim !== undefined && { dim }), ...(spec && "base" in spec && { base: spec.base }), ...named };
}

/** Returns the options of llama.cpp for the new rotation of all layers. */
function rotationOfLlamaCpp({ components, rotary }: Explained): LlamaCpp {
  const all = new Map<string, LlamaCppOptions>();
  for (const one of components) {
    if ((one.before ?? one.after)!.family !== "rotary") continue;
    const options = llamaCppOptions(rotationOf(one, rotary) as never);
    all.set(options.flags.join(" "), options);
  }
  const [first] = all.values();
  return all.size === 1 ? first! : { reason: `its options apply to all layers, which have ${all.size} rotations` };
}

function llamaCppOf(explained: Explained): LlamaCpp {
  const { rotary, others } = explained;
  const missing = others.length > 0 && { reason: `has no options for ${others.join(", ")}` };
  if (rotary === undefined) return { ...missing };
  try {
    return { ...rotationOfLlamaCpp(explained), ...missing };
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    return { reason: error.message.replace(/^spec: (llama\.cpp )?/, "") };
  }
}

interface FileEntries {
  readonly entries: Readonly<Record<string, unknown>>;
  readonly removed?: readonly string[];
  /** What the file cannot describe. */
  readonly reason?: string;
}

/** Returns the values that a file of a checkout gets; files that are missing, if they had the usual ones. */
function entriesFor(name: string, missing: Json, { path, followed, config = {} }: Explained): readonly Entry[] {
  const folders = [dirname(path), join(dirname(path), "..")];
  const json = name === "config.json" ? config : folders.map((folder) => objectAt(join(folder, name))).find(Boolean);
  return followedFile(name, json ?? missing, followed, config)!.entries;
}

function fileEntries(all: readonly Entry[], reason?: string | false): FileEntries {
  const removed = all.filter(([, value]) => value === undefined).map(([path]) => path);
  return {
    entries: Object.fromEntries(all.filter(([, value]) => value !== undefined)),
    ...(removed.length > 0 && { removed }),
    ...(reason && { reason }),
  };
}

export interface Elsewhere {
  readonly llamaCpp: LlamaCpp;
  readonly genaiConfig: FileEntries;
  readonly config: FileEntries;
}

/** Returns the same change for llama.cpp, wllama, onnxruntime-genai and transformers. */
export function elsewhere(explained: Explained): Elsewhere {
  const lost = whatIsLost(explained.config ?? {}, explained.followed);
  return {
    llamaCpp: llamaCppOf(explained),
    genaiConfig: fileEntries(entriesFor("genai_config.json", { model: {}, search: {} }, explained)),
    config: fileEntries(entriesFor("config.json", {}, explained), lost && `cannot describe the new ${lost}`),
  };
}

const entriesInLines = ({ entries, removed = [], reason }: FileEntries): string[] => {
  const all: Entry[] = [...Object.entries(entries), ...removed.map((path): Entry => [path, undefined])];
  const lines = [...all.map(entryInWords), ...(reason ? [reason] : [])];
  return lines.length > 0 ? lines : ["stays as it is"];
};

export function elsewhereInLines({ llamaCpp: { flags, wllama, reason }, genaiConfig, config }: Elsewhere): string[] {
  const llama = [...(flags ? [flags.join(" ")] : []), ...(reason ? [reason] : [])];
  const parts: Record<string, readonly string[]> = {
    "llama.cpp": llama.length > 0 ? llama : ["needs no options"],
    ...(wllama && { wllama: [JSON.stringify(wllama)] }),
    "genai_config.json": entriesInLines(genaiConfig),
    "config.json": entriesInLines(config),
  };
  const rows = Object.entries(parts).flatMap(([name, lines]) => lines.map((line, i) => [i === 0 ? name : "", line]));
  return ["the same change elsewhere:", ...aligned(rows).map((line) => `  ${line}`)];
}
