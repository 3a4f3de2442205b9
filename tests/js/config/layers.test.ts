// Does layerSpecs tell what the layers of models do? Every type of transformers.js' registry, by the models' own code.
import { layerSpecs } from "posenc/config";
import { describe, expect, it } from "vitest";
import { cases, untold, without } from "./model-types";

describe("every model type", () => {
  it.each(Object.entries(cases))("%s", (_, { config, layers }) => {
    const told = layerSpecs(config);
    const expected = layers.map(({ note, part, ...layer }) => ({ ...(part && { part }), ...layer }));
    expect(told.map(({ note, part, layer, ...rest }, i) => ({ ...(layers[i]?.part && { part }), ...rest }))).toEqual(
      expected,
    );
    layers.forEach(({ note }, i) =>
      note ? expect(told[i]!.note).toMatch(note) : expect(told[i]).not.toHaveProperty("note"),
    );
    const parts = [...new Set(told.map(({ part }) => part))];
    for (const part of parts) {
      const own = told.filter((layer) => layer.part === part);
      expect(own.map(({ layer }) => layer)).toEqual(own.map((_layer, i) => i));
      expect(layerSpecs(config, { part })).toEqual(own);
    }
  });
  it.each(without)("%s knows no positions", (model_type) => expect(layerSpecs({ model_type })).toEqual([]));
  it.each(untold)("%s does not tell", (model_type) =>
    expect(() => layerSpecs({ model_type })).toThrow(
      expect.objectContaining({
        code: "unsupported",
        field: "model_type",
        message: expect.stringContaining(model_type),
      }),
    ),
  );
});
