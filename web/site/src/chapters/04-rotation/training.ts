// A linear layer that learns to move positions: its weights are a learned table of the library, trained with its Adam.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { largestDifference, products, transposed } from "../../lib/products.ts";
import { rowsAt, shiftMatrix } from "./rotation.ts";

export interface TrainingSettings {
  step: number;
  base: number;
  /** How many positions it is shown, from 0 on. */
  seen: number;
}

export interface Moment {
  steps: number;
  weights: Float32Array;
  /** Largest errors: at the positions it has seen, at 500 … 563, and of the weights themselves. */
  trained: number;
  far: number;
  distance: number;
}

export const dim = 8;
export const allSteps = 300;
/** A moment is kept after each so many steps. */
export const every = 5;
export const farFirst = 500;
const farCount = 64;
const [std, seed, rate] = [0.3, 1, 0.05];

const range = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

export function train(pe: Posenc, { step, base, seen }: TrainingSettings): { target: Float32Array; moments: Moment[] } {
  const encoding = { dim, base };
  const pairOf = (first: number, count: number) =>
    [rowsAt(pe, encoding, range(first, count)), rowsAt(pe, encoding, range(first + step, count))] as const;
  const [inputs, wanted] = pairOf(0, seen);
  const [farInputs, farWanted] = pairOf(farFirst, farCount);
  const target = shiftMatrix(pe, encoding, step);
  // The gradient of the mean square error is W · mean(x xᵀ) - mean(y xᵀ): both means are the same at every step.
  const columns = transposed(inputs, dim);
  const squares = products(pe, columns, columns, seen).map((value) => value / seen);
  const mixed = products(pe, transposed(wanted, dim), columns, seen).map((value) => value / seen);
  const moments: Moment[] = [];
  withEncoding(pe.create({ kind: "learned", length: dim, dim, std, seed }), (layer) => {
    for (let steps = 0; steps <= allSteps; steps += 1) {
      const weights = layer.weights.data.slice();
      if (steps % every === 0)
        moments.push({
          steps,
          weights,
          trained: largestDifference(products(pe, inputs, weights, dim), wanted),
          far: largestDifference(products(pe, farInputs, weights, dim), farWanted),
          distance: largestDifference(weights, target),
        });
      const gradient = products(pe, weights, squares, dim).map((value, index) => value - mixed[index]);
      layer.zeroGradients();
      layer.backward({ data: gradient, dims: [dim, dim] });
      layer.step({ optimizer: "adam", learningRate: rate * (1 - steps / allSteps) });
    }
  });
  return { target, moments };
}
