// A golden case with the library's float32 steps: what the reference itself returned in float32, beside ours.
import { decodeArray } from "./arrays.mjs";
import { parseCase } from "./cases.mjs";
import { MAPPINGS } from "./map/index.mjs";

/** The library, whose encodings have `precision: "float32"` wherever their kind has that; `made` hears of each. */
function roundedLibrary(pe, made) {
  const able = new Set(
    pe
      .describe()
      .filter(({ fields }) => fields.some(({ name }) => name === "precision"))
      .map(({ kind }) => kind),
  );
  const create = (spec) => {
    if (!able.has(spec.kind)) return pe.create(spec);
    made();
    return pe.create({ ...spec, precision: "float32" });
  };
  const changed = { create, fromConfig: (...given) => create(pe.fromConfig(...given).spec) };
  return new Proxy(pe, {
    get(target, name) {
      const value = changed[name] ?? target[name];
      return typeof value === "function" && !(name in changed) ? value.bind(target) : value;
    },
  });
}

/**
 * `[{ name, ours, reference }]` of the outputs that the reference made in float32, where its encoding can follow such
 * steps; none otherwise.
 */
export function float32Outputs(pe, json) {
  let able = false;
  const parsed = parseCase(json);
  const entry = (MAPPINGS[parsed.group] ?? []).find((candidate) => candidate.matches(parsed));
  const produced = entry.run(
    roundedLibrary(pe, () => (able = true)),
    parsed,
  );
  const outputs = Object.entries(json.outputs)
    .filter(([name, { dtype }]) => dtype === "float32" && !name.endsWith("__truth") && name in produced)
    .map(([name, stored]) => ({
      name,
      ours: [produced[name]].flat()[0]().data,
      reference: decodeArray(stored, name).data,
    }));
  return able ? outputs : [];
}
