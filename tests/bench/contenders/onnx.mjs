// onnxruntime-web's ways: its wasm execution provider on one thread. Inputs are copied in and results out at each call,
// which is how it works; ready tables are constants of the graphs.
import { elementTypes, onnxModel } from "../../../examples/transformers/models/onnx.js";
import { attentionGraphs } from "./onnx/attention.mjs";
import { biasGraphs, cosSinGraphs, ropeGraphs, sinusoidalGraphs } from "./onnx/graphs.mjs";

const works = {
  rope: ropeGraphs,
  cosSin: cosSinGraphs,
  sinusoidal: sinusoidalGraphs,
  bias: biasGraphs,
  attention: attentionGraphs,
};

const data = (outputs) => Object.fromEntries(Object.entries(outputs).map(([name, tensor]) => [name, tensor.data]));

/** Sessions are made at the first run: few live at a time. */
function wayOf(ort, graph) {
  const { label, role = "onnx", inputs, results = (outputs) => outputs, tolerance } = graph;
  const feeds = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => {
      const { name: type } = elementTypes.get(input.data.constructor);
      return [name, new ort.Tensor(type, input.data, input.dims)];
    }),
  );
  let session;
  return {
    contender: "onnxruntime-web",
    label,
    role,
    tolerance,
    isAsync: true,
    oneOfSeveral: role === "onnx",
    run: () => session.run(feeds),
    async first() {
      session = await ort.InferenceSession.create(onnxModel(graph), { executionProviders: ["wasm"] });
      return results(data(await session.run(feeds)));
    },
    end: () => session?.release(),
  };
}

/** `ort`: the module onnxruntime-web. */
export function onnx(ort) {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  return {
    name: "onnx",
    ways(given) {
      const list = (works[given.case.work]?.(given) ?? []).map((graph) => wayOf(ort, graph));
      return { list, end: () => Promise.all(list.map(({ end }) => end())) };
    },
  };
}
