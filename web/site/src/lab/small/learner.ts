// A small decoder: attention in layers, each beside a residual, and nothing else. It predicts symbols and learns.
import type { Posenc } from "../../lib/engine.svelte.ts";
import { randomNumbers } from "../../lib/random.ts";
import { addInto } from "../linear.ts";
import { makePlaces, type EncodingName, type Places, type Sizes } from "./places.ts";
import { normalized, normalizedBack, Weights } from "./weights.ts";

/** Symbols [texts, length], and what is to come out after each; -1 where nothing is asked. */
export interface Batch {
  texts: number;
  length: number;
  symbols: Int32Array;
  wanted: Int32Array;
}

export interface LearnerSpec extends Sizes {
  encoding: EncodingName;
  /** Different symbols; an even number. */
  symbols: number;
  seed: number;
}

interface Layer {
  q: Weights;
  k: Weights;
  v: Weights;
  out: Weights;
}

/** What a layer saw, which its way back needs. */
interface Seen {
  entered: Float32Array;
  normal: Float32Array;
  q: Float32Array;
  k: Float32Array;
  v: Float32Array;
  mixed: Float32Array;
}

interface Read {
  seen: Seen[];
  last: Float32Array;
  normal: Float32Array;
  /** [texts · length, symbols] */
  scores: Float32Array;
}

export class Learner {
  readonly places: Places;
  readonly embedding: Weights;
  readonly unembedding: Weights;
  readonly layers: Layer[];
  private steps = 0;

  constructor(
    private readonly pe: Posenc,
    readonly spec: LearnerSpec,
  ) {
    const { width, symbols, seed, layers } = spec;
    const normal = randomNumbers(seed);
    const make = (outs: number, ins: number, deviation: number) =>
      new Weights(
        [outs, ins],
        Float32Array.from({ length: outs * ins }, () => normal() * deviation),
      );
    this.embedding = make(symbols, width, 1);
    this.unembedding = make(symbols, width, 1 / Math.sqrt(width));
    this.layers = Array.from({ length: layers }, () => {
      const one = () => make(width, width, 1 / Math.sqrt(width));
      return { q: one(), k: one(), v: one(), out: one() };
    });
    this.places = makePlaces(pe, spec.encoding, spec, seed);
  }

  get weights(): Weights[] {
    return [this.embedding, this.unembedding, ...this.layers.flatMap(({ q, k, v, out }) => [q, k, v, out])];
  }

  private tensor(data: Float32Array, { texts, length }: Batch) {
    const { heads, width } = this.spec;
    return { data, dims: [texts, length, heads, width / heads] };
  }

  private options(layer: number) {
    return { ...this.places.attention(layer), causal: true, layout: "bthd" as const };
  }

  read(batch: Batch): Read {
    const { width } = this.spec;
    const hidden = new Float32Array(batch.symbols.length * width);
    batch.symbols.forEach((symbol, place) =>
      hidden.set(this.embedding.values.subarray(symbol * width, (symbol + 1) * width), place * width),
    );
    this.places.addTo(hidden, batch.length);
    const seen = this.layers.map(({ q, k, v, out }, layer): Seen => {
      const entered = hidden.slice();
      const normal = normalized(entered, width);
      const [asks, answers, says] = [q.apply(normal), k.apply(normal), v.apply(normal)];
      const [a, b, c] = [asks, answers, says].map((data) => this.tensor(data, batch));
      const mixed = this.pe.attention(a, b, c, this.options(layer)).data;
      addInto(hidden, out.apply(mixed));
      return { entered, normal, q: asks, k: answers, v: says, mixed };
    });
    const normal = normalized(hidden, width);
    return { seen, last: hidden, normal, scores: this.unembedding.apply(normal) };
  }

  /** Adds up all gradients of the loss, from those of the scores. */
  private back(batch: Batch, { seen, last, normal }: Read, scores: Float32Array): void {
    const { width } = this.spec;
    const gradient = normalizedBack(last, this.unembedding.back(normal, scores), width);
    for (let layer = this.layers.length - 1; layer >= 0; layer -= 1) {
      const { q, k, v, out } = this.layers[layer];
      const was = seen[layer];
      const tensor = (data: Float32Array) => this.tensor(data, batch);
      const mixed = tensor(out.back(was.mixed, gradient));
      const back = this.pe.attentionBackward(tensor(was.q), tensor(was.k), tensor(was.v), mixed, this.options(layer));
      const entered = q.back(was.normal, back.q.data);
      addInto(entered, k.back(was.normal, back.k.data));
      addInto(entered, v.back(was.normal, back.v.data));
      addInto(gradient, normalizedBack(was.entered, entered, width));
    }
    this.places.tableBack(gradient, batch.length);
    batch.symbols.forEach((symbol, place) => {
      for (let i = 0; i < width; i += 1) this.embedding.gradient[symbol * width + i] += gradient[place * width + i];
    });
  }

  /** The mean loss in nats, with all gradients added up. */
  gradients(batch: Batch): number {
    const read = this.read(batch);
    const { loss, gradient } = judge(batch, read.scores, this.spec.symbols);
    this.back(batch, read, gradient);
    return loss;
  }

  /** One step on a batch; answers the loss before it. */
  learn(batch: Batch, learningRate: number): number {
    const loss = this.gradients(batch);
    this.steps += 1;
    for (const weights of this.weights) weights.step(learningRate, this.steps);
    this.places.step(learningRate);
    return loss;
  }

  /** The mean loss in nats. */
  loss(batch: Batch): number {
    return judge(batch, this.read(batch).scores, this.spec.symbols).loss;
  }

  /** Which part of the wanted symbols is expected most. */
  accuracy(batch: Batch): number {
    return judge(batch, this.read(batch).scores, this.spec.symbols).accuracy;
  }

  dispose(): void {
    this.places.dispose();
  }
}

interface Judgement {
  /** The mean in nats. */
  loss: number;
  gradient: Float32Array;
  /** The share that was right. */
  accuracy: number;
}

/** Compares scores with what was wanted. */
export function judge({ wanted }: Batch, scores: Float32Array, symbols: number): Judgement {
  const gradient = new Float32Array(scores.length);
  const asked = wanted.reduce((sum, symbol) => sum + (symbol < 0 ? 0 : 1), 0);
  let [loss, right] = [0, 0];
  wanted.forEach((symbol, place) => {
    if (symbol < 0) return;
    const row = scores.subarray(place * symbols, (place + 1) * symbols);
    let best = 0;
    for (let i = 1; i < symbols; i += 1) if (row[i] > row[best]) best = i;
    let sum = 0;
    for (let i = 0; i < symbols; i += 1) sum += Math.exp(row[i] - row[best]);
    for (let i = 0; i < symbols; i += 1)
      gradient[place * symbols + i] = (Math.exp(row[i] - row[best]) / sum - (i === symbol ? 1 : 0)) / asked;
    loss += (Math.log(sum) + row[best] - row[symbol]) / asked;
    right += best === symbol ? 1 : 0;
  });
  return { loss, gradient, accuracy: right / asked };
}
