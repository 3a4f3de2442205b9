// onnxruntime native and as wasm, and graphs of one operator to ask them.
import * as native from "onnxruntime-node";
import * as web from "onnxruntime-web";
import { elementTypes, onnxModel } from "../../examples/transformers/models/onnx.js";

export interface Numbers {
  /** Default: what the data say. */
  type?: string;
  data: any;
  dims: readonly number[];
  /** What the graph declares, where a dim is to have a name. */
  declared?: (number | string)[];
}

const ortWeb = web as any;
ortWeb.env.wasm.numThreads = 1;
ortWeb.env.logLevel = "error";
const ortNode = (native as any).default ?? native;

export const runtimes: [string, any][] = [
  ["onnxruntime-node", ortNode],
  ["onnxruntime-web", ortWeb],
];

const typeName = ({ type, data }: Numbers) => type ?? elementTypes.get(data.constructor)!.name;

export const tensorOf = (ort: any, numbers: Numbers) => new ort.Tensor(typeName(numbers), numbers.data, numbers.dims);

/** Runs nodes on given numbers; `outputs` as onnxModel takes them. */
export async function ask(
  ort: any,
  { inputs, outputs, nodes }: { inputs: Record<string, Numbers>; outputs: object; nodes: object[] },
): Promise<Record<string, any>> {
  const options = ort === ortWeb ? { executionProviders: ["wasm"] } : {};
  const declared = Object.entries(inputs).map(([name, input]) => [
    name,
    { type: typeName(input), dims: input.declared ?? input.dims },
  ]);
  const model = onnxModel({ inputs: Object.fromEntries(declared), outputs, nodes });
  const session = await ort.InferenceSession.create(model, options);
  try {
    const feeds = Object.entries(inputs).map(([name, input]) => [name, tensorOf(ort, input)]);
    return await session.run(Object.fromEntries(feeds));
  } finally {
    await session.release();
  }
}
