// The speed table: each figure beside the machine's limit and beside plain JavaScript, all in one run.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { init } from "posenc";
import { checkAll, microseconds, race } from "./measure.mjs";
import * as plain from "./plain.mjs";

const base = 10000;

/** Starts posenc and catches its memory on the way, so that the machine's limit is measured on the very same buffer. */
async function startWithMemory() {
  const { instantiate } = WebAssembly;
  let memory;
  WebAssembly.instantiate = async (...given) => {
    const instance = await instantiate(...given);
    memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
    return instance;
  };
  const pe = await init();
  WebAssembly.instantiate = instantiate;
  const limits = readFileSync(new URL("../../build/wasm/bench_limits.wasm", import.meta.url));
  const { instance } = await WebAssembly.instantiate(limits, { env: { memory, emscripten_notify_memory_growth() {} } });
  return { pe, multiply: instance.exports.multiply };
}

const { pe, multiply } = await startWithMemory();

const wave = (count) => Float32Array.from({ length: count }, (_, i) => Math.sin(i * 0.7));

function print(title, times, reference, work) {
  console.log(`\n${title}`);
  for (const [name, ms] of Object.entries(times)) {
    const ratio =
      name === reference
        ? ""
        : ms >= times[reference]
          ? `${(ms / times[reference]).toFixed(2)} ×`
          : `${(times[reference] / ms).toFixed(1)} × faster`;
    console.log(`  ${name.padEnd(44)} ${microseconds(ms).padStart(9)}  ${work(ms).padEnd(16)} ${ratio}`);
  }
  console.log(`  (ratios to: ${reference})`);
  return times;
}

function rotation(pairing, [batch, positions, heads, dim]) {
  const dims = [batch, positions, heads, dim];
  const count = positions * heads * dim;
  const rope = pe.create({ kind: "rope", dim, base, pairing });
  const [cos, sin] = [new Float32Array((positions * dim) / 2), new Float32Array((positions * dim) / 2)];
  plain.tables(positions, dim, base, cos, sin);
  const inJs = pairing === "half" ? plain.rotateHalf : plain.rotateInterleaved;
  const tensor = pe.tensor(wave(count), dims);
  const array = { data: wave(count), dims };
  const ours = { data: wave(count), dims };
  // Correct first: against float64 rotation with the exact angle.
  inJs(ours.data, positions, heads, dim, cos, sin);
  checkAll(
    `rope ${pairing}`,
    ours.data,
    {
      "pe.tensor": rope.apply(tensor, { layout: "bthd" }).data.slice(),
      Float32Array: rope.apply(array, { layout: "bthd" }).data,
    },
    1e-5,
  );
  // Two races: arrays in JavaScript's memory would push the tensor out of the caches between its turns.
  const times = {
    ...race({
      "in-place multiply (the machine's limit)": () => multiply(tensor.data.byteOffset, count, 0.99999994),
      "posenc, pe.tensor, in place": () => rope.apply(tensor, { layout: "bthd" }),
    }),
    ...race({
      "posenc, Float32Array, in place": () => rope.apply(array, { layout: "bthd" }),
      "plain JavaScript, tables ready": () => inJs(ours.data, positions, heads, dim, cos, sin),
    }),
  };
  const bandwidth = (ms) => `${((8 * count) / ms / 1e6).toFixed(1)} GB/s`;
  print(
    `RoPE ${pairing}, q [${dims}], ${((4 * count) / 1e6).toFixed(1)} MB`,
    times,
    "in-place multiply (the machine's limit)",
    bandwidth,
  );
  const [tensorMs, arrayMs, jsMs] = Object.values(times).slice(1);
  console.log(
    `  against plain JavaScript: pe.tensor ${(jsMs / tensorMs).toFixed(1)} × faster, Float32Array ${(jsMs / arrayMs).toFixed(1)} × faster`,
  );
  tensor.dispose();
}

function cosSinTables(positions, dim) {
  const rope = pe.create({ kind: "rope", dim, base });
  const dims = [positions, dim / 2];
  const size = dims[0] * dims[1];
  const out = { cos: pe.tensor(dims), sin: pe.tensor(dims) };
  const [cos, sin] = [new Float32Array(size), new Float32Array(size)];
  plain.tables(positions, dim, base, cos, sin);
  const made = rope.tables({ length: positions, out });
  checkAll("tables cos", cos, { posenc: made.cos.data.slice() }, 1.2e-7);
  checkAll("tables sin", sin, { posenc: made.sin.data.slice() }, 1.2e-7);
  const perElement = (ms) => `${((1e6 * ms) / (2 * size)).toFixed(2)} ns an element`;
  const times = race({
    "posenc, into pe.tensor": () => rope.tables({ length: positions, out }),
    "posenc, new Float32Arrays": () => rope.tables({ length: positions }),
    "plain JavaScript (Math.cos, Math.sin)": () => plain.tables(positions, dim, base, cos, sin),
  });
  print(`cos and sin tables, ${positions} × ${dim}`, times, "plain JavaScript (Math.cos, Math.sin)", perElement);
  out.cos.dispose();
  out.sin.dispose();
}

function sinusoidalTable(positions, dim) {
  const encoding = pe.create({ kind: "sinusoidal", dim, base });
  const out = pe.tensor([positions, dim]);
  const js = new Float32Array(positions * dim);
  plain.sinusoidal(positions, dim, base, js);
  checkAll("sinusoidal", js, { posenc: encoding.table({ length: positions, out }).data }, 1.2e-7);
  const times = race({
    "posenc, into pe.tensor": () => encoding.table({ length: positions, out }),
    "posenc, new Float32Array": () => encoding.table({ length: positions }),
    "plain JavaScript (Math.sin, Math.cos)": () => plain.sinusoidal(positions, dim, base, js),
  });
  print(
    `sinusoidal table, ${positions} × ${dim}`,
    times,
    "plain JavaScript (Math.sin, Math.cos)",
    (ms) => `${((1e6 * ms) / js.length).toFixed(2)} ns an element`,
  );
  out.dispose();
}

console.log(
  `posenc ${pe.variant}, Node ${process.versions.node}, ${cpus()[0]?.model ?? "unknown CPU"}; medians of 15 alternating rounds`,
);
for (const pairing of ["half", "interleaved"]) {
  rotation(pairing, [1, 2048, 32, 128]);
  rotation(pairing, [1, 128, 32, 128]);
}
cosSinTables(4096, 128);
sinusoidalTable(5000, 512);
