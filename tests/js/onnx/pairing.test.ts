// Pairs of a rotation, read from all forms in which graphs exchange their features.
import { describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { openModel } from "../helpers/onnx-models";
import { base, byNodes, plainForm, rotaryDim, rotatingModel, type RotatingForm } from "../helpers/rotating-forms";

const pairings = ["half", "interleaved"] as const;
const forms = (["nodes", "matrix", "RotaryEmbedding", "microsoft"] as const).flatMap((rotates) =>
  (["all", "first", "last"] as const)
    // The operators rotate the first features.
    .filter((part) => part !== "last" || byNodes({ rotates }))
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

describe("a matrix", () => {
  const width = rotaryDim(plainForm);
  // Its type, float32, and its name; two bytes and the length are before its elements.
  const mark = "\x10\x01\x42\x08exchange";
  it.each<[string, (file: Uint8Array, at: number) => void]>([
    ["of an unknown type", (file, at) => (file[at + 1] = 17)],
    ["of zeros", (file, at) => file.fill(0, at + mark.length + 3, at + mark.length + 3 + 4 * width ** 2)],
  ])("%s shows no pairs", async (_, change) => {
    const file = rotatingModel({ ...plainForm, rotates: "matrix", pairing: "interleaved" });
    change(file, new TextDecoder("latin1").decode(file).indexOf(mark));
    const [found] = (await openModel(file)).positions;
    expect(found!.spec).toMatchObject({ kind: "rope", dim: width, base });
    expect(found!.pairing).toBeUndefined();
  });
});
