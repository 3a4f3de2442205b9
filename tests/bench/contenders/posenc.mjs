// posenc's own ways, for each of its builds, and the machine's limits on the very same buffers.
// A way: { contender, label, role, run, first, … }. `first` does the work once on fresh inputs and gives the results
// that are checked; `run` is what is timed.

import { attention, attentionSixteen, cacheStep, fewQueries, inside } from "./posenc/attention.mjs";
import { addressOf, rope, ropeLayout, ropeSixteen, rotating } from "./posenc/rotations.mjs";

/** Starts a build with `start`, and also returns what its WebAssembly instance exports: { pe, exports }. */
export async function withExports(start) {
  const { instantiate } = WebAssembly;
  let exports;
  WebAssembly.instantiate = async (...given) => {
    const instance = await instantiate(...given);
    exports = instance.exports;
    return instance;
  };
  const pe = await start().finally(() => (WebAssembly.instantiate = instantiate));
  return { pe, exports };
}

/**
 * One build at work: { pe, variant, isMain, limits? }. The main one is what init() takes in this engine: all targets
 * are about it. `limitsOf(variant)` gives the module of limits.cpp, whose functions are to work in the same memory.
 */
export async function startPosenc(init, variant, isMain, limitsOf) {
  const { pe, exports } = await withExports(() => init({ variant }));
  if (!limitsOf) return { pe, variant, isMain };
  const memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
  const imports = { env: { memory, emscripten_notify_memory_growth() {} } };
  const limits = await WebAssembly.instantiate(await limitsOf(variant), imports);
  return { pe, variant, isMain, limits: limits.exports };
}

/** Ways of one build for one case; what they hold is let go by `end`. */
class Ways {
  constructor(instance, given) {
    Object.assign(this, instance, given);
    this.list = [];
    this.held = [];
  }
  hold(held) {
    this.held.push(held);
    return held;
  }
  tensor(...given) {
    return this.hold(this.pe.tensor(...given));
  }
  create(spec) {
    return this.hold(this.pe.create(spec));
  }
  /** On tensors in wasm memory. */
  resident(way) {
    this.list.push({ contender: `posenc ${this.variant}`, label: "pe.tensor", role: this.roleOf("tensor"), ...way });
  }
  /** On Float32Arrays, copies included; of the main build alone. */
  arrays(way) {
    if (this.isMain)
      this.list.push({ contender: `posenc ${this.variant}`, label: "Float32Array", role: "array", ...way });
  }
  /** A function of limits.cpp, on the memory that this build uses here. */
  limit(role, label, run) {
    this.list.push({ contender: "the machine", label, role: this.roleOf(role), run });
  }
  /** A kernel that was written for this case alone, between what it works on and what it made. */
  tuned(run, prepare, results, label = "a kernel without API") {
    const first = () => {
      prepare();
      run();
      return results();
    };
    this.list.push({
      contender: "this case alone",
      label,
      role: this.roleOf("tuned"),
      run,
      first,
    });
  }
  /** The main build's limits for `floats` numbers, if there are any. */
  get mainLimits() {
    return this.isMain ? this.limits : undefined;
  }
  roleOf(role) {
    return this.isMain ? role : `${role} ${this.variant}`;
  }
  end() {
    for (const one of this.held) one.dispose();
    this.pe.trim();
  }
}

/** A call that makes new numbers: into tensors, into arrays that are there, and into fresh ones. */
function making(ways, dimsOf, make, unpack) {
  const filled = (create) => Object.fromEntries(Object.entries(dimsOf).map(([name, dims]) => [name, create(dims)]));
  const resident = unpack(filled((dims) => ways.tensor(dims)));
  const ready = unpack(filled((dims) => ({ data: new Float32Array(dims.reduce((a, b) => a * b)), dims })));
  const named = (result) => {
    const tensors = Object.keys(dimsOf).length === 1 ? [result] : Object.keys(dimsOf).map((name) => result[name]);
    return Object.fromEntries(Object.keys(dimsOf).map((name, i) => [name, tensors[i].data.slice()]));
  };
  const way = (out) => ({ run: () => make(out), first: () => named(make(out)) });
  ways.resident(way({ out: resident }));
  ways.arrays(way({ out: ready }));
  ways.arrays({ ...way({}), label: "new Float32Array", role: "new array" });
  return resident;
}

function cosSin(ways) {
  const { positions, dim } = ways.size;
  const encoding = ways.create({ ...ways.spec, dim });
  const dims = [positions, dim / 2];
  const { cos, sin } = making(
    ways,
    { cos: dims, sin: dims },
    (out) => encoding.tables({ length: positions, ...out }),
    (made) => made,
  );
  if (!ways.mainLimits) return;
  const { coarse, fine } = ways.factors;
  const held = [coarse, fine].map(({ rows }) => ways.tensor(new Float32Array(rows.buffer), [2 * rows.length]));
  ways.tuned(
    () =>
      ways.mainLimits.add_angles(
        ...held.map(addressOf),
        coarse.count,
        fine.count,
        dim / 2,
        addressOf(cos),
        addressOf(sin),
      ),
    () => {},
    () => ({ cos: cos.data.slice(), sin: sin.data.slice() }),
  );
}

function sinusoidal(ways) {
  const { positions, dim } = ways.size;
  const encoding = ways.create({ ...ways.spec, dim });
  const make = (out) => encoding.table({ length: positions, ...out });
  making(ways, { table: [positions, dim] }, make, ({ table }) => table);
}

function bias(ways) {
  const { dims, mainLimits } = ways;
  const encoding = ways.create({ ...ways.spec, ...ways.parameters });
  const [, queries, keys] = dims;
  const make = (out) => encoding.bias({ queries, keys, ...out });
  const tensor = making(ways, { bias: dims }, make, ({ bias }) => bias);
  const address = addressOf(tensor);
  const floats = dims.reduce((a, b) => a * b);
  if (mainLimits) ways.limit("store", "fill of the same buffer", () => mainLimits.store(address, floats, 1));
}

function machine(ways) {
  const { size, limits, mainLimits } = ways;
  const { floats, steps } = size;
  if (steps && limits) ways.limit("peak", `multiply and add, ${ways.variant}`, () => limits.peak(steps, 0.5));
  if (steps || !mainLimits) return;
  const address = addressOf(ways.tensor([floats]));
  const other = addressOf(ways.tensor([floats]));
  ways.limit("multiply", "in-place multiply", () => mainLimits.multiply(address, floats, 0.99999994));
  ways.limit("store", "fill", () => mainLimits.store(address, floats, 1));
  ways.limit("read", "sum", () => mainLimits.read(address, floats));
  ways.limit("copy", "copy", () => mainLimits.copy(other, address, floats));
}

const works = {
  rope,
  ropeLayout,
  rotating,
  cosSin,
  sinusoidal,
  bias,
  attention,
  inside,
  attentionRotating: inside,
  remap: inside,
  cacheStep,
  ropeSixteen,
  attentionSixteen,
  fewQueries,
  machine,
};

/** The contender of these builds. */
export const posenc = (instances) => ({
  name: "posenc",
  ways(given) {
    const all = instances.map((instance) => new Ways(instance, given));
    for (const ways of all) works[given.case.work](ways);
    return { list: all.flatMap(({ list }) => list), end: () => all.forEach((ways) => ways.end()) };
  },
});
