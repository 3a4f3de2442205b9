// The whole library: the class that `init` resolves to.
import type { KeyValueCache } from "./attention/cache.js";
import type { At, AttentionOptions, CacheOptions, ResultIn, OutOption, Temperature } from "./base/call-options.js";
import { AttentionRows } from "./base/calls.gen.js";
import type { KindDescription } from "./base/description.js";
import { count, must, readOptions, tensor } from "./base/options.js";
import type { Family, Kind, Spec } from "./base/specs.gen.js";
import type { InputTensor, OwnedFloat64Array, ResultLike, ScoreTerms, Tensor } from "./base/types.js";
import type { ConfigOptions } from "./config/config.js";
import type { LayerOptions, LayerSpec } from "./config/layers.js";
import { createEncoding } from "./encodings/create.js";
import type { Encoding } from "./encodings/encoding.js";
import type { PhaseOptions } from "./encodings/phases.js";
import type { AnyEncoding, CreatedFrom, EncodingOf, EncodingOfFamily } from "./encodings/kinds.js";
import type { Layer } from "./encodings/layers.js";
import type { ShiftOptions } from "./encodings/relative.js";
import type { AttentionGradients, GradientsOut, Written } from "./encodings/training.js";
import type { Comparison } from "./explain/compare.js";
import type { ExplainOptions, Explanation, ExplanationOf } from "./explain/explanation.js";
import { Library } from "./library.js";
import { part } from "./parts/code.js";

const profileOptions = { maxDistance: must(count(0, 16777216)), out: tensor };

/** A running instance of the whole library, as `init` returns it. */
export class Posenc extends Library {
  /**
   * Returns every kind of encoding with its family, its fields (type, default, range) and its learned parameters.
   *
   * `describe()` of posenc/explain adds title, formula (TeX), source and a line for each field.
   * @returns One entry for each kind.
   */
  describe(): KindDescription[] {
    return part(this.core, "config").describeKinds();
  }

  /**
   * Creates an encoding from its spec.
   *
   * The spec may have learned parameters by name ({ kind: "t5", heads, weights }). Parameters that it does not have are
   * initialized.
   * @param spec The kind and its fields. `describe()` lists them with their defaults.
   * @returns The encoding, of the class of its kind. Free it with `dispose()` or `using`.
   * @throws {PosencError} `invalid-spec` if a field is unknown, missing, of the wrong type or out of range; `field` names it.
   * `shape-mismatch` or `invalid-argument` if a learned parameter does not fit; `out-of-memory`.
   * @example
   * const rope = pe.create({ kind: "rope", dim: 64 });
   */
  create<K extends Kind>(spec: { kind: K } & Extract<Spec, { kind: K }>): CreatedFrom<K>;
  /**
   * Creates an encoding from a spec whose kind is known only at run time, such as one that was parsed from JSON.
   *
   * @param spec The kind and its fields.
   * @returns The encoding, of the class of its kind. Its `family` or `kind` narrows the type.
   * @throws {PosencError} As the first signature.
   */
  create(spec: Spec): AnyEncoding;
  create(spec: Spec): AnyEncoding {
    return createEncoding(this.core, spec);
  }

  /**
   * Creates the encoding of a model from its Hugging Face config.json.
   *
   * Reads rotations of Transformers v4 (`rope_scaling`, `rope_theta`) and v5 (`rope_parameters`, also per layer type), tables,
   * biases and relative encodings. Scale, window, softcap and sinks of attention are not part of the encoding: pass them to
   * `attention`; the page Configs lists the config fields that have them. Learned parameters are initialized when they are
   * first read: `load` the model's weights before that.
   * @param config The object of a config.json.
   * @param options `layerType` selects a type of layer ("full_attention") or a part of the model ("vision"); `pairing`
   * overrides the pair layout; `family` requires an encoding of that family.
   * @returns The encoding. Its `ignored` lists fields about positions that one encoding cannot express, such as layers without
   * positions. Its `assumed` lists fields that an unknown `model_type` leaves open: they have Llama's values.
   * @throws {PosencError} `invalid-argument` if a field is missing or contradicts another one, or an option has no effect;
   * `invalid-spec` if a value is out of range; `unsupported` if posenc has no encoding for the model, or it is not of `family`.
   * @example
   * const rope = pe.fromConfig(JSON.parse(configText), { family: "rotary" });
   * rope.apply(q);
   */
  fromConfig<F extends Family>(config: unknown, options: ConfigOptions & { family: F }): EncodingOfFamily[F];
  /** Creates the encoding of a model from its Hugging Face config.json. Without `family`, it may be of any family. */
  fromConfig(config: unknown, options?: ConfigOptions): AnyEncoding;
  fromConfig(config: unknown, options: ConfigOptions & { family?: Family } = {}): AnyEncoding {
    return part(this.core, "config").fromConfig(this.core, config, options);
  }

