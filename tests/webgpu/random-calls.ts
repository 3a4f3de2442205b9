// Random calls of rotations and biases, on the GPU and in the core.
import type { BiasEncoding, RotaryEncoding } from "posenc";
import { randomTensor, range, type PlainTensor } from "../js/helpers/numbers";
import { Random } from "../js/helpers/random-spec";
import { loosely, pe } from "../js/helpers/library";

export interface RotationCall {
  at: Record<string, unknown>;
  x: PlainTensor;
}

function randomPositions(
  encoding: RotaryEncoding,
  random: Random,
  rows: number,
  count: number,
): Record<string, unknown> {
  const { axes } = encoding;
  if (axes > 1 && random.chance(0.5)) {
    const grid = [count, ...range(axes - 1).map(() => 1)];
    return { grid };
  }
  const given = range((random.chance(0.5) ? rows : 1) * count);
  const near = () => random.whole(0, 40);
  if (axes > 1) return { positions: range(axes).map(() => given.map(near)), grid: range(axes).map(() => 64) };
  // xPos overflows far away.
  const far = encoding.kind === "xpos" ? 100 : 2 ** random.whole(1, 31);
  if (random.chance(0.5)) return { offset: random.chance(0.5) ? random.whole(0, far) : random.between(-far, far) };
  return { positions: given.map(() => (random.chance(0.7) ? random.whole(0, far) : random.between(-far, far))) };
}

/** Where and how x turns, whatever the spec. */
export function rotationCall(encoding: RotaryEncoding, random: Random): RotationCall {
  const [batch, heads, count] = [random.whole(1, 3), random.whole(1, 4), random.whole(1, 6)];
  const layout = random.pick(["bhtd", "bthd"]);
  const direction = random.pick([{}, {}, { inverse: true }, { transpose: true }]);
  const role = encoding.kind === "xpos" ? { role: random.pick(["query", "key"]) } : {};
  const sequence =
    encoding.kind === "xpos" ? { sequenceLength: 100 } : random.chance(0.5) ? { sequenceLength: 5000 } : {};
  const dims = layout === "bhtd" ? [batch, heads, count] : [batch, count, heads];
  return {
    at: { ...randomPositions(encoding, random, batch, count), layout, ...direction, ...role, ...sequence },
    x: randomTensor([...dims, encoding.dim], random.whole(1, 1e6)),
  };
}

/** How many queries and keys of a bias, and what hides them. */
export function biasCall(encoding: BiasEncoding, random: Random): Record<string, unknown> {
  const { windowHeight, windowWidth, classToken } = loosely(encoding.spec);
  if (windowHeight !== undefined) {
    const cells = windowHeight * windowWidth + (classToken === true ? 1 : 0);
    return { queries: cells, keys: cells };
  }
  const [queries, keys] = [random.whole(1, 9), random.whole(1, 9)];
  const offset = random.chance(0.3) ? { offset: random.whole(0, 20) } : {};
  const hidden = random.chance(0.2) ? { attentionMask: range(keys).map(() => random.chance(0.7)) } : {};
  return { queries, keys, ...offset, ...hidden };
}

export const asFloat16 = (x: PlainTensor) => pe.toFloat16(x);
