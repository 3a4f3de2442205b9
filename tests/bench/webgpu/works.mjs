// What is measured on a GPU: calls of posenc/webgpu, each with the same on the CPU as its truth; onnxruntime's rotation and a
// plain copy of the same bytes stand beside the rotations.
import { onnxModel } from "../../../examples/transformers/models/onnx.js";
import { ropeGraphs } from "../contenders/onnx/graphs.mjs";
import { frequencies, product, sinusoid } from "../numbers.mjs";
import { angles } from "../cases/rope.mjs";

const usual = { positions: 4096, heads: 32, dim: 128, queries: 1024 };
const tiny = { positions: 5, heads: 2, dim: 32, queries: 7 };

const copied = ({ data, dims }) => ({ data: data.slice(), dims });

/** The call in place, on a tensor that stays: each run goes on with what the last one left. */
function inPlace(env, label, x, call, onCpu) {
  const held = env.gpu.tensor(x);
  return {
    label,
    bytes: 2 * x.data.byteLength,
    run: () => call(held),
    async first() {
      const fresh = env.gpu.tensor(x);
      call(fresh);
      const { data } = await env.gpu.read(fresh);
      fresh.dispose();
      return { y: data };
    },
    truth: () => ({ y: onCpu(copied(x)).data }),
  };
}

const making = (env, label, out, run, onCpu) => ({
  label,
  bytes: Object.values(out).reduce((sum, { dims }) => sum + 4 * product(dims), 0),
  run,
  async first() {
    run();
    const read = Object.entries(out).map(async ([name, tensor]) => [name, (await env.gpu.read(tensor)).data]);
    return Object.fromEntries(await Promise.all(read));
  },
  truth: onCpu,
});

/** GB/s of memory alone: one buffer into another. Nothing is computed that could be wrong. */
function copy({ device }, { data }) {
  const [from, to] = [0, 1].map(() => device.createBuffer({ size: data.byteLength, usage: 0x8c }));
  return {
    label: "copyBufferToBuffer",
    bytes: 2 * data.byteLength,
    run() {
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(from, 0, to, 0, data.byteLength);
      device.queue.submit([encoder.finish()]);
    },
  };
}

/** onnxruntime-web's node on tensors that stay on the GPU. */
async function rotaryEmbedding({ ort, gpu, pe }, x, size) {
  const tables = angles(size, frequencies(size.dim, 10000));
  const [cos, sin] = [Math.cos, Math.sin].map((of) => Float32Array.from(tables, of));
  const [graph] = ropeGraphs({ size, spec: { pairing: "half" }, x: x.data, cos, sin });
  const session = await ort.InferenceSession.create(onnxModel(graph), {
    executionProviders: ["webgpu"],
    preferredOutputLocation: "gpu-buffer",
  });
  const { dims } = graph.inputs.x;
  const feeds = { x: gpu.toOrt(gpu.tensor({ data: x.data, dims }), ort.Tensor) };
  const call = async () => (await session.run(feeds)).y;
  return {
    label: "onnxruntime-web RotaryEmbedding",
    isAsync: true,
    bytes: 2 * x.data.byteLength,
    run: async () => (await call()).dispose(),
    async first() {
      const y = await call();
      const { data } = await gpu.read(gpu.fromOrt(y));
      y.dispose();
      return { y: data };
    },
    truth: () => ({ y: pe.create({ kind: "rope", dim: size.dim }).apply(copied(x), { layout: "bthd" }).data }),
  };
}

/** All ways, those beside which rotations stand last. `env`: { pe, gpu, device, ort? }. */
export async function waysOf(env, isTiny) {
  const { pe, gpu } = env;
  const { queries, ...size } = isTiny ? tiny : usual;
  const { positions, heads, dim } = size;
  const dims = [1, positions, heads, dim];
  const x = { data: sinusoid(product(dims)), dims };
  const token = { data: sinusoid(heads * dim), dims: [1, 1, heads, dim] };
  const rope = pe.create({ kind: "rope", dim });
  const alibi = pe.create({ kind: "alibi", heads });
  const sinusoidal = pe.create({ kind: "sinusoidal", dim: heads * dim });
  const hidden = { data: x.data, dims: [1, positions, heads * dim] };
  const at = { layout: "bthd", from: 1000, to: 0 };
  const pair = { cos: gpu.tensor([positions, dim / 2]), sin: gpu.tensor([positions, dim / 2]) };
  const bias = gpu.tensor([heads, queries, queries]);
  const apart = { queries, keys: queries };
  return [
    inPlace(env, "gpu.rotate", x, (held) => gpu.rotate(held, { encoding: rope, layout: "bthd" }), (on) => rope.apply(on, { layout: "bthd" })), // prettier-ignore
    inPlace(env, "gpu.rotate, one token", token, (held) => gpu.rotate(held, { encoding: rope, layout: "bthd" }), (on) => rope.apply(on, { layout: "bthd" })), // prettier-ignore
    inPlace(env, "gpu.rerotate", x, (held) => gpu.rerotate(held, { encoding: rope, ...at }), (on) => rope.rerotate(on, at)), // prettier-ignore
    inPlace(
      env,
      "gpu.add",
      hidden,
      (held) => gpu.add(held, sinusoidal),
      (on) => sinusoidal.addTo(on),
    ),
    making(
      env,
      "gpu.tables",
      pair,
      () => gpu.tables(rope, { length: positions, out: pair }),
      () => {
        // prettier-ignore
        const { cos, sin } = rope.tables({ length: positions });
        return { cos: cos.data, sin: sin.data };
      },
    ),
    making(
      env,
      "gpu.bias",
      { bias },
      () => gpu.bias(alibi, { ...apart, out: bias }),
      () => ({ bias: alibi.bias(apart).data }),
    ),
    ...(env.ort ? [await rotaryEmbedding(env, x, size)] : []),
    copy(env, x),
  ];
}