  /**
   * Returns the spec, window, temperature and kind of each layer of a model, from its Hugging Face config.json. Creates nothing.
   *
   * @param config The object of a config.json.
   * @param options `part` selects one part. Default: all parts. `pairing` overrides the pair layout.
   * @returns One entry for each layer, its `spec` null if it has no positions or posenc has no kind for them; [] for models
   * without attention.
   * @throws {PosencError} `invalid-argument` if a field is missing or contradicts another one; `unsupported` if the config does
   * not describe its layers; `not-loaded` without the part `config`.
   * @example
   * const windows = pe.layerSpecs(config).map(({ window }) => window);
   */
  layerSpecs(config: object, options: LayerOptions = {}): LayerSpec[] {
    return part(this.core, "config").layerSpecs(config, options);
  }

  /**
   * Returns the encoding, window, temperature and kind of each layer of a model, from its Hugging Face config.json.
   *
   * Covers all parts of the model (text, image and audio; encoder and decoder). Layers with equal specs share one encoding, which
   * you own: dispose each once, `new Set(layers.map(({ encoding }) => encoding))`. The first call loads the tables of known
   * models; `layerSpecs` is synchronous and returns specs.
   * @param config The object of a config.json.
   * @param options `part` selects one part. Default: all parts. `pairing` overrides the pair layout.
   * @returns One entry for each layer, its `encoding` null if it has none; [] for models without attention.
   * @throws {PosencError} `invalid-argument` if a field is missing or contradicts another one; `invalid-spec` if a value is out
   * of range; `unsupported` if posenc does not know the model type.
   * @example
   * const layers = await pe.layers(config);
   * layers[0].encoding; // null, or an encoding; layers[0].window, layers[0].type ...
   */
  async layers(config: object, options: LayerOptions = {}): Promise<Layer[]> {
    const { createLayers } = await import("./encodings/layers.js");
    return this.core.parts.withRelative(() => createLayers(this.core, config, options));
  }

  /**
   * Describes what an encoding, a spec or a Hugging Face config does, with values and one paragraph.
   *
   * - Rotations: wavelengths, which pairs a scaling rule changes and how, the length at which the slowest pair completes one
   *   rotation.
   * - Biases: slopes and reach.
   * - Tables: the wavelengths of their sinusoids.
   *
   * The first call loads `posenc/explain`, whose `explain(pe, …)` is synchronous.
   * @param encoding An encoding, a spec, or the object of a config.json.
   * @param options `contextLength`: number of positions in which rotations are counted, default the spec's `originalLength`.
   * For a config also `layerType` and `pairing`.
   * @returns The explanation. Its `family` determines which fields it has.
   * @throws {PosencError} `invalid-argument` if the subject or an option is invalid; `invalid-spec` or `unsupported`, as
   * `create` and `fromConfig`; `disposed`.
   * @example
   * const { summary, wavelengths } = await pe.explain(rope, { contextLength: 8192 });
   */
  explain<E extends Encoding<any>>(encoding: E, options?: ExplainOptions): Promise<ExplanationOf<E["family"]>>;
  /**
   * Describes the encoding of a spec, as if it were created.
   *
   * @param spec The kind and its fields.
   * @param options `contextLength`, as in the first signature.
   * @returns The explanation for the family of the kind.
   * @throws {PosencError} As the first signature.
   */
  explain<K extends Kind>(
    spec: { kind: K } & Extract<Spec, { kind: K }>,
    options?: ExplainOptions,
  ): Promise<ExplanationOf<EncodingOf<K>["family"]>>;
  /**
   * Describes the encoding of a Hugging Face config.
   *
   * @param config The object of a config.json.
   * @param options `contextLength`, and the options of `fromConfig`: `layerType` and `pairing`.
   * @returns The explanation. Its `family` narrows the type.
   * @throws {PosencError} As the first signature.
   */
  explain(config: object, options?: ExplainOptions & ConfigOptions): Promise<Explanation>;
  async explain(subject: object, options?: ExplainOptions & ConfigOptions): Promise<Explanation> {
    const { explainSubject } = await import("./explain/subjects.js");
    return this.core.parts.withRelative(() => explainSubject(this.core, subject, options));
  }

