// The published test vectors: posenc passes all of them, and the runner notices results that are wrong.
import { describe, expect, it } from "vitest";
import { engineOf } from "../../vectors/engines/operations.mjs";
import { NotOffered, runCase, type Engine, type Vector } from "../../vectors/javascript/runner.mjs";
import { pe } from "./helpers/library";

// Each topic is a folder: the index is outside.
const modules = import.meta.glob<Vector>("../../vectors/cases/*/*.json", { eager: true, import: "default" });
const vectors = Object.values(modules);
const posenc = engineOf(pe);

describe.each(vectors.map((vector) => [vector.name, vector] as const))("%s", (_, vector) => {
  it("is what posenc computes", async () => {
    expect(await runCase(posenc, vector)).toEqual({ status: "passed", reason: "" });
  });

  it("notices a value that is off, a missing output and another shape", async () => {
    const [name = "", stored] = Object.entries(vector.outputs)[0]!;
    const right = { dims: stored.shape, data: stored.values.map((value) => value ?? 12345) };
    const results = (output?: typeof right) =>
      runCase({ [vector.operation]: () => ({ ...expected(vector), [name]: output! }) }, vector);
    expect(await results(right)).toEqual({ status: "passed", reason: "" });
    const at = stored.values.findIndex((value) => value !== null);
    for (const wrong of [(right.data[at] ?? 0) + 0.01, NaN, Infinity]) {
      const data = right.data.map((value, i) => (i === at ? wrong : value));
      expect(await results({ ...right, data })).toMatchObject({ status: "failed" });
    }
    expect(await results({ ...right, dims: [1, ...right.dims] })).toMatchObject({ status: "failed" });
    expect((await results()).reason).toBe(`${name} is missing`);
  });
});

const expected = ({ outputs }: Vector) =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, { shape, values }]) => [name, { dims: shape, data: values.map(Number) }]),
  );

describe("the runner", () => {
  const [vector] = vectors as [Vector];
  const statusOf = async (engine: Engine) => (await runCase(engine, vector)).status;
  it("tells what an engine lacks from what it does wrong", async () => {
    expect(await statusOf({})).toBe("not offered");
    const lacking = () => {
      throw new NotOffered("no such mask");
    };
    expect(await runCase({ [vector.operation]: lacking }, vector)).toEqual({
      status: "not offered",
      reason: "no such mask",
    });
    expect(await statusOf({ [vector.operation]: () => Promise.reject(new Error("broken")) })).toBe("failed");
  });

  it("has looser levels", async () => {
    const far = vectors.find(({ name }) => name === "rotation/far")!;
    const { shape, values } = far.outputs["y"]!;
    const off = { rotate: () => ({ y: { dims: shape, data: values.map((value) => value! + 1e-4) } }) };
    expect((await runCase(off, far)).status).toBe("failed");
    for (const level of ["float32", "float16", "bfloat16"] as const)
      expect((await runCase(off, far, { level })).status).toBe("passed");
  });
});
