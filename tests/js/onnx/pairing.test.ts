// Pairs of a rotation, read from all forms in which graphs exchange their features.
import { describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { openModel } from "../helpers/onnx-models";
import { base, plainForm, rotaryDim, rotatingModel, type RotatingForm } from "../helpers/rotating-forms";

const pairings = ["half", "interleaved"] as const;
const forms = (["nodes", "matrix", "RotaryEmbedding", "microsoft"] as const).flatMap((rotates) =>
  (["all", "first", "last"] as const)
    // The operators rotate the first features.
    .filter((part) => part !== "last" || rotates === "nodes" || rotates === "matrix")
    .flatMap((part) => pairings.map((pairing) => ({ rotates, part, pairing }))),
);

describe.each(forms)("$rotates, $part, $pairing", (form) => {
  it("are those of the graph, also after a rewrite", async () => {
    const whole: RotatingForm = { ...plainForm, ...form };
    const { pairing } = form;
    // "half" is the default.
    const spec = { kind: "rope", dim: rotaryDim(form), base, ...(pairing === "interleaved" && { pairing }) };
    const model = await openModel(rotatingModel(whole));
    expect(model.positions).toMatchObject([{ pairing, spec }]);
    const rewritten = await openModel(await (await model.rewrite(pe, { rotary: { kind: "rope", base: 500 } })).bytes());
    expect(rewritten.positions).toMatchObject([{ pairing, spec: { ...spec, base: 500 } }]);
  });
});
