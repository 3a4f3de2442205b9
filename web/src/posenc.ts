// The library at work: what `init` resolves to.
import { attention, queryTemperature } from "./attention/attention.js";
import { KeyValueCache } from "./attention/cache.js";
import type { At, AttentionOptions, CacheOptions, ResultIn, OutOption, Temperature } from "./base/call-options.js";
import { AttentionRows } from "./base/calls.gen.js";
import type { KindDescription } from "./base/description.js";
import { PosencError } from "./base/errors.js";
import { describeKinds, familyOf } from "./base/kinds.js";
import { count, maybe, must, oneOf, readOptions, tensor } from "./base/options.js";
import type { Family, Kind, Spec } from "./base/specs.gen.js";
import type { InputTensor, OwnedFloat64Array, ResultLike, ScoreTerms, Tensor } from "./base/types.js";
import { configOptions, readConfig, type ConfigOptions } from "./config/config.js";
import type { LayerOptions } from "./config/layers.js";
import { allClasses } from "./encodings/classes.js";
import { createEncoding } from "./encodings/create.js";
import type { Encoding } from "./encodings/encoding.js";
import { cumulativePhases, type PhaseOptions } from "./encodings/phases.js";
import type { AnyEncoding, CreatedFrom, EncodingOf, EncodingOfFamily } from "./encodings/kinds.js";
import type { Layer } from "./encodings/layers.js";
import { relativeShift, type ShiftOptions } from "./encodings/relative.js";
import { attentionBackward, attentionOptions, attentionRows } from "./encodings/scores.js";
import type { AttentionGradients, GradientsOut, Written } from "./encodings/training.js";
import type { Comparison } from "./explain/compare.js";
import type { ExplainOptions, Explanation, ExplanationOf } from "./explain/explanation.js";
import { distanceProfile, scoreTerms, similarity } from "./explain/insight.js";
import { Library } from "./library.js";

const familyNames = Object.keys(allClasses.families) as Family[];
const profileOptions = { maxDistance: must(count(0, 16777216)), out: tensor };
const fromConfigOptions = { ...configOptions, family: maybe(oneOf(...familyNames)) };

/** One running instance of the whole library. */
export class Posenc extends Library {
  /**
   * Every kind of encoding: its family, its fields with type, default and range, its learned numbers. `describe()` of
   * posenc/explain tells it in words, too: title, formula (TeX), source, a line for each field.
   */
  describe(): KindDescription[] {
    return describeKinds();
  }

  /**
   * An encoding from its spec; learned numbers may stand in it by name ({ kind: "t5", heads, weights }).
   * Throws: invalid-spec, naming the field: unknown, missing, of the wrong type or out of range.
   */
  create<K extends Kind>(spec: { kind: K } & Extract<Spec, { kind: K }>): CreatedFrom<K>;
  create(spec: Spec): AnyEncoding;
  create(spec: Spec): AnyEncoding {
    return createEncoding(this.core, spec, allClasses);
  }

  /**
   * The encoding of a model, from its Hugging Face config.json: rotations of v4 (`rope_scaling`, `rope_theta`) or v5
   * (`rope_parameters`, also per layer type), tables, biases, relative encodings; of an image encoder inside with
   * `layerType: "vision"`. What the config says of attention itself (scale, window, softcap, sinks) is no part of the
   * encoding: pass it to `attention`; the page Configs lists where it stands. `encoding.ignored` lists the
   * fields about positions that one encoding does not express, such as layers without any; `encoding.assumed` lists what an
   * unknown `model_type` left open: those fields have Llama's values. With `family` it is an encoding of that one, or
   * none. First values of learned parameters are drawn when they are first read: `load` the model's before that.
   * Throws: invalid-argument, unsupported.
   */
  fromConfig<F extends Family>(config: unknown, options: ConfigOptions & { family: F }): EncodingOfFamily[F];
  fromConfig(config: unknown, options?: ConfigOptions): AnyEncoding;
  fromConfig(config: unknown, options: ConfigOptions & { family?: Family } = {}): AnyEncoding {
    const { family, ...how } = readOptions(options, fromConfigOptions);
    const { spec, assumed, ignored } = readConfig(config, how);
    const actual = familyOf(spec.kind);
    if (family !== undefined && family !== actual)
      throw new PosencError(
        "unsupported",
        `family: ${spec.kind}, which the config asks for, is ${actual}, not ${family}`,
        "family",
      );
    const encoding = createEncoding(this.core, spec, allClasses, "when-read");
    return Object.assign(encoding, { assumed, ignored });
  }

