// What the core says of its kinds.
import type { Description } from "../base/description.js";
import { descriptions } from "./descriptions.gen.js";

/** Every kind of encoding: family, fields with type, default and range, formula (TeX), source. */
export const describe = (): Description[] => structuredClone(descriptions);

export const descriptionOf = (wanted: string): Description => descriptions.find(({ kind }) => kind === wanted)!;