  /**
   * Compares two encodings, specs or Hugging Face configs.
   *
   * Reports differences in kind, fields, frequencies, magnitude and layout, and whether one can replace the other in a trained
   * model, such as after a permutation of the weights. The first call loads `posenc/explain`, whose `compare(pe, …)` is
   * synchronous.
   * @param a An encoding, a spec, or the object of a config.json.
   * @param b The one to compare it with.
   * @param options `layerType` and `pairing`, for configs.
   * @returns `same`, `interchangeable` with a `note`, and the `differences`, most important first.
   * @throws {PosencError} `invalid-argument` if a subject or an option is invalid; `invalid-spec` or `unsupported`, as `create`
   * and `fromConfig`; `disposed`, `out-of-memory`.
   * @example
   * const { interchangeable, note } = await pe.compare(rope, { kind: "rope", dim: 64, pairing: "interleaved" });
   */
  async compare(a: object, b: object, options?: ConfigOptions): Promise<Comparison> {
    const { compareSubjects } = await import("./explain/subjects.js");
    return this.core.parts.withRelative(() => compareSubjects(this.core, a, b, options));
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
    return part(this.core, "attention").attention(this.core, q, k, v, options) as never;
  }

  /**
   * Creates a cache of keys and values for autoregressive generation.
   *
   * `append` the keys and values of each step, then `attend` with its queries. Use one cache for each layer. Memory is allocated
   * at once: batch · heads · capacity · (dim + valueDim) elements.
   * @param options `heads` of keys and `dim`; `capacity` in tokens, required unless there is a `policy`. A `policy` keeps a window
   * of tokens, and with `sinks` also the first ones.
   * @returns An empty cache. Free it with `dispose()` or `using`.
   * @throws {PosencError} `invalid-argument` if an option is missing or invalid; `out-of-range` if a size is too large or
   * `capacity` is less than sinks + window; `out-of-memory`.
   * @example
   * const cache = pe.cache({ heads: 8, dim: 64, capacity: 4096, encoding: rope });
   */
  cache<F extends Family = Family>(options: CacheOptions<F>): KeyValueCache {
    return new (part(this.core, "cache").KeyValueCache)(this.core, options);
  }

