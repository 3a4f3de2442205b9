// Unlimited generation: the cache of a transformers.js model keeps its first tokens and its last ones.
import { PosencError, invalid } from "../base/errors.js";
import { count, maybe, must, readOptions } from "../base/options.js";
import { cachedTokens, shiftCache, windowOptions, type CacheTensors, type ShiftOptions } from "./cache.js";
import { checkModel, wrapForward, type Inputs, type ModelLike, type Next, type Undo } from "./forward.js";
import { freeOnGpu } from "./gpu.js";
import { rotaryOf, type LayerEncodings } from "./layer-encodings.js";
import { makeTensor, type RuntimeTensor } from "./tensors.js";

/** Options of `withRollingCache`: how many tokens the cache holds. */
export interface RollingOptions extends Omit<ShiftOptions, "delta"> {
  /**
   * Number of tokens, at least, that leave at once when the cache is full. Default: an eighth of the window, so each key is
   * re-rotated, and rounded, only a few times. 1: the window is always full.
   */
  evict?: number;
}

const rollingOptions = { ...windowOptions, window: must(count(1)), evict: maybe(count(1)) };

/**
 * Limits the cache of a transformers.js model to its first and last tokens, so that generation can continue without
 * limit.
 *
 * Works inside pipelines and `generate`. Wrap the model with it last.
 *
 * - Once `sinks` + `window` tokens are cached, the oldest after the first `sinks` leave, as by `shiftCache`.
 * - `attention_mask` and `position_ids` follow: no position exceeds `sinks + window - 1`.
 * - A prompt longer than the window is processed in parts. Its logits are those of the last part.
 * - If `generate` gets a `DynamicCache`, all ids of a conversation or only the new ones may follow (version 3: the new
 *   ones).
 * @param model A model of transformers.js, such as `pipeline.model`. Its forward pass is wrapped.
 * @param encoding The encoding of all layers, `await pe.layers(config)`, or a function from the index of a layer to its
 * encoding.
 * @param options `window`, `sinks` (default 0), `evict` (default: an eighth of the window) and `gpu`.
 * @returns A function that undoes it; also with `using`. It throws `invalid-argument` if the model was wrapped again
 * since.
 * @throws {PosencError} `invalid-argument` if an argument is invalid; `unsupported` if keys of the encoding cannot be
 * moved. A forward pass throws as `shiftCache`, and `unsupported` for masks with masked tokens, encoder-decoder models,
 * and prompts longer than the window that are not `input_ids` only.
 * @example
 * withRollingCache(chat.model, pe.fromConfig(chat.model.config, { family: "rotary" }), { sinks: 4, window: 4092 });
 * @see Xiao et al. 2023, arXiv:2309.17453
 */
export function withRollingCache(model: ModelLike, encoding: LayerEncodings, options: RollingOptions): Undo {
  const { sinks, window, evict = Math.ceil(window / 8), gpu } = readOptions(options, rollingOptions);
  if (evict > window) throw invalid("evict", `must be at most the window of ${window}, got ${evict}`);
  checkModel(model);
  if (typeof encoding !== "function") {
    const layers = Array.isArray(encoding) ? encoding.length : 1;
    for (let layer = 0; layer < layers; layer++) rotaryOf(encoding, layer, sinks + window);
  }
  const shift = (cache: object, kept: number): number =>
    shiftCache(cache, encoding, { sinks, window: kept, ...(gpu && { gpu }) });
  const rolling = new Rolling({ sinks, window, evict }, shift);
  return wrapForward(model, (next, inputs) => rolling.pass(next, inputs), { end: () => rolling.end(), isLast: true });
}

type Sizes = Required<Pick<RollingOptions, "sinks" | "window" | "evict">>;

class Rolling {
  /** Number of tokens that each cache has lost. */
  private readonly lost = new WeakMap<object, number>();
  private ended = false;

  constructor(
    private readonly sizes: Sizes,
    private readonly shift: (cache: object, kept: number) => number,
  ) {}

  end(): void {
    this.ended = true;
  }

  async pass(next: Next, inputs: Inputs): Promise<any> {
    const all = newTokens(inputs);
    const { past_key_values: given, attention_mask: mask } = inputs;
    const cache: CacheTensors = given ?? {};
    const lost = mask ? mask.dims.at(-1) - all - cachedTokens(cache) : (this.lost.get(cache) ?? 0);
    this.remember(cache, Math.max(0, lost));
    let outputs: any;
    try {
      for (let done = 0; done < all;) {
        if (outputs) advance(cache, outputs);
        const some = this.evictFor(cache, all - done);
        if (some < all) checkText(inputs);
        outputs = await next(this.part(inputs, cache, done, done + some));
        done += some;
      }
      return outputs;
    } finally {
      // Tensors made between the parts of a first prompt have no other users.
      if (!given) freeOnGpu(Object.values(cache));
    }
  }

