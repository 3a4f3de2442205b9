// Fields of a config that are about positions and that no reader has read.
import type { Json } from "../base/json.js";
import { modelType } from "./read.js";
import { rotaryFacts } from "./rotary-types.js";

const aboutPositions =
  /(^|_)([mx]?d?rope|nope|rotary|alibi|positions?|positional|sliding|window|yarn|ntk|xpos|theta|layer_types)(_|$)/;
/** These are sizes and limits, or not about positions. ChatGLM's own code reads `original_rope` without using it. */
const withoutMeaning =
  /max|length|^(n_positions|original_rope|qk_nope_head_dim|mlp_layer_types|position_embedding_size)$/;

const isOn = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** Does it name what the model does anyway? BERT's default is inherited by types whose code rotates. */
function isKept(model: Json, name: string): boolean {
  const value = model[name];
  if (!/^position_embeddings?_type$/.test(name) || typeof value !== "string") return true;
  return !/rope|rotary/.test(value) && !(value === "absolute" && rotaryFacts(modelType(model)));
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Configs of models that do not rotate inherit these with their defaults. */
const isInherited = (name: string): boolean => /theta|_base$/.test(name);

/**
 * Those of `unread` that are about positions, and those at the top of a config whose model is described further inside, unless
 * both places agree.
 */
export function withoutReader(model: Json, unread: readonly string[], rotates: boolean, outer: Json = model): string[] {
  const outside = Object.keys(outer === model ? {} : outer).filter((name) => !same(outer[name], model[name]));
  const isListed = (from: Json) => (name: string) =>
    isOn(from[name]) &&
    aboutPositions.test(name) &&
    !withoutMeaning.test(name) &&
    (rotates || !isInherited(name)) &&
    isKept(from, name);
  return [...unread.filter(isListed(model)), ...outside.filter(isListed(outer))];
}
