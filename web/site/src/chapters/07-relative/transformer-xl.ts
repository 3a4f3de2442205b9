// Transformer-XL's score, taken apart by leaving out all but one of its terms.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { randomNumbers } from "../../lib/random.ts";

export const termNames = ["content", "place", "u", "v", "sum"] as const;
export type TermName = (typeof termNames)[number];

const dim = 16;

/** Every word has a vector of its own that stays when words are added before or after it. */
function vectors(from: number, count: number, seed: number) {
  const data = new Float32Array(count * dim);
  for (let index = 0; index < count; index += 1) {
    const normal = randomNumbers(seed + 1000 + from + index);
    data.set(Float32Array.from({ length: dim }, normal), index * dim);
  }
  return { data, dims: [1, 1, count, dim] };
}

const zeros = ({ data, dims }: ReturnType<typeof vectors>) => ({ data: new Float32Array(data.length), dims });

/** The four terms and their sum, as logits of encodings in which the rest is 0: [queries, memory + queries] each. */
export function scoreTerms(pe: Posenc, queries: number, memory: number): Record<TermName, Float32Array> {
  const q = vectors(0, queries, 0);
  const k = vectors(-memory, memory + queries, 50_000);
  const one = (seed: number, size: number, deviation: number) => {
    const normal = randomNumbers(seed);
    return Float32Array.from({ length: size }, () => deviation * normal());
  };
  const learned = { u: one(1, dim, 1), v: one(2, dim, 1), projection: one(3, dim * dim, 0.35) };
  const logits = (parts: Partial<typeof learned>, queriesGiven = q, keysGiven = k): Float32Array =>
    withEncoding(pe.create({ kind: "transformer-xl", dim, heads: 1, std: 0 }), (encoding) => {
      if (Object.keys(parts).length > 0) encoding.load(parts);
      return encoding.logits(queriesGiven, keysGiven).data;
    });
  const { u, v, projection } = learned;
  return {
    content: logits({}),
    place: logits({ projection }, q, zeros(k)),
    u: logits({ u }, zeros(q), k),
    v: logits({ v, projection }, zeros(q), zeros(k)),
    sum: logits(learned),
  };
}