  /**
   * Returns the gradients of `attention` with respect to q, k and v.
   *
   * Pass the options of that call. Gradients of the encoding's parameters are added to `encoding.gradients`. With P =
   * softmax(S): dV = Pᵀ dO, dS = P ∘ (dO Vᵀ - Σ_j P ∘ dO Vᵀ), dQ = scale · dS K, dK = scale · dSᵀ Q, computed tile by tile: no
   * [Tq, Tk] buffer is made.
   * @param q Queries of that call, shape [B, Hq, Tq, D].
   * @param k Keys of that call, shape [B, Hk, Tk, D].
   * @param v Values of that call, shape [B, Hk, Tk, Dv].
   * @param gradOut Gradient of its result, shape [B, Hq, Tq, Dv].
   * @param options Its options; `out` receives gradients by name and must share no memory with inputs.
   * @returns `q`, `k` and `v` with the dims of these inputs, float32; also `bias`, `sinks` [Hq], `gateKeys` and per-token
   * inputs if they were given. Gradients named in `out` are returned as these tensors.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if the inputs or options do not fit together;
   * `out-of-memory`.
   * @see Dao et al. 2022, arXiv:2205.14135, algorithm 4
   */
  attentionBackward<F extends Family = Family, Out extends Partial<AttentionGradients<InputTensor>> = {}>(
    q: InputTensor,
    k: InputTensor,
    v: InputTensor,
    gradOut: InputTensor,
    options: AttentionOptions<F> & GradientsOut<Out> = {},
  ): Written<AttentionGradients, Out> {
    this.core.parts.need("training");
    const { attentionBackward, attentionOptions } = part(this.core, "attention");
    return attentionBackward(this.core, q, k, v, gradOut, readOptions(options, attentionOptions)) as never;
  }

  /**
   * Returns the softmax weights of `attention`, which that call does not keep.
   *
   * Rows sum to 1, or to 0 if a query attends to no key.
   * @param q Queries, shape [B, Hq, Tq, D], or [B, Tq, Hq, D] with `layout: "bthd"`.
   * @param k Keys, shape [B, Hk, Tk, D]. Hq is a multiple of Hk.
   * @param options The options of `attention`; `out` receives the result.
   * @returns Shape [B, Hq, Tq, Tk] in either layout, dtype of q; `out` if it was given.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if the inputs or options do not fit together;
   * `out-of-memory`.
   * @example
   * const weights = pe.attentionWeights(q, k, { encoding: rope, causal: true });
   */
  attentionWeights<Q extends InputTensor, F extends Family = Family, Out extends InputTensor | undefined = undefined>(
    q: Q,
    k: InputTensor,
    options: AttentionOptions<F> & OutOption<Out> = {},
  ): ResultIn<Out, ResultLike<Q>> {
    const { attentionOptions, attentionRows } = part(this.core, "attention");
    return attentionRows(this.core, AttentionRows.weights, q, k, readOptions(options, attentionOptions)) as never;
  }

  /**
   * Shifts position scores from one column per distance to one column per key, as Transformer-XL does.
   *
   * The columns of x begin with the farthest distance: out[i, j] = x[i, Tq - 1 - i + j]. Elements that wrap around the end of a
   * row are meaningless, and a causal mask removes them; `zeroWrapped` makes them 0. With `keys` < W it is XLNet's shift.
   * @param x Position scores, shape [..., Tq, W].
   * @param options `keys`: columns of the result, W at most and by default; `zeroWrapped`; `out` receives the result.
   * @returns Shape [..., Tq, keys], float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch` if x has fewer than two dims or `out` has other dims; `invalid-argument` if `keys`
   * exceeds W.
   * @see Dai et al. 2019, arXiv:1901.02860, appendix B
   */
  relativeShift<Out extends InputTensor | undefined = undefined>(
    x: InputTensor,
    options: ShiftOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return part(this.core, "relative").relativeShift(this.core, x, options) as never;
  }

  /**
   * Returns content-dependent positions, which are sums of gates over the tokens before each token.
   *
   * Position t is the sum of gate(gates / scale) over tokens 0 … t - 1. Pass them as `positions` to `apply` or `logits`,
   * or as `at: { positions }` to `attention`, for `grape-m` with content-dependent positions or for any rotation.
   * @param gates Inputs of the gates, as a linear layer computes them, shape [B, T, H]; H is 1 or the number of heads.
   * @param options `form`: "sigmoid" (default) or "softplus"; `scale`: 1e-6 to 1e6, default 1.
   * @returns [B * H * T] positions.
   * @throws {PosencError} `shape-mismatch` if `gates` does not have three dims; `invalid-argument` if `gates` is not finite or an
   * option is invalid.
   * @see Zhang et al. 2025, arXiv:2512.07805
   */
  cumulativePhases(gates: InputTensor, options: PhaseOptions = {}): OwnedFloat64Array {
    return part(this.core, "relative").cumulativePhases(this.core, gates, options);
  }

