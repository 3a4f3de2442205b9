// posenc/core: the same names and the same bits as the whole library, without attention and training.
import { init as initCore } from "posenc/core";
import { describe, expect, it } from "vitest";
import { descriptions, exampleSpec, loosely, pe } from "./helpers/library";
import { expectError, refusal } from "./helpers/refusals";
import { hasAllBuilds } from "./helpers/wasm";

const inCore = descriptions.filter(({ family }) => family !== "relative");

/** What an encoding makes of some positions, whatever its family. */
function numbersOf(library: any, spec: object, axes: number): Float32Array[] {
  const encoding = library.create(spec);
  const perAxis = Array.from({ length: Math.max(1, axes) }, (_, axis) => [0, 1, 2 + axis, 5, 3]);
  const positions = perAxis.length > 1 ? perAxis : perAxis[0]!;
  try {
    if (encoding.family === "table") return [encoding.table({ positions }).data];
    if (encoding.family === "bias") {
      // Windows have as many queries and keys as places.
      const { windowHeight = 5, windowWidth = 1 } = encoding.spec;
      const count = windowHeight * windowWidth;
      return [encoding.bias({ queries: count, keys: count }).data];
    }
    const role = encoding.kind === "xpos" ? { role: "key" } : {};
    const { cos, sin } = encoding.tables({ positions, ...role });
    return [cos.data, sin.data];
  } finally {
    encoding.dispose();
  }
}

describe.each(["simd", "scalar"] as const)("the %s build", async (variant) => {
  const core = await initCore({ variant });

  it.runIf(hasAllBuilds)("is what it is called", () => expect(core.variant).toBe(variant));

  it.each(inCore.map((description) => [description.kind, description] as const))("%s has the same bits", (_, each) => {
    const spec = exampleSpec(each);
    const { axes = 1 } = pe.create(spec as never) as { axes?: number };
    const [ours, whole] = [core, pe].map((library) => numbersOf(library, spec, axes));
    expect(ours!.length).toBeGreaterThan(0);
    const bits = (list: Float32Array[]) => list.map(({ buffer }) => [...new Uint32Array(buffer)]);
    expect(bits(ours!)).toEqual(bits(whole!));
  });
});

describe("what it leaves out", async () => {
  const core = await initCore();

  it("tells the kinds that it has", () => {
    expect(core.describe()).toEqual(pe.describe().filter(({ family }) => family !== "relative"));
  });
  it("refuses what is part of attention", () => {
    const error = refusal(() => core.create(loosely({ kind: "shaw", dim: 8 })));
    expectError(error, "unsupported", "kind");
    expect(error.message).toContain("import from posenc");
  });
  it.runIf(hasAllBuilds)("refuses to train", () => {
    const learned = core.create({ kind: "learned", length: 2, dim: 2 });
    const x = { data: new Float32Array(4), dims: [2, 2] };
    for (const call of [
      () => learned.zeroGradients(),
      () => learned.step({ optimizer: "sgd", learningRate: 1 }),
      () => learned.backward(x),
    ])
      expect(refusal(call).message).toBe("posenc/core has no attention and no training: import from posenc");
    learned.dispose();
  });
  it("refuses a build that it has not", async () => {
    await expect(initCore({ variant: "relaxed" })).rejects.toThrow(/this entry of the package has no relaxed build/);
  });
  it("holds tensors and ids as the whole library does", () => {
    const tensor = core.tensor([1, 2], [2]);
    expect([...tensor.data]).toEqual([1, 2]);
    tensor.dispose();
    expect(core.liveBytes).toBe(0);
    expect(core.positionIds({ data: [0, 1, 1], dims: [1, 3] })).toEqual(
      pe.positionIds({ data: [0, 1, 1], dims: [1, 3] }),
    );
  });
});
