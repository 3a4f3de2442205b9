// Rotations in a graph whose cosines and sines are computed.
import type { OwnedFloat64Array } from "../base/types.js";
import { attributeOf, putInto, type Constant, type Flow, type Step, type Value } from "./flow.js";
import { makerOf, constantBehind, formOps, forward, meetingOf, scalarOf, backward, type Arrival } from "./trace.js";
import { countOf, isFloat, typeOf, type DataType, type Files } from "./values.js";

/** A rotation as it was found; which layers use it is told by `users`. */
export interface FoundRotation {
  readonly form: "frequencies" | "tables" | "cache";
  readonly frequencies: OwnedFloat64Array;
  readonly attentionFactor: number;
  readonly pairing?: "half" | "interleaved";
  readonly rows?: number;
  /** Of the numbers as they are stored. */
  readonly type: DataType;
  /** Largest difference of a table from the exact waves of its frequencies. */
  readonly tableError?: number;
  readonly constants: readonly Constant[];
  readonly steps: readonly Step[];
  readonly users: readonly Value[];
  /** Waves that features meet in a sum are sinusoids, and no rotation. */
  readonly isAdded?: boolean;
  readonly parts: RotaryParts;
}

/** What has to change for other numbers. */
export type RotaryParts =
  | {
      readonly form: "frequencies";
      /** The constant. */
      readonly value: Value;
      readonly product: Step;
      /** What the constant's numbers are multiplied by. */
      readonly scale: number;
      /** TensorProto.DataType of the angles. */
      readonly angleType: number;
      readonly cos: Step;
      readonly sin: Step;
      /** Products with a scalar on the way of cos, and of sin. */
      readonly factors: readonly Step[];
    }
  | {
      readonly form: "tables";
      readonly cos: Value;
      /** The same where one table has both. */
      readonly sin: Value;
      readonly layout: "cos-sin" | "sin-cos" | undefined;
      readonly repeated: "half" | "interleaved" | undefined;
      /** Which rows of the tables these are; of all, where no others are stacked. */
      readonly first: number;
    };

/** The product that makes angles of positions and frequencies. */
interface Angles {
  readonly product: Step;
  readonly frequencies: Arrival;
  readonly scale: Constant | undefined;
}

/** Maximum number of frequencies of a rotation. */
const mostPairs = 8192;
/** Maximum number of steps between the product and the cosine. */
const mostSteps = 64;

function anglesOf(value: Value | undefined): Angles | undefined {
  let maker = makerOf(value);
  let scale: Constant | undefined;
  for (let i = 0; i < 3 && maker; i++) {
    if (!["MatMul", "Mul", "Einsum", "Gemm"].includes(maker.op)) return undefined;
    const [first, second] = maker.ins.slice(0, 2).map((one) => constantBehind(one));
    const at = first ? 0 : 1;
    const frequencies = first ?? second;
    if (!frequencies || (first && second) || maker.ins[1 - at] === undefined) return undefined;
    if (countOf(frequencies.constant.tensor) > 1) return { product: maker, frequencies, scale };
    scale = frequencies.constant;
    maker = makerOf(maker.ins[1 - at]);
  }
  return undefined;
}

/** After the last cast before the cosine; else what the product is made of. */
function angleTypeOf(value: Value | undefined, { product, frequencies }: Angles): number {
  let at = value;
  for (let left = mostSteps; left > 0 && at?.maker && at.maker !== product; left--, at = at.maker.ins[0]) {
    const to = at.maker.op === "Cast" ? attributeOf(at.maker.node, "to")?.i : undefined;
    if (to !== undefined) return to;
  }
  return frequencies.type;
}

/** What a scalar multiplies some values by before they are used, and the values then. */
async function scaled(
  files: Files,
  values: readonly Value[],
): Promise<[factor: number, values: Value[], steps: Step[]]> {
  let factor = 1;
  let at = [...values];
  const steps: Step[] = [];
  for (let i = 0; i < 4; i++) {
    const users = at.flatMap((value) => value.users);
    const [only] = users;
    if (users.length !== 1 || !only) break;
    if (only.op === "Mul") {
      const scalar = only.ins.map(scalarOf).find((constant) => constant);
      const number = scalar && (await files.numbers(scalar))?.[0];
      if (number === undefined) break;
      factor *= number;
      steps.push(only);
    } else if (!formOps.has(only.op)) break;
    at = [...only.outs];
  }
  return [factor, at, steps];
}

