// Axial RoPE over patches: Heo et al. 2024 (arXiv:2403.13298), eq. 9; coordinates as in EVA-02 and DINOv3.
import type { Spec } from "../../base/specs.gen.js";
import { matchFrequencies, plainNumber } from "./match.js";
import type { Pairing } from "./pairing.js";

/** Cells in rows and columns, and the axis that each pair rotates by. */
export interface Grid {
  readonly height: number;
  readonly width: number;
  readonly axes: readonly ("y" | "x")[];
  /** Spec of the rule, if one fits. */
  readonly spec?: Spec;
}

/** Patches and how each pair rotates over them. */
export interface Patches extends Grid {
  /** Radians between neighbouring patches along the axis of each pair, [pairs]. */
  readonly frequencies: ArrayLike<number>;
  /** Angles of the first patch. */
  readonly first: ArrayLike<number>;
  readonly pairing: Pairing;
}

const tolerance = 1e-4;
/** Whether two angles are equal modulo 2π. */
const isSameAngle = (a: number, b: number): boolean => Math.abs(Math.sin((a - b) / 2)) < tolerance;

interface Coordinates {
  readonly form: "index" | "endpoints" | "centres";
  /** Distance between neighbours, and the first coordinate. */
  readonly step: (cells: number) => number;
  readonly first: (cells: number) => number;
}
const all: readonly Coordinates[] = [
  { form: "index", step: () => 1, first: () => 0 },
  { form: "centres", step: (cells) => 2 / cells, first: (cells) => 1 / cells - 1 },
  { form: "endpoints", step: (cells) => 2 / (cells - 1), first: () => -1 },
];

/** Returns the spec of a rotation over patches; undefined: it follows no known rule. */
export function axialSpec({ height, width, axes, frequencies, first, pairing }: Patches): Spec | undefined {
  const count = axes.length / 2;
  const inBlocks = axes.every((axis, pair) => axis === axes[pair < count ? 0 : axes.length - 1]);
  if (!inBlocks || !Number.isInteger(count) || axes[0] === axes.at(-1)) return undefined;
  const cells = (axis: "y" | "x" | undefined): number => (axis === "y" ? height : width);
  const block = Array.from({ length: count }, (_, k) => frequencies[k]!);
  const match = matchFrequencies(
    block.map((frequency) => frequency / block[0]!),
    tolerance,
  );
  if (match?.spec.kind !== "rope") return undefined;
  const { base = 10000 } = match.spec;
  for (const { form, step, first: start } of all) {
    const scale = plainScale(block[0]! / step(cells(axes[0])));
    const fits = axes.every((axis, pair) => {
      const frequency = scale * base ** (-(pair % count) / count);
      const isStep = Math.abs((frequency * step(cells(axis))) / frequencies[pair]! - 1) < tolerance * 10;
      return isStep && isSameAngle(frequency * start(cells(axis)), first[pair]!);
    });
    if (!fits) continue;
    const order = axes[0] === "x" ? { axisOrder: [1, 0] } : {};
    const coordinates = form === "index" ? {} : { coordinates: form };
    return {
      kind: "rope-axial",
      dim: 2 * axes.length,
      base,
      ...(pairing === "interleaved" && { pairing }),
      ...order,
      ...coordinates,
      ...(scale !== 1 && { scale }),
    } as Spec;
  }
  return undefined;
}

/** Returns a factor with few digits, or as a multiple of π with few digits. */
function plainScale(scale: number): number {
  const multiple = plainNumber(scale / Math.PI, tolerance);
  return String(multiple).length <= 3 ? multiple * Math.PI : plainNumber(scale, tolerance);
}
