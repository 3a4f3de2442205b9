// Does layerSpecs tell what the layers of models do? Every type of transformers.js' registry, by the models' own code.
import { layerSpecs } from "posenc/config";
import { describe, expect, it } from "vitest";
import { PosencError } from "posenc";
import { createAny, loosely } from "../helpers/library";
import { cases, typeOnly, without } from "./model-types";

describe("every model type", () => {
  it.each(Object.entries(cases))("%s", (_, { config, layers }) => {
    const specs = layerSpecs(config);
    const expected = layers.map(({ note, part, ...layer }) => ({ ...(part && { part }), ...layer }));
    expect(
      specs.map(({ note, part, layer, assumed, ignored, ...rest }, i) => ({
        ...(layers[i]?.part && { part }),
        ...rest,
      })),
    ).toEqual(expected);
    layers.forEach(({ note }, i) =>
      note ? expect(specs[i]!.note).toMatch(note) : expect(specs[i]).not.toHaveProperty("note"),
    );
    const parts = [...new Set(specs.map(({ part }) => part))];
    for (const part of parts) {
      const own = specs.filter((layer) => layer.part === part);
      expect(own.map(({ layer }) => layer)).toEqual(own.map((_layer, i) => i));
      expect(layerSpecs(config, { part })).toEqual(own);
    }
  });
  it.each(without)("%s knows no positions", (model_type) => expect(layerSpecs({ model_type })).toEqual([]));
  it.each(typeOnly)("%s does not tell", (model_type) =>
    expect(() => layerSpecs({ model_type })).toThrow(
      expect.objectContaining({
        code: "unsupported",
        field: "model_type",
        message: expect.stringContaining(model_type),
      }),
    ),
  );
});

it("every spec of them is one that create takes", () => {
  const specs = Object.values(cases).flatMap(({ config }) =>
    layerSpecs(config).flatMap(({ spec, input }) => [spec, input]),
  );
  const distinct = new Set(specs.flatMap((spec) => (spec ? [JSON.stringify(spec)] : [])));
  expect(distinct.size).toBeGreaterThan(60);
  for (const spec of distinct) loosely(createAny(JSON.parse(spec))).dispose();
});

describe("configs that are damaged", () => {
  const wrong = [null, "x", "", -1, 0.5, NaN, 1e300, true, [], [[]], [null], [1e9], {}, { a: 1 }];
  it.each(Object.entries(cases))("%s: layers, or an error of this library", (_, { config }) => {
    const inner = Object.entries(config).filter(([, value]) => value !== null && typeof value === "object");
    const damaged = [
      ...Object.keys(config).map((name) => (value: unknown) => ({ ...config, [name]: value })),
      ...inner.flatMap(([part, object]) =>
        Object.keys(object as object).map((name) => (value: unknown) => ({
          ...config,
          [part]: Array.isArray(object) ? value : { ...(object as object), [name]: value },
        })),
      ),
    ];
    expect(damaged.length).toBeGreaterThan(0);
    for (const damage of damaged)
      for (const value of wrong) {
        try {
          expect(layerSpecs(damage(value)).length).toBeLessThan(20_000);
        } catch (error) {
          if (!(error instanceof PosencError)) throw error;
        }
      }
  });
});