  /**
   * What a model does, layer by layer, from its Hugging Face config.json: encoding (null: none), window, temperature and kind
   * of each, of all its parts (text, image and sound; encoder and decoder). Layers with equal specs share one encoding, which
   * is yours: dispose each once, `new Set(layers.map(({ encoding }) => encoding))`. Loads what it knows of models when it is
   * first asked; `layerSpecs` of posenc/config answers at once, with specs. Throws: invalid-argument, unsupported.
   */
  async layers(config: object, options: LayerOptions = {}): Promise<Layer[]> {
    return (await import("./encodings/layers.js")).createLayers(this.core, config, options);
  }

  /**
   * What an encoding (or a spec, or a config) does, in numbers and in one paragraph: wavelengths, which pairs a scaling
   * rule changes and how, when the slowest has turned once; slopes and how far they reach; and so on by family. Loads
   * `posenc/explain`, whose `explain(pe, …)` answers at once. Throws: invalid-argument, and as `create` and `fromConfig`.
   */
  explain<E extends Encoding<any>>(encoding: E, options?: ExplainOptions): Promise<ExplanationOf<E["family"]>>;
  explain<K extends Kind>(
    spec: { kind: K } & Extract<Spec, { kind: K }>,
    options?: ExplainOptions,
  ): Promise<ExplanationOf<EncodingOf<K>["family"]>>;
  explain(config: object, options?: ExplainOptions & ConfigOptions): Promise<Explanation>;
  async explain(subject: object, options?: ExplainOptions & ConfigOptions): Promise<Explanation> {
    return (await import("./explain/subjects.js")).explainSubject(this.core, subject, options);
  }

  /**
   * What differs between two encodings, specs or Hugging Face configs: kind, fields, frequencies, magnitude, layout; and
   * whether one can stand for the other, such as after a permutation of the weights. Loads `posenc/explain`, whose
   * `compare(pe, …)` answers at once. Throws: invalid-argument, and as `create` and `fromConfig`.
   */
  async compare(a: object, b: object, options?: ConfigOptions): Promise<Comparison> {
    return (await import("./explain/subjects.js")).compareSubjects(this.core, a, b, options);
  }

  /**
   * Returns softmax(scale · q kᵀ + bias) v with positional encodings, for one or more heads. Every query attends to every
   * key unless you set `causal: true` (PyTorch's `is_causal`; the `attend` of a cache is causal by default).
   *
   * No [Tq, Tk] buffer is made. Without an encoding it is PyTorch's `scaled_dot_product_attention`.
   * @param q Queries, shape [B, Hq, Tq, D], or [B, Tq, Hq, D] with `layout: "bthd"`; float32, float16 or bfloat16.
   * @param k Keys, shape [B, Hk, Tk, D]. Hq is a multiple of Hk.
   * @param v Values, shape [B, Hk, Tk, Dv].
   * @param options Encoding, masks, scale, positions; `out` receives the result.
   * @returns Shape [B, Hq, Tq, Dv] in the layout and dtype of q; `out` if it was given.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if the inputs or options do not fit
   * together (a table as `encoding` among them); `out-of-memory`.
   * @example
   * const out = pe.attention(q, k, v, { encoding: rope, causal: true });
   * @see Vaswani et al. 2017, arXiv:1706.03762, eq. 1
   */
  attention<Q extends InputTensor, F extends Family = Family, Out extends InputTensor | undefined = undefined>(
    q: Q,
    k: InputTensor,
    v: InputTensor,
    options: AttentionOptions<F> & OutOption<Out> = {},
  ): ResultIn<Out, ResultLike<Q>> {
    return attention(this.core, q, k, v, options) as never;
  }

  /**
   * A cache of keys and values for generating: `append` what a step computes, `attend` with its queries. `heads` are those
   * of keys, `capacity` is in tokens; memory is taken at once, batch · heads · capacity · (dim + valueDim) numbers.
   * `policy` keeps a window of tokens, or a window and the first ones. Throws: invalid-argument, out-of-range,
   * out-of-memory.
   */
  cache<F extends Family = Family>(options: CacheOptions<F>): KeyValueCache {
    return new KeyValueCache(this.core, options);
  }

