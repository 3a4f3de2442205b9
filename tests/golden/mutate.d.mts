export interface Change {
  /** What is changed: `inputs.q`, `params.heads`. */
  what: string;
  /** Each makes the case with another change. */
  tries: (() => object)[];
}

/** The case with each output that is compared off by more than its tolerance, in one number. `random` gives 0 … 1. */
export function changedOutputs(json: object, random: () => number): object;

/** Each input with one number changed, in `tries` cases with different ones: some a mask may hide. */
export function changedInputs(json: object, random: () => number, tries: number): Change[];

/** Each number and truth value among the parameters changed, however deep it lies. */
export function changedParameters(json: object): Change[];
