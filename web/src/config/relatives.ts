// Unknown model types: finds known types with the same name except for a version or an ending.
import { PosencError, show } from "../base/errors.js";
import { rotaryFacts, rotaryTypes } from "./model-types/table.js";

export const stemOf = (type: string): string => /^[a-z]*/i.exec(type)![0].toLowerCase();

/** "glm5v" and "new_glm" are named after "glm"; short stems must be whole words. */
const isNamedAfter = (words: readonly string[], stem: string): boolean =>
  words.some((word) => word === stem || (stem.length > 2 && word.startsWith(stem)));

const asText = (type: string): string => `${type}: ${show(rotaryFacts(type)!.pairing)}`;

/** Throws for an unknown type if a related type does not rotate halves: the new type's pairing cannot be guessed. */
export function checkRelatives(type: string): void {
  const words = type.toLowerCase().split(/[^a-z]+/);
  const relatives = rotaryTypes().filter((known) => isNamedAfter(words, stemOf(known)));
  const [others, halfPairing] = [false, true].map((isHalfPairing) =>
    relatives.filter((known) => (rotaryFacts(known)!.pairing === "half") === isHalfPairing),
  );
  if (others!.length === 0) return;
  const named = [...others!.slice(0, 4), ...halfPairing!.slice(0, 2)].map(asText).join(", ");
  throw new PosencError(
    "unsupported",
    `pairing: must be given for the unknown model type ${show(type)}, as related types differ from Llama (${named}); pass { pairing } as in the model's code`,
    "pairing",
  );
}