  /**
   * Returns the factors by which `attention` multiplies the scores of each query under `temperature`.
   *
   * Call it to scale queries yourself. The factor at position p, with the fields of `temperature`:
   *
   * - rule "steps" (default): 1 + factor · ln(1 + ⌊(p + offset) / length⌋)
   * - rule "log-n": max(1, ln(p + offset + 1) / ln(length))
   * - rule "log": 1 + factor · ln(max(1, (p + offset + 1) / length))
   * @param options Positions and `temperature`; `out` receives the result.
   * @returns Shape [T], one factor for each position, float32; `out` if it was given.
   * @throws {PosencError} `invalid-argument` or `out-of-range` if positions or `temperature` are invalid; `shape-mismatch` if
   * `out` has other dims.
   */
  queryTemperature<Out extends InputTensor | undefined = undefined>(
    options: At & { temperature: Temperature } & OutOption<Out>,
  ): ResultIn<Out, Tensor> {
    return part(this.core, "attention").queryTemperature(this.core, options) as never;
  }

  /**
   * Returns the dot products of all pairs of rows of a table, ⟨row i, row j⟩.
   *
   * @param table Shape [T, D], such as `encoding.table({ length })`.
   * @param options `out` receives the result.
   * @returns Shape [T, T], float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch` if the table does not have two dims or `out` has other dims; `invalid-argument`,
   * `out-of-memory`.
   */
  similarity<Out extends InputTensor | undefined = undefined>(
    table: InputTensor,
    options: OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return part(this.core, "attention").similarity(
      this.core,
      table,
      readOptions(options, { out: tensor }).out,
    ) as never;
  }

  /**
   * Returns how an attention score changes with the distance between query and key, from 0 to `maxDistance`.
   *
   * - Tables: ⟨PE(0), PE(δ)⟩.
   * - Rotations: the score of equal vectors, a² · mean cos(δ θ_k) with a the attention factor, including the decay of xPos. With
   *   several axes the key is δ away on each axis, in a grid of maxDistance + 1 cells per axis.
   * - Biases: the bias of each head.
   * @param encoding A table, rotation or bias.
   * @param options `maxDistance`, at most 16777216; `out` receives the result.
   * @returns Shape [maxDistance + 1], or [heads, maxDistance + 1] for biases, float32; `out` if it was given.
   * @throws {PosencError} `unsupported` for relative encodings, whose scores depend on q and k, and for tables and biases of
   * grids; `out-of-range` if a table has fewer rows; `invalid-argument` or `shape-mismatch` if an option is invalid; `disposed`.
   */
  distanceProfile<Out extends InputTensor | undefined = undefined>(
    encoding: Encoding<any>,
    options: { maxDistance: number } & OutOption<Out>,
  ): ResultIn<Out, Tensor> {
    const { maxDistance, out } = readOptions(options, profileOptions);
    return part(this.core, "attention").distanceProfile(this.core, encoding, maxDistance, out) as never;
  }

  /**
   * Splits the scores (x + e)ᵀ Wqᵀ Wk (x + e) into content and position terms, with e the rows of the table.
   *
   * The scores are not divided by √P. They are the products of row i of the queries with row j of the keys.
   * @param x Features of tokens, shape [T, D].
   * @param table Features of their positions, shape [T, D].
   * @param wq Query weights, shape [P, D].
   * @param wk Key weights, shape [P, D].
   * @returns Four tensors of shape [T, T], float32: `contentContent`, `contentPosition`, `positionContent`, `positionPosition`.
   * @throws {PosencError} `shape-mismatch` if dims do not fit together; `invalid-argument`, `out-of-memory`.
   */
  scoreTerms(x: InputTensor, table: InputTensor, wq: InputTensor, wk: InputTensor): ScoreTerms {
    return part(this.core, "attention").scoreTerms(this.core, x, table, wq, wk);
  }
}