/** Maximum numbers of products that are examined, and of values that are visited to find them. */
const mostProducts = 9;
const mostFollowed = 400;

/** Which features make a pair: neighbours where the rotated features are taken in steps of two. */
export async function pairingOf(files: Files, users: readonly Value[]): Promise<"half" | "interleaved" | undefined> {
  const products: Step[] = [];
  forward(
    users,
    (step) => {
      if (step.op === "Mul" && products.length < mostProducts) products.push(step);
      return step.op === "Mul" || products.length === mostProducts;
    },
    mostFollowed,
  );
  for (const product of products) {
    const slices: Step[] = [];
    for (const value of product.ins)
      if (value && !users.includes(value))
        backward(
          value,
          ({ maker }) => {
            if (maker && (maker.op === "Slice" || maker.op === "Split")) slices.push(maker);
            return !maker || ["MatMul", "Gemm", "LayerNormalization", "Slice", "Split", "Add"].includes(maker.op);
          },
          24,
        );
    for (const slice of slices) {
      if (slice.op === "Split") return "half";
      const steps = slice.ins[4]?.constant;
      const numbers = steps && (await files.numbers(steps));
      if (numbers) return numbers.includes(2) ? "interleaved" : "half";
    }
    if (slices.length > 0) return "half";
  }
  return undefined;
}

/** A cosine, its angles and the sine of the same angles. */
interface Waves {
  readonly cos: Step;
  readonly sin: Step;
  readonly angles: Angles;
}

/** Pairs cosines and sines of the same angles in order; cosines without a sine of their own share the last one. */
function wavesOf(flow: Flow): Waves[] {
  const cosines: (readonly [Step, Angles])[] = [];
  const sines = new Map<Step, Step[]>();
  for (const step of flow.steps) {
    const isCos = step.op === "Cos";
    if ((!isCos && step.op !== "Sin") || step.node.domain !== "") continue;
    const angles = anglesOf(step.ins[0]);
    if (angles && isCos) cosines.push([step, angles]);
    else if (angles) putInto(sines, angles.product, step);
  }
  const taken = new Map<Step, number>();
  return cosines.flatMap(([cos, angles]) => {
    const list = sines.get(angles.product);
    const index = taken.get(angles.product) ?? 0;
    taken.set(angles.product, index + 1);
    return list ? [{ cos, sin: list[index] ?? list.at(-1)!, angles }] : [];
  });
}

/** Scaled frequencies of constants. Steps with the same constant and scale share an array. */
class Scaled {
  private readonly known = new Map<Constant, Map<number, OwnedFloat64Array>>();

  of(constant: Constant, numbers: OwnedFloat64Array, scale: number): OwnedFloat64Array {
    const byScale = this.known.get(constant) ?? new Map<number, OwnedFloat64Array>();
    const scaled = byScale.get(scale) ?? numbers.map((number) => number * scale);
    this.known.set(constant, byScale.set(scale, scaled));
    return scaled;
  }
}

/** Cos and Sin of position · frequency. */
export async function* computedRotations(flow: Flow, files: Files): AsyncGenerator<FoundRotation> {
  const known = new Scaled();
  for (const { cos, sin, angles } of wavesOf(flow)) {
    const { constant } = angles.frequencies;
    const type = typeOf(constant.tensor);
    const numbers = await files.numbers(constant);
    if (!type || !isFloat(type) || !numbers || numbers.length > mostPairs) continue;
    const scale = angles.scale ? ((await files.numbers(angles.scale))?.[0] ?? 1) : 1;
    const [attentionFactor, users, steps] = await scaled(files, cos.outs);
    const [, sineUsers, sineSteps] = await scaled(files, sin.outs);
    const pairing = await pairingOf(files, sineUsers);
    yield {
      form: "frequencies",
      frequencies: known.of(constant, numbers, scale),
      attentionFactor,
      ...(pairing && { pairing }),
      type,
      constants: [constant],
      steps: [angles.product, cos, sin, ...steps, ...sineSteps],
      users: [...users, ...sineUsers],
      isAdded: meetingOf(users) === "sum",
      parts: {
        form: "frequencies",
        value: angles.frequencies.value,
        product: angles.product,
        scale,
        angleType: angleTypeOf(cos.ins[0], angles),
        cos,
        sin,
        factors: [...steps, ...sineSteps],
      },
    };
  }
}
