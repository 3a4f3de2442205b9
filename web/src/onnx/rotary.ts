// Rotations in a graph whose cosines and sines are computed.
import { attributeOf, type Constant, type Flow, type Step, type Value } from "./flow.js";
import { makerOf, constantBehind, formOps, forward, meetingOf, scalarOf, backward, type Arrival } from "./trace.js";
import { countOf, isFloat, typeOf, type DataType, type Files } from "./values.js";

/** A rotation as it was found; which layers use it is told by `users`. */
export interface FoundRotation {
  readonly form: "frequencies" | "tables" | "cache";
  readonly frequencies: Float64Array;
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

function anglesOf(value: Value | undefined): Angles | undefined {
  let maker = makerOf(value);
  let scale: Constant | undefined;
  for (let i = 0; i < 3 && maker; i++) {
    if (!["MatMul", "Mul", "Einsum", "Gemm"].includes(maker.op)) return undefined;
    const arrivals = maker.ins.map((one) => constantBehind(one));
    const at = arrivals.findIndex((arrival) => arrival !== undefined);
    if (at < 0 || maker.ins.length < 2) return undefined;
    const frequencies = arrivals[at]!;
    if (arrivals[1 - at] || maker.ins[1 - at] === undefined) return undefined;
    if (countOf(frequencies.constant.tensor) > 1) return { product: maker, frequencies, scale };
    scale = frequencies.constant;
    maker = makerOf(maker.ins[1 - at]);
  }
  return undefined;
}

/** After the last cast before the cosine; else what the product is made of. */
function angleTypeOf(value: Value | undefined, { product, frequencies }: Angles): number {
  for (let at = value; at?.maker && at.maker !== product; at = at.maker.ins[0]) {
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

/** Which features make a pair: neighbours where the rotated features are taken in steps of two. */
export async function pairingOf(files: Files, users: readonly Value[]): Promise<"half" | "interleaved" | undefined> {
  const products: Step[] = [];
  forward(users, (step) => {
    if (step.op === "Mul") products.push(step);
    return step.op === "Mul" || products.length > 8;
  });
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

/** Cos and Sin of position · frequency. */
export async function* computedRotations(flow: Flow, files: Files): AsyncGenerator<FoundRotation> {
  for (const cos of flow.steps) {
    const angles =
      cos.op === "Cos" && cos.node.domain === "" && cos.outs.length === 1 ? anglesOf(cos.ins[0]) : undefined;
    if (!angles) continue;
    const isSine = (step: Step): boolean =>
      step.op === "Sin" &&
      step.outs.length === 1 &&
      (step.ins[0] === cos.ins[0] || anglesOf(step.ins[0])?.product === angles.product);
    const sine = flow.steps.find(isSine);
    const { constant } = angles.frequencies;
    const type = typeOf(constant.tensor);
    const frequencies = await files.numbers(constant);
    if (!sine || !type || !isFloat(type) || !frequencies) continue;
    const scale = angles.scale ? ((await files.numbers(angles.scale))?.[0] ?? 1) : 1;
    const [attentionFactor, users, steps] = await scaled(files, cos.outs);
    const [, sineUsers, sineSteps] = await scaled(files, sine.outs);
    const pairing = await pairingOf(files, sineUsers);
    yield {
      form: "frequencies",
      frequencies: frequencies.map((frequency) => frequency * scale),
      attentionFactor,
      ...(pairing && { pairing }),
      type,
      constants: [constant],
      steps: [angles.product, cos, sine, ...steps, ...sineSteps],
      users: [...users, ...sineUsers],
      isAdded: meetingOf(users) === "sum",
      parts: {
        form: "frequencies",
        value: angles.frequencies.value,
        product: angles.product,
        scale,
        angleType: angleTypeOf(cos.ins[0], angles),
        cos,
        sin: sine,
        factors: [...steps, ...sineSteps],
      },
    };
  }
}
