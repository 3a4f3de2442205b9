// onnxruntime's MRotaryEmbedding, which rotates by time, height and width: what posenc reads is what the operator computes, also
// after a rewrite.
import { init } from "posenc";
import { openModel } from "posenc/onnx";
import { describe, expect, it } from "vitest";
import { float, microsoft, node, onnxModel } from "../../examples/transformers/models/onnx.js";
import { maxDifference, randomTensor } from "../js/helpers/numbers";
import { runtimes, tensorOf } from "./runtimes";

const pe = await init();
const [heads, tokens, dim, rows] = [2, 6, 64, 32];
const dims = [1, heads, tokens, dim];
const x = randomTensor(dims, 3);
/** Two words, a picture of 2 x 2 patches. */
const axes = [
  [0, 1, 2, 2, 2, 2],
  [0, 1, 2, 2, 3, 3],
  [0, 1, 2, 3, 2, 3],
];
const ids = { data: BigInt64Array.from(axes.flat(), BigInt), dims: [3, 1, tokens] };

const rowsOf = (of: (angle: number) => number, pairs: number) =>
  float(
    Array.from({ length: rows * pairs }, (_, i) => of(Math.floor(i / pairs) * 10000 ** (-(i % pairs) / pairs))),
    [rows, pairs],
  );

interface Attributes {
  readonly mrope_section: number[];
  readonly mrope_layout?: number;
  readonly interleaved?: number;
  readonly rotary_embedding_dim?: number;
  readonly num_heads?: number;
  readonly scale?: object;
}

/** Queries are keys and values, too. Outputs: the rotated ones and the attention. */
function modelWith(attributes: Attributes) {
  const pairs = (attributes.rotary_embedding_dim ?? dim) / 2;
  return onnxModel({
    inputs: { x, ids },
    constants: { cos: rowsOf(Math.cos, pairs), sin: rowsOf(Math.sin, pairs) },
    outputs: { rotated: dims, y: dims },
    nodes: [
      microsoft("MRotaryEmbedding", "x ids cos sin", "rotated", attributes),
      node("Transpose", "rotated", "keys", { perm: [0, 1, 3, 2] }),
      node("MatMul", "rotated keys", "scores"),
      node("Softmax", "scores", "weights"),
      node("MatMul", "weights x", "y"),
    ],
  });
}

async function run(ort: any, model: Uint8Array) {
  const session = await ort.InferenceSession.create(model, {
    executionProviders: [ort === runtimes[0]![1] ? "cpu" : "wasm"],
  });
  const { rotated } = await session.run({ x: tensorOf(ort, x), ids: tensorOf(ort, ids) });
  await session.release();
  return rotated.data as Float32Array;
}

const chunked = [8, 12, 12];
const cases: [string, Attributes, object][] = [
  ["sections", { mrope_section: chunked }, { kind: "rope-mrope", sections: chunked }],
  [
    "alternating axes",
    { mrope_section: [12, 10, 10], mrope_layout: 1 },
    { kind: "rope-mrope", sections: [12, 10, 10], interleavedSections: true },
  ],
  // Height and width would have pairs up to 35, of which there are 32: axis 0 gets the rest.
  [
    "alternating axes that end before their section",
    { mrope_section: chunked, mrope_layout: 1 },
    { kind: "rope", axisOfPair: Array.from({ length: 32 }, (_, pair) => pair % 3) },
  ],
  [
    "neighbours",
    { mrope_section: chunked, interleaved: 1 },
    { kind: "rope-mrope", sections: chunked, pairing: "interleaved" },
  ],
  [
    "the first features",
    { mrope_section: [16, 4, 4], rotary_embedding_dim: 48, num_heads: heads },
    { kind: "rope-mrope", sections: [16, 4, 4], dim: 48 },
  ],
  ["a factor", { mrope_section: chunked, scale: { float: 0.5 } }, { kind: "rope-mrope", sections: chunked }],
];

describe.each(runtimes)("%s", (_, ort) => {
  it.each(cases)("%s", async (_name, attributes, spec) => {
    const bytes = modelWith(attributes);
    const model = await openModel(bytes);
    const factor = attributes.scale ? 0.5 : 1;
    expect(model.positions).toMatchObject([{ family: "rotary", form: "cache", layers: [0], rows, spec }]);
    expect(model.positions[0]!.attentionFactor).toBeCloseTo(factor, 6);
    const rotaryDim = attributes.rotary_embedding_dim ?? dim;
    const rotatedBy = (more: object) => {
      const rope = pe.create({ ...model.positions[0]!.spec!, dim, rotaryDim, ...more } as never) as any;
      const out = rope.apply({ data: x.data.slice(), dims }, { positions: axes }).data as Float32Array;
      // The operator multiplies what it rotates; features that are not rotated stay.
      const isRotated = (i: number) => i % dim < rotaryDim;
      return out.map((value, i) =>
        isRotated(i) ? value * (attributes.scale && !("factor" in more) ? factor : 1) : value,
      );
    };
    expect(maxDifference(await run(ort, bytes), rotatedBy({}))).toBeLessThan(2e-6);

    const yarn = { kind: "rope-yarn", factor: 4, originalLength: 256 };
    const { sections, interleavedSections, axisOfPair } = spec as any;
    const written = await (await model.rewrite(pe, { rotary: yarn as never })).bytes();
    const again = await openModel(written);
    expect(again.positions).toMatchObject([
      {
        spec: {
          ...yarn,
          ...(sections ? { sections } : { axisOfPair }),
          ...(interleavedSections && { interleavedSections }),
        },
      },
    ]);
    expect(maxDifference(await run(ort, written), rotatedBy(yarn))).toBeLessThan(2e-6);
  });
});

describe("operators that share a table", () => {
  it("are rotations of their own if they rotate differently", async () => {
    const pairs = dim / 2;
    const bytes = onnxModel({
      inputs: { x, ids, flat: { data: BigInt64Array.of(0n), dims: [1] } },
      constants: { cos: rowsOf(Math.cos, pairs), sin: rowsOf(Math.sin, pairs) },
      outputs: { a: dims, b: dims },
      nodes: [
        microsoft("MRotaryEmbedding", "x ids cos sin", "a", { mrope_section: chunked }),
        microsoft("RotaryEmbedding", "x flat cos sin", "b", { interleaved: 1 }),
      ],
    });
    const { positions } = await openModel(bytes);
    expect(positions.map(({ spec }) => spec)).toMatchObject([
      { kind: "rope-mrope", sections: chunked },
      { kind: "rope", pairing: "interleaved" },
    ]);
  });
});
