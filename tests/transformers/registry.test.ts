// Does layerSpecs know every model type of the transformers.js that is installed? What each type's layers are is tested
// beside the list (tests/js/config/model-types.ts): a type that is missing there is named here.
import * as library from "@huggingface/transformers";
import { expect, it } from "vitest";
import { cases, typeOnly, without } from "../js/config/model-types";

type Mappings = { MODEL_CLASS_MAPPINGS?: Map<string, unknown>[] };
const registered = new Set(
  Object.entries(library)
    .filter(([name]) => name.startsWith("AutoModel"))
    .flatMap(([, auto]) => (auto as unknown as Mappings).MODEL_CLASS_MAPPINGS ?? [])
    .flatMap((mapping) => [...mapping.keys()]),
);

it("every type is told, or named as one that cannot be", () => {
  expect(registered.size).toBeGreaterThan(150);
  const known = new Set([...Object.keys(cases), ...typeOnly, ...without]);
  // Version 3 has qwen2-vl for what its configs call qwen2_vl.
  const isKnown = (type: string) => known.has(type) || known.has(type.replaceAll("-", "_"));
  expect([...registered].filter((type) => !isKnown(type)).sort()).toEqual([]);
});
