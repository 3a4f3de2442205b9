// Attention with any encoding.
import type { At, AttentionOptions, OutOption, Temperature } from "../base/call-options.js";
import { Operation } from "../base/calls.gen.js";
import { must, readOptions, tensor } from "../base/options.js";
import type { Region } from "../base/regions.js";
import type { InputTensor, Tensor, TensorOf, TensorType } from "../base/types.js";
import { temperature } from "../encodings/remap.js";
import { attentionOptions, attentionFields } from "../encodings/scores.js";
import { countOf, positionOptions, positionRegion } from "../positions/at.js";
import { produce, readable } from "../tensors/operand.js";
import type { Core } from "../wasm/core.js";
import { withChunks, type ChunkRange } from "./chunks.js";

/** Returns softmax(scale · q kᵀ + bias) v, or some chunks of it; see `Posenc.attention`. */
export function attention<T extends InputTensor>(
  core: Core,
  q: InputTensor,
  k: InputTensor,
  v: InputTensor,
  given: AttentionOptions & OutOption<T>,
  chunks?: ChunkRange,
): T | TensorOf<TensorType> {
  const options = readOptions(given, attentionOptions);
  return core.withScratch(() => {
    const inputs = [readable(core, q, "q"), readable(core, k, "k"), readable(core, v, "v")] as const;
    const fields = attentionFields(core, inputs[0], inputs[1], options);
    const dims = [...inputs[0].dims.slice(0, -1), inputs[2].dims.at(-1) ?? 0];
    const fill = (out: Region): void =>
      withChunks(core, chunks, (range) => core.call(Operation.attention, ...inputs, ...fields, range, out));
    return produce<T>(core, dims, options.out, fill, { like: inputs[0] });
  });
}

const temperatureOptions = { ...positionOptions, temperature: must(temperature), out: tensor };

/** Returns the factors of scores, [T]; see `Posenc.queryTemperature`. */
export function queryTemperature<T extends InputTensor = Tensor>(
  core: Core,
  options: At & { temperature: Temperature } & OutOption<T>,
): T | Tensor {
  const at = readOptions(options, temperatureOptions);
  return core.withScratch(() => {
    const count = countOf(at);
    const positions = positionRegion(core, at, count);
    return produce(core, [count], at.out, (out) =>
      core.call(Operation.queryTemperature, positions, ...at.temperature, out),
    );
  });
}
