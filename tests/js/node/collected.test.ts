// What the garbage collector may free, and what it must not: memory that was handed out.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { createTable, loosely, pe } from "../helpers/library";
import { randomTensor } from "../helpers/numbers";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
// Room for what follows: to grow would detach the views that are looked at.
pe.tensor([1 << 20]).dispose();

/** Collects until `done`, or for some turns of the event loop: what a turn has looked at lives to its end. */
async function collected(done: () => boolean, rounds = 10): Promise<boolean> {
  for (let round = 0; round < rounds; round++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    collect();
    if (done()) return true;
  }
  return false;
}

/** Is the owner of what `take` hands out collected? Tells the view, and whether new tensors get its memory. */
async function orphan(make: () => [owner: object, view: Float32Array]): Promise<Float32Array> {
  const parts = (() => {
    const [owner, view] = make();
    return { view, owner: new WeakRef(owner) };
  })();
  expect(await collected(() => parts.owner.deref() === undefined), "the owner is never collected").toBe(true);
  await collected(() => false, 2);
  return parts.view;
}

function expectUntouched(view: Float32Array): void {
  view.fill(7);
  const later = Array.from({ length: 50 }, () => pe.tensor([view.length]));
  expect(new Set(view)).toEqual(new Set([7]));
  later.forEach((tensor) => tensor.dispose());
}

describe("memory that was handed out outlives its owner", () => {
  it.each([
    ["data", () => pe.tensor([1024])],
    ["data of a view", () => pe.tensor([1024]).view([32, 32])],
  ])("%s of a tensor", async (_, make) => {
    expectUntouched(
      await orphan(() => {
        const owner = make();
        return [owner, owner.data];
      }),
    );
  });

  it("a part of a tensor's data", async () => {
    expectUntouched(
      await orphan(() => {
        const owner = pe.tensor([1024]);
        return [owner, owner.data.subarray(100, 900)];
      }),
    );
  });

  it.each(["parameters", "gradients"] as const)("data of an encoding's %s", async (which) => {
    expectUntouched(
      await orphan(() => {
        const owner = createTable({ kind: "learned", length: 64, dim: 16 });
        return [owner, owner[which]["weights"]!.data];
      }),
    );
  });
});

describe("what nobody has seen is freed", () => {
  it("a tensor that only calls have used", async () => {
    const before = pe.liveBytes;
    (() => void pe.similarity(pe.tensor([3, 4])))();
    expect(pe.liveBytes).toBeGreaterThan(before);
    expect(await collected(() => pe.liveBytes === before)).toBe(true);
  });

  it("but not while a view of it is in use", async () => {
    const before = pe.liveBytes;
    const view = (() => pe.tensor(randomTensor([64]).data, [64]).view([8, 8]))();
    await collected(() => false, 3);
    expect(pe.liveBytes).toBe(before + 256);
    expect(pe.similarity(view).data).toEqual(pe.similarity(randomTensor([8, 8])).data);
  });

  it("once: disposing through a proxy is disposing", async () => {
    await collected(() => false, 2);
    const before = pe.liveBytes;
    (() => {
      const tensor = pe.tensor([64]);
      new Proxy(tensor, {}).dispose();
      expect(tensor.disposed).toBe(true);
    })();
    await collected(() => false, 2);
    expect(pe.liveBytes).toBe(before);
    const encoding = createTable({ kind: "sinusoidal", dim: 8 });
    loosely(new Proxy(encoding, {})).dispose();
    expect(() => encoding.table({ length: 1 })).toThrow(/dispose/);
  });
});
