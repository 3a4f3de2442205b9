// Reading a pasted config.json, kindly: every way in which that can go wrong has an answer.
import type { Posenc } from "../../lib/engine.svelte.ts";
import { difference, short } from "../../lib/format.ts";
import { allModels, modelOf } from "./atlas.ts";
import type { Spec } from "./explained.ts";
import type { en } from "./text.en.ts";

export interface ConfigSettings {
  /** A model of the atlas whose configuration is shown as long as none was pasted. */
  example: string;
  config: string;
  part: Part;
  versus: string;
}

export type Part = keyof typeof en.config.figure.parts;
export const parts: Part[] = ["whole", "full_attention", "sliding_attention", "vision", "decoder", "stage1"];

/** Ids of the examples that are one click away. */
export const examples = [
  "qwen2.5-7b-instruct-yarn",
  "llama-3.1-8b",
  "gemma-3-4b",
  "qwen2-vl-7b",
  "bert-base",
  "t5-small",
  "bloom",
  "swin-tiny",
];

/** A longer one is explained, too, but not kept in the address. */
export const longestKept = 4000;

export const withConfig: string[] = allModels.filter(({ config }) => config).map(({ id }) => id);

export const configText = (id: string): string => JSON.stringify(modelOf(id)?.config ?? {}, null, 2);

export const partOf = (id: string): Part => parts.find((part) => part === modelOf(id)?.layerType) ?? "whole";

export type Reading =
  | { state: "empty" }
  | { state: "syntax"; message: string }
  | { state: "refused"; code: string; message: string }
  | { state: "read"; spec: Spec; contextLength?: number };

const asNumber = (value: unknown) => (typeof value === "number" && value > 0 ? value : undefined);

/** The length that the fields name; some name that of the training only, and a factor by which YaRN stretches it. */
function lengthIn(config: Record<string, unknown>, spec: Spec): number | undefined {
  const inner = (config["text_config"] ?? {}) as Record<string, unknown>;
  const named = asNumber(config["max_position_embeddings"]) ?? asNumber(inner["max_position_embeddings"]);
  if (spec.kind !== "rope-yarn" || named !== spec.originalLength) return named;
  return Math.round(spec.originalLength * spec.factor);
}

export function readConfig(pe: Posenc, source: string, part: Part): Reading {
  if (!source.trim()) return { state: "empty" };
  let config: unknown;
  try {
    config = JSON.parse(source);
  } catch (error) {
    return { state: "syntax", message: error instanceof Error ? error.message : "" };
  }
  try {
    const encoding = pe.fromConfig(config, part === "whole" ? {} : { layerType: part });
    const spec = encoding.spec as Spec;
    encoding.dispose();
    const contextLength = part === "vision" ? undefined : lengthIn(config as Record<string, unknown>, spec);
    return { state: "read", spec, contextLength };
  } catch (error) {
    const { code = "other", message } = error as { code?: string; message: string };
    return { state: "refused", code, message };
  }
}

/** A value of a difference, short enough for a table. */
export function valueText(value: unknown, text: typeof en.config.figure): string {
  if (value === undefined || value === null) return text.none;
  if (typeof value === "number") return Number.isInteger(value) || Math.abs(value) >= 100 ? short(value) : small(value);
  const list = ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value;
  if (!Array.isArray(list)) return String(value);
  return list.length <= 4 ? `[${list.join(", ")}]` : text.list.replace("{count}", String(list.length));
}

const small = (value: number) => (Math.abs(value) < 1e-3 ? difference(value) : String(Number(value.toPrecision(4))));
