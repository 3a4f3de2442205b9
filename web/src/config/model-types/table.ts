// All model types, by name.
import type { Json } from "../../base/json.js";
import { lookUp, modelType } from "../read.js";
import { alibaba } from "./alibaba.js";
import { allen } from "./allen.js";
import { ant } from "./ant.js";
import { baidu } from "./baidu.js";
import { cohere } from "./cohere.js";
import { deepseek } from "./deepseek.js";
import { google } from "./google.js";
import { huggingFace } from "./hugging-face.js";
import { huawei } from "./huawei.js";
import { ibm } from "./ibm.js";
import { lg } from "./lg.js";
import { meta } from "./meta.js";
import { microsoft } from "./microsoft.js";
import { minimax } from "./minimax.js";
import { mistral } from "./mistral.js";
import { nvidia } from "./nvidia.js";
import { openai } from "./openai.js";
import { otherImages } from "./other-images.js";
import { otherSound } from "./other-sound.js";
import { otherText } from "./other-text.js";
import { tencent } from "./tencent.js";
import { zhipu } from "./zhipu.js";
import type { ModelType, RotaryFacts } from "./row.js";

const vendors = [
  alibaba,
  allen,
  ant,
  baidu,
  cohere,
  deepseek,
  google,
  huawei,
  huggingFace,
  ibm,
  lg,
  meta,
  microsoft,
  minimax,
  mistral,
  nvidia,
  openai,
  otherImages,
  otherSound,
  otherText,
  tencent,
  zhipu,
];
let table: Record<string, ModelType> | undefined;
const rows = (): Record<string, ModelType> => (table ??= Object.assign({}, ...vendors.map((types) => types())));

const unknown: ModelType = {};
/** Returns the facts of a model type; empty for unknown types. */
export const typeFacts = (type: string): ModelType => lookUp(rows(), type) ?? unknown;
/** Returns the facts of a config's model type. */
export const factsOf = (model: Json): ModelType => typeFacts(modelType(model));

const isRotary = (facts: ModelType): facts is ModelType & RotaryFacts => facts.pairing !== undefined;
/** Returns the facts of a rotary model type or of its text part; undefined if the type is not known to rotate. */
export function rotaryFacts(type: string): RotaryFacts | undefined {
  const facts = typeFacts(type);
  const found = isRotary(facts) ? facts : typeFacts(facts.text ?? "");
  return isRotary(found) ? found : undefined;
}
/** Returns all known rotary model types. */
export const rotaryTypes = (): string[] => Object.keys(rows()).filter((type) => isRotary(rows()[type]!));