  /** Removes tokens if needed, and returns how many of the next tokens fit. */
  private evictFor(cache: CacheTensors, wanted: number): number {
    const { sinks, window, evict } = this.sizes;
    const free = sinks + window - cachedTokens(cache);
    const some = wanted <= Math.max(free, window) ? wanted : Math.max(free, Math.ceil(window / 2));
    if (some > free) {
      const before = this.lost.get(cache) ?? 0;
      this.remember(cache, before + this.shift(cache, window - Math.max(some, evict)));
    }
    return some;
  }

  /**
   * Makes a cache report all tokens so far, lost ones included. `generate` then finds the new ids of a conversation.
   */
  private remember(cache: CacheTensors & { get_seq_length?: unknown }, lost: number): void {
    const isNew = !this.lost.has(cache);
    this.lost.set(cache, lost);
    if (isNew && typeof cache.get_seq_length === "function")
      Object.defineProperty(cache, "get_seq_length", {
        value: () => cachedTokens(cache) + (this.ended ? 0 : (this.lost.get(cache) ?? 0)),
        ...{ configurable: true, writable: true },
      });
  }

  /** Returns the inputs of a forward pass for some of the new tokens. */
  private part(inputs: Inputs, cache: CacheTensors, start: number, end: number): Inputs {
    const isWhole = end - start === newTokens(inputs);
    const lost = this.lost.get(cache) ?? 0;
    if (isWhole && lost === 0) return inputs;
    const { input_ids, attention_mask: mask, position_ids: ids } = inputs;
    const past = cachedTokens(cache);
    return {
      ...inputs,
      ...(!isWhole && { input_ids: columns(input_ids, start, end) }),
      ...(past > 0 && { past_key_values: cache }),
      ...(mask && { attention_mask: columns(mask, 0, past + end - start) }),
      ...(ids && { position_ids: columns(ids, start, end, lost) }),
    };
  }
}

const refused = (field: string, why: string): PosencError => new PosencError("unsupported", `${field}: ${why}`, field);

/** Returns the number of new tokens. Throws `unsupported` for inputs that cannot be limited to a window. */
function newTokens({ input_ids, inputs_embeds, attention_mask, ...others }: Inputs): number {
  const given: RuntimeTensor | undefined = input_ids ?? inputs_embeds;
  if ("decoder_input_ids" in others || "encoder_outputs" in others || !given)
    throw refused("model", "a rolling cache is for decoders that take input_ids");
  const shown = attention_mask?.data as any[] | undefined;
  if (shown?.includes(0n) || shown?.includes(0))
    throw refused("attention_mask", "masks tokens: a rolling cache is for prompts of one length, or one at a time");
  return given.dims[1]!;
}

/** Throws `unsupported` if more than the ids of a prompt would have to be split. */
function checkText(inputs: Inputs): void {
  const cut = ["input_ids", "attention_mask", "position_ids"];
  const other = Object.keys(inputs).find((name) => !cut.includes(name) && inputs[name]?.dims?.length > 1);
  if (other !== undefined || !inputs["input_ids"])
    throw refused(other ?? "inputs_embeds", "a prompt longer than the window must have only input_ids");
}

/** Returns some columns of ids, minus `less`. */
function columns(x: RuntimeTensor, start: number, end: number, less = 0): RuntimeTensor {
  const { type, dims } = x;
  const width = dims.at(-1)!;
  const data = (x.data as BigInt64Array).filter((_, i) => i % width >= start && i % width < end);
  const step = (typeof data[0] === "bigint" ? BigInt(less) : less) as bigint;
  if (less) data.forEach((id, i) => (data[i] = id - step));
  return makeTensor({ type, data, dims: [...dims.slice(0, -1), end - start] }, undefined, x);
}

/** Updates the cache after a forward pass with the outputs, as transformers.js names them. */
function advance(cache: CacheTensors, outputs: CacheTensors): void {
  for (const [name, tensor] of Object.entries(outputs)) {
    const kept = name.replace(/^present(?=\.)/, "past_key_values").replace(/^present_/, "past_");
    const old = kept === name ? tensor : cache[kept];
    if (kept !== name) cache[kept] = tensor;
    freeOnGpu([old]);
  }
}
