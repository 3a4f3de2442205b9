// Fields of a config that are about positions and that no reader has read.
import type { Json } from "../base/json.js";
import { modelType } from "./read.js";
import { rotaryFacts } from "./model-types/table.js";

const aboutPositions =
  /(^|_)([mx]?d?rope|rotary|alibi|position|sliding|window|yarn|ntk|xpos|theta)|(^|_)nope(_|$)|^layers?_types?$/;
/** Converts a name to the spelling of configs: "ropeTheta" is "rope_theta". */
const inSnakeCase = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
/**
 * Fields that are sizes and limits, or not about positions. ChatGLM's own code reads `original_rope` without using it.
 */
const withoutMeaning =
  /max|length|^(n_positions|original_rope|qk_nope_head_dim|mlp_layer_types|position_embedding_size)$/;

const isOn = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** Whether a field has an effect beyond the model's code. BERT's default is inherited by types whose code rotates. */
function isKept(model: Json, name: string): boolean {
  const value = model[name];
  if (!/^position_embeddings?_type$/.test(name) || typeof value !== "string") return true;
  return !/rope|rotary/.test(value) && !(value === "absolute" && rotaryFacts(modelType(model)));
}

/** Compares two values. Rope objects are no deeper than lists in kinds of layers. */
function same(one: unknown, other: unknown, depth = 3): boolean {
  if (one === other || typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const [a, b] = [one as Json, other as Json];
  const names = Object.keys(a);
  return (
    depth > 0 && names.length === Object.keys(b).length && names.every((name) => same(a[name], b[name], depth - 1))
  );
}

/** Whether configs of models that do not rotate inherit this field with its default. */
const isInherited = (name: string): boolean => /theta|_base$/.test(name);

/**
 * Returns the fields of `unread` that are about positions, and such fields at the top level of a config whose model is
 * nested, unless both values agree.
 */
export function withoutReader(model: Json, unread: readonly string[], rotates: boolean, outer: Json = model): string[] {
  const isListed = (from: Json) => (name: string) => {
    const plain = inSnakeCase(name);
    const isMeant = aboutPositions.test(plain) && !withoutMeaning.test(plain) && (rotates || !isInherited(plain));
    return isMeant && isOn(from[name]) && isKept(from, name);
  };
  const outside = outer === model ? [] : Object.keys(outer).filter(isListed(outer));
  return [...unread.filter(isListed(model)), ...outside.filter((name) => !same(outer[name], model[name]))];
}
