// Six biases over the same distances, and the weights that equal scores get from them.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { alike, type ProfileSettings } from "./settings.ts";

export const profileHeads = 8;
/** What the one hidden unit of FIRE is multiplied by. */
export const fireScale = 8;
const fireLength = 64;
const buckets = 32;

export const names = ["alibi", "power", "log", "t5", "sandwich", "fire"] as const;
export type ProfileName = (typeof names)[number];

const kerple = (pe: Posenc, settings: ProfileSettings, form: "log" | "power") => {
  const { amplitude, rate, exponent } = settings;
  const shape = form === "log" ? { rate: [rate] } : { exponent: [exponent] };
  return pe.create({ kind: "kerple", heads: 1, form, amplitude: [amplitude], ...shape });
};

/** A table as training might have left it: what KERPLE's logarithm has at the nearest distance of each bucket. */
function tableLikeLogarithm(pe: Posenc, settings: ProfileSettings, bucketOf: ArrayLike<number>): Float32Array {
  const nearest = Array.from({ length: buckets }, () => 0);
  for (let distance = bucketOf.length - 1; distance >= 0; distance -= 1) nearest[bucketOf[distance]] = distance;
  const log = withEncoding(kerple(pe, settings, "log"), (one) =>
    pe.distanceProfile(one, { maxDistance: bucketOf.length - 1 }),
  );
  return Float32Array.from(nearest, (distance) => log.data[distance]);
}

function t5(pe: Posenc, settings: ProfileSettings) {
  const encoding = pe.create({ kind: "t5", heads: 1, buckets, bidirectional: false });
  const past = 256;
  // The one query stands behind all keys: the last key is at distance 0.
  const bucketOf = encoding.buckets({ queries: 1, keys: past }).data.toReversed();
  encoding.load(tableLikeLogarithm(pe, settings, bucketOf));
  return encoding;
}

function make(pe: Posenc, name: ProfileName, settings: ProfileSettings) {
  switch (name) {
    case "alibi": {
      const slopes = withEncoding(pe.create({ kind: "alibi", heads: profileHeads }), (all) => all.slopes.slice());
      return pe.create({ kind: "alibi", heads: 1, slopes: [slopes[settings.head - 1]] });
    }
    case "power":
    case "log":
      return kerple(pe, settings, name);
    case "t5":
      return t5(pe, settings);
    case "sandwich":
      return pe.create({ kind: "sandwich", heads: profileHeads });
    case "fire":
      return pe.create({
        ...{ kind: "fire", heads: 1, width: 1, length: fireLength, c: [0.1], lengthFactor: [1] },
        ...{ inputWeights: [1], inputBias: [0], outputWeights: [-fireScale], outputBias: [0] },
      });
  }
}

/** The farthest key that a query has before it: FIRE alone asks where the query stands. */
const reachOf = (name: ProfileName, { range, query }: ProfileSettings) =>
  name === "fire" ? Math.min(range, query) : range;

/** The bias at each distance from 0, or the weight when all scores are equal. */
export function profile(pe: Posenc, name: ProfileName, settings: ProfileSettings): Float32Array {
  const keys = reachOf(name, settings) + 1;
  const offset = name === "fire" ? settings.query - keys + 1 : 0;
  return withEncoding(make(pe, name, settings), (encoding) => {
    const { heads } = encoding;
    const head = heads > 1 ? settings.head - 1 : 0;
    const { data } =
      settings.show === "bias"
        ? encoding.bias({
            ...{ queries: 1, keys, offset: offset + keys - 1 },
            keyPositions: Int32Array.from({ length: keys }, (_, key) => offset + key),
          })
        : pe.attentionWeights(alike(heads, 1), alike(heads, keys), { encoding, at: { offset } });
    return data.slice(head * keys, (head + 1) * keys).reverse();
  });
}
