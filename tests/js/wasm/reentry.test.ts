// Code that runs during a call, by getters and proxies in its arguments; and the library's objects behind proxies.
import { init } from "posenc";
import type { TensorLike } from "posenc";
import { describe, expect, it } from "vitest";
import { createAny, createRotary, createTable, loosely, pe } from "../helpers/library";
import { copyOf, expectSameBits, randomNumbers, randomTensor } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";

const rope = createRotary({ kind: "rope", dim: 8 });
const other = createRotary({ kind: "rope", dim: 8 });
const learned = createTable({ kind: "learned", length: 16, dim: 8 });
const q = randomTensor([1, 2, 4, 8]);

const later = pe.tensor([4]);
/** Every public way into an instance. */
const ways: Record<string, () => unknown> = {
  "trim()": () => pe.trim(),
  "tensor()": () => pe.tensor([1 << 20]),
  "create()": () => createAny({ kind: "rope", dim: 4 }),
  "dispose() of a tensor": () => later.dispose(),
  "dispose() of an encoding": () => other.dispose(),
  "apply()": () => rope.apply(copyOf(q)),
  "attention()": () => pe.attention(q, q, q),
  "load()": () => learned.load(new Float32Array(128)),
  "step()": () => learned.step({ optimizer: "sgd", learningRate: 0.1 }),
  "zeroGradients()": () => learned.zeroGradients(),
  gradients: () => learned.gradients,
  "toFloat16()": () => pe.toFloat16(q),
  "frequenciesAt()": () => rope.frequenciesAt(1),
};

/** Calls with an argument that runs `code` while the call is at work. */
const entryPoints: Record<string, (code: () => void) => unknown> = {
  "a data getter": (code) =>
    pe.attention(q, q, {
      get data() {
        code();
        return q.data;
      },
      dims: q.dims,
    }),
  "a dims getter": (code) =>
    pe.attention(q, q, {
      data: q.data,
      get dims() {
        code();
        return q.dims;
      },
    }),
  "a getter in positions": (code) =>
    rope.angles({
      positions: new Proxy([1, 2, 3], {
        get(target, name, receiver) {
          if (name === "2") code();
          return Reflect.get(target, name, receiver) as unknown;
        },
      }),
    }),
};

describe.each(Object.entries(entryPoints))("%s", (_, carry) => {
  it.each(Object.entries(ways))("cannot call %s", (_, way) => {
    const expected = JSON.stringify(carry(() => {}));
    const tries: unknown[] = [];
    const attempt = () => {
      try {
        tries.push(way());
      } catch (error) {
        tries.push(error);
      }
    };
    expect(JSON.stringify(carry(attempt))).toBe(expected);
    expect(tries.length).toBeGreaterThan(0);
    for (const error of tries) expectError(error, "invalid-argument");
    expect(refusal(() => carry(way)).message).toContain("during another call");
    expect(later.disposed).toBe(false);
    expect(other.tables({ length: 1 }).cos.data[0]).toBe(1);
  });
});

describe("an argument that answers differently each time", () => {
  it("is read once", () => {
    const results = [randomNumbers(8, 1), new Float32Array(800), new Float32Array(1)];
    const table = {
      get data() {
        return results.length > 1 ? results.shift()! : results[0]!;
      },
      dims: [2, 4],
    };
    const first = { data: results[0]!, dims: [2, 4] };
    expectSameBits(pe.similarity(table).data, pe.similarity(first).data);
  });

  it("may throw, and the next call works", () => {
    const table = {
      get data(): Float32Array {
        throw new RangeError("mine");
      },
      dims: [2, 4],
    };
    expect(() => pe.similarity(table)).toThrow("mine");
    expect(pe.similarity(randomTensor([2, 4])).dims).toEqual([2, 2]);
  });

  it("such as data for pe.tensor and load that make memory grow", async () => {
    const fresh = await init({ variant: "scalar" });
    const grow = <T extends object>(target: T): T =>
      new Proxy(target, {
        get(_, name, receiver) {
          if (name === "1") fresh.tensor([1 << 20]).dispose();
          return Reflect.get(target, name, receiver) as unknown;
        },
      });
    using tensor = fresh.tensor(grow([1, 2, 3]), [3]);
    expect([...tensor.data]).toEqual([1, 2, 3]);
    const table = fresh.create({ kind: "learned", length: 1, dim: 3 });
    table.load(grow([4, 5, 6]));
    expect([...table.weights.data]).toEqual([4, 5, 6]);
  });
});