  /**
   * The gradients of `attention` (give the same options): gradOut is that of its result. Returns those of q, k and v, of
   * their dims, and of `bias`, `sinks` and `gateKeys` where given; adds those of the encoding's parameters to
   * `encoding.gradients`. With P = softmax(S): dV = Pᵀ dO, dS = P ∘ (dO Vᵀ - Σ_j P ∘ dO Vᵀ), dQ = scale · dS K,
   * dK = scale · dSᵀ Q, tile by tile: no [Tq, Tk] buffer is made. Throws: as `attention`.
   * Source: Dao et al. 2022, arXiv:2205.14135, algorithm 4.
   */
  attentionBackward<F extends Family = Family, Out extends Partial<AttentionGradients<InputTensor>> = {}>(
    q: InputTensor,
    k: InputTensor,
    v: InputTensor,
    gradOut: InputTensor,
    options: AttentionOptions<F> & GradientsOut<Out> = {},
  ): Written<AttentionGradients, Out> {
    return attentionBackward(this.core, q, k, v, gradOut, readOptions(options, attentionOptions)) as never;
  }

  /**
   * The softmax of `attention` itself: [B, Hq, Tq, Tk] of q's type, rows sum to 1 (or 0, where nothing is visible).
   * Throws: as `attention`.
   */
  attentionWeights<Q extends InputTensor, F extends Family = Family, Out extends InputTensor | undefined = undefined>(
    q: Q,
    k: InputTensor,
    options: AttentionOptions<F> & OutOption<Out> = {},
  ): ResultIn<Out, ResultLike<Q>> {
    return attentionRows(this.core, AttentionRows.weights, q, k, readOptions(options, attentionOptions)) as never;
  }

  /**
   * Transformer-XL's shift of position scores x [..., Tq, W], one column for each distance, the farthest first: out[i, j] =
   * x[i, Tq - 1 - i + j]. What wraps around the end of a row is junk that a causal mask hides; `zeroWrapped` makes it 0.
   * With `keys` < W it is XLNet's: [..., Tq, keys]. Throws: shape-mismatch, invalid-argument.
   * Source: Dai et al. 2019, arXiv:1901.02860, appendix B.
   */
  relativeShift<Out extends InputTensor | undefined = undefined>(
    x: InputTensor,
    options: ShiftOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return relativeShift(this.core, x, options) as never;
  }

  /**
   * Positions that grow with what tokens say, for `grape-m` under contents (and any rotation): the sums of
   * gate(gates / scale) over the tokens before, gates [B, T, H] as a linear layer makes them (H: 1, or the heads). Returns
   * [B * H * T] numbers, the `positions` of `apply`, `logits` and `attention`. Throws: shape-mismatch, invalid-argument.
   * Source: Zhang et al. 2025, arXiv:2512.07805.
   */
  cumulativePhases(gates: InputTensor, options: PhaseOptions = {}): OwnedFloat64Array {
    return cumulativePhases(this.core, gates, options);
  }

  /**
   * 1 + factor · ln(1 + ⌊(position + offset) / length⌋) for each position of `at`: what `attention` multiplies scores by
   * under `temperature`, for those who scale their queries themselves. Returns [T]. Throws: invalid-argument.
   */
  queryTemperature<Out extends InputTensor | undefined = undefined>(
    at: At & { temperature: Temperature } & OutOption<Out>,
  ): ResultIn<Out, Tensor> {
    return queryTemperature(this.core, at) as never;
  }

  /** ⟨row i, row j⟩ of a table [T, D]. Returns [T, T]. Throws: shape-mismatch. */
  similarity<Out extends InputTensor | undefined = undefined>(
    table: InputTensor,
    options: OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return similarity(this.core, table, readOptions(options, { out: tensor }).out) as never;
  }

  /**
   * How a score changes with the distance 0 … maxDistance. Tables: ⟨PE(0), PE(δ)⟩; rotary: the score of equal vectors,
   * a² · mean cos(δ θ_k) with a the attention factor, xPos' decay inside; with several axes the key is δ places away on
   * each of them, in a grid of maxDistance + 1 places; biases: the bias, per head.
   * Relative encodings have none: their scores depend on q and k, too.
   * Returns [maxDistance + 1] or [heads, maxDistance + 1]. Throws: unsupported, invalid-argument.
   */
  distanceProfile<Out extends InputTensor | undefined = undefined>(
    encoding: Encoding<any>,
    options: { maxDistance: number } & OutOption<Out>,
  ): ResultIn<Out, Tensor> {
    const { maxDistance, out } = readOptions(options, profileOptions);
    return distanceProfile(this.core, encoding, maxDistance, out) as never;
  }

  /**
   * (x + e)ᵀ Wqᵀ Wk (x + e) as its four terms, [T, T] each. x, table [T, D]; wq, wk [P, D].
   * Throws: shape-mismatch.
   */
  scoreTerms(x: InputTensor, table: InputTensor, wq: InputTensor, wk: InputTensor): ScoreTerms {
    return scoreTerms(this.core, x, table, wq, wk);
  }
}
