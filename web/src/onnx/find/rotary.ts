// Rotations in a graph whose cosines and sines are computed.
import type { OwnedFloat64Array } from "../../base/types.js";
import { putInto, type Constant, type Flow, type Step, type Value } from "../read/flow.js";
import type { Grid } from "./axial.js";
import { AngleFinder, angleTypeOf, type Angles } from "./angles.js";
import { areShares, coordinateCount } from "./coordinates.js";
import { combinationOf } from "./combination.js";
import { pairingOf, type Pairing } from "./pairing.js";
import { positionsOf, type Positions } from "./positions.js";
import { sectionsOf, type Sections } from "./sections.js";
import { sourceConstant, formOps, makerOf, scalarOf } from "../read/trace.js";
import type { DataType, Files } from "../read/values.js";

/** A rotation as it was found. `users` determines the layers that use it. */
export interface FoundRotation {
  readonly form: "frequencies" | "tables" | "cache";
  readonly frequencies: OwnedFloat64Array;
  readonly attentionFactor: number;
  readonly pairing?: Pairing;
  /** Number of coordinates with separate features, if there are several. Such a rotation cannot be changed. */
  readonly axes?: number;
  /** Sections of M-RoPE. */
  readonly sections?: Sections;
  readonly rows?: number;
  /** For patches: their grid, and the axis of each pair. Such a rotation cannot be changed. */
  readonly grid?: Grid;
  /** Dtype of the stored values. */
  readonly type: DataType;
  /** Largest difference of a table from the exact cosines and sines of its frequencies. */
  readonly tableError?: number;
  readonly constants: readonly Constant[];
  readonly steps: readonly Step[];
  readonly users: readonly Value[];
  /** Equal rotations that layers compute again. */
  readonly twins?: readonly FoundRotation[];
  /** Whether cosines and sines are added to features: they are sinusoids, not a rotation. */
  readonly isAdded?: boolean;
  readonly parts: RotaryParts;
}

/** Returns a rotation and all equal ones. */
export const withTwins = (found: FoundRotation): readonly FoundRotation[] => [found, ...(found.twins ?? [])];

/** Values that change for another rotation. */
export type RotaryParts =
  | {
      readonly form: "frequencies";
      /** The constant, or a value that a step computes from constants. */
      readonly value: Value;
      readonly product: Step;
      /** Factor of its elements. */
      readonly scale: number;
      /** Whether positions are divided by its elements. */
      readonly isInverse: boolean;
      /** TensorProto.DataType of the angles. */
      readonly angleType: number;
      readonly cos: Step;
      readonly sin: Step;
      /** Products of cosines and sines with a scalar. */
      readonly factors: readonly Step[];
    }
  | {
      readonly form: "tables";
      readonly cos: Value;
      /** Equal to `cos` if one table has both. */
      readonly sin: Value;
      /** Layout of one table with both: halves of a row, or alternating cosine and sine of each pair. */
      readonly layout: "cos-sin" | "sin-cos" | "pairs" | undefined;
      readonly repeated: "half" | "interleaved" | undefined;
      /** Factor by which an operator multiplies the rows. Default 1. */
      readonly scale?: number;
      /** Index of its first row in the tables, if several are stacked. */
      readonly first: number;
      /** Whether the graph uses all rows at once, so that their number is fixed. */
      readonly isWhole: boolean;
    };

/** Returns the scalar factor of some values, and the values after it. */
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

/** A cosine, its angles and the sine of the same angles. */
interface CosSin {
  readonly cos: Step;
  readonly sin: Step;
  readonly angles: Angles;
}

/** Pairs cosines and sines of the same angles in order. Cosines without a separate sine share the last one. */
async function cosSinOf(flow: Flow, files: Files): Promise<CosSin[]> {
  const finder = new AngleFinder(files);
  const cosines: (readonly [Step, Angles])[] = [];
  const sines = new Map<Step, Step[]>();
  for (const step of flow.steps) {
    const isCos = step.op === "Cos";
    if ((!isCos && step.op !== "Sin") || step.node.domain !== "") continue;
    const angles = await finder.of(step);
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

/** Computes frequencies. Steps with the same elements and scale share an array. */
class Scaled {
  private readonly known = new Map<Value, Map<number, OwnedFloat64Array>>();

  of({ value, numbers, scale, isInverse }: Angles): OwnedFloat64Array {
    const byScale = this.known.get(value) ?? new Map<number, OwnedFloat64Array>();
    const scaled = byScale.get(scale) ?? numbers.map((number) => scale * (isInverse ? 1 / number : number));
    this.known.set(value, byScale.set(scale, scaled));
    return scaled;
  }
}

/** Finds Cos and Sin of position · frequency that multiply features, or that are added to features by position. */
export async function* computedRotations(flow: Flow, files: Files): AsyncGenerator<FoundRotation> {
  const known = new Scaled();
  const positions = positionsOf(flow, files);
  for (const { cos, sin, angles } of await cosSinOf(flow, files)) {
    const [attentionFactor, users, steps] = await scaled(files, cos.outs);
    const [, sineUsers, sineSteps] = await scaled(files, sin.outs);
    const combination = combinationOf([...users, ...sineUsers]);
    const isAdded = combination === "sum";
    if (!combination || (isAdded && !(await areAdded(positionsIn(angles), positions)))) continue;
    const pairing = await pairingOf(files, sineUsers);
    const frequencies = known.of(angles);
    const sections = isAdded ? undefined : await sectionsOf(cos, frequencies.length, files);
    const { product, value, scale, isInverse } = angles;
    const axes = await coordinateCount(positionsIn(angles), files);
    yield {
      form: "frequencies",
      frequencies: axes > 1 ? repeated(frequencies, axes) : frequencies,
      ...(axes > 1 && { axes }),
      attentionFactor,
      ...(pairing && { pairing }),
      ...(sections && { sections }),
      type: angles.type,
      constants: value.constant ? [value.constant] : [],
      steps: [product, cos, sin, ...steps, ...sineSteps],
      users: [...users, ...sineUsers],
      isAdded,
      parts: {
        form: "frequencies",
        ...{ value, product, scale, isInverse, cos, sin },
        angleType: angleTypeOf(cos.ins[0], angles),
        factors: [...steps, ...sineSteps],
      },
    };
  }
}

/**
 * Whether sinusoids depend on the position: time steps of a diffusion model are equal for all tokens, and coordinates
 * of an image are not counted in tokens.
 */
const areAdded = async (values: Value | undefined, positions: Positions): Promise<boolean> =>
  (await positions.originOf(values)) === "position" && !areShares(values);

/** Returns the factor that has the positions. */
const positionsIn = ({ product, value }: Angles): Value | undefined =>
  product.ins
    .slice(0, 2)
    .find(
      (factor) => factor !== value && makerOf(factor)?.outs[0] !== value && sourceConstant(factor)?.value !== value,
    );

const repeated = (frequencies: OwnedFloat64Array, times: number): OwnedFloat64Array =>
  Float64Array.from({ length: frequencies.length * times }, (_, i) => frequencies[i % frequencies.length]!);