/** What frameworks put around objects: Vue's reactive() wraps plain objects and arrays, at any depth. */
function reactive<T extends object>(target: T): T {
  const wraps = (value: unknown): value is object =>
    typeof value === "object" && value !== null && /Object|Array\]/.test(Object.prototype.toString.call(value));
  if (!wraps(target) || ArrayBuffer.isView(target)) return target;
  return new Proxy(target, {
    get(object, name, receiver) {
      const value: unknown = Reflect.get(object, name, receiver);
      return wraps(value) ? reactive(value) : value;
    },
  });
}

/** MobX's observable objects: the same properties, each behind a getter. */
function observable<T extends object>(target: T): T {
  const copy = Object.create(Object.getPrototypeOf(target) as object) as T;
  for (const name of Reflect.ownKeys(target) as (keyof T)[])
    Object.defineProperty(copy, name, {
      get: () => target[name],
      set: (value: T[keyof T]) => void (target[name] = value),
      enumerable: true,
      configurable: true,
    });
  return new Proxy(copy, {});
}

describe.each<[string, <T extends object>(target: T) => T]>([
  ["Vue's reactive()", reactive],
  ["MobX's observable", observable],
  ["new Proxy(x, {})", (target) => new Proxy(target, {})],
])("behind %s", (_, wrap) => {
  it("plain tensors work", () => {
    const expected = rope.apply(copyOf(q), { offset: 3 });
    const plain = wrap<TensorLike>(copyOf(q));
    expect(rope.apply(plain, { offset: 3 }) === plain).toBe(true);
    expectSameBits(plain.data, expected.data);
    const state = wrap({ q: copyOf(q), options: { causal: true } });
    expectSameBits(
      pe.attention(state.q, state.q, state.q, state.options).data,
      pe.attention(q, q, q, { causal: true }).data,
    );
  });

  it("tensors in wasm memory work, and stay where they are", () => {
    using tensor = pe.tensor(q.data, q.dims);
    const wrapped = wrap({ tensor: wrap(tensor) }).tensor;
    rope.apply(wrapped, { offset: 3 });
    const expected = rope.apply(copyOf(q), { offset: 3 });
    expectSameBits(tensor.data, expected.data);
    expectSameBits(wrapped.view([64]).data, expected.data);
    wrapped.dispose();
    expect(tensor.disposed).toBe(true);
    expectError(
      refusal(() => wrapped.data),
      "disposed",
    );
  });

  it("encodings work", () => {
    using encoding = createRotary({ kind: "rope", dim: 8, frequencies: [4, 3, 2, 1] });
    const wrapped = wrap({ encoding: wrap(encoding) }).encoding;
    const at = { offset: 3 };
    expectSameBits(wrapped.apply(copyOf(q), at).data, encoding.apply(copyOf(q), at).data);
    expectSameBits(pe.attention(q, q, q, { encoding: wrapped }).data, pe.attention(q, q, q, { encoding }).data);
    wrapped.backward(q, q, at);
    expectSameBits(wrapped.gradients["frequencies"]!.data, encoding.gradients["frequencies"]!.data);
    expect(wrapped.inverseFrequencies).toEqual(encoding.inverseFrequencies);
    expect(wrapped.rerotate(copyOf(q), { from: encoding, to: 2 }).dims).toEqual(q.dims);
    wrapped.dispose();
    expectError(
      refusal(() => encoding.tables({ length: 1 })),
      "disposed",
    );
  });

  it("the library itself works", () => {
    const wrapped = wrap({ pe: wrap(pe) }).pe;
    using tensor = wrapped.tensor(q.data, q.dims);
    expectSameBits(
      wrapped.attention(tensor, q, q, { encoding: wrap(rope) }).data,
      pe.attention(q, q, q, { encoding: rope }).data,
    );
  });

  it("another instance's objects are told apart", async () => {
    const strange = wrap((await init({ variant: "scalar" })).create({ kind: "rope", dim: 8 }));
    expectError(
      refusal(() => pe.attention(q, q, q, { encoding: strange })),
      "invalid-argument",
      "encoding",
    );
    expect(loosely(wrap(rope)).kind).toBe("rope");
  });
});
