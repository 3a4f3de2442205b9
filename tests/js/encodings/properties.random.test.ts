// The properties of each family, for hundreds of random specs of every kind. What a kind does otherwise stands in one of
// the lists below, with the reason; a kind that is not listed must hold to all of it.
import { describe, it } from "vitest";
import type { Description } from "posenc";
import { createAny, descriptions } from "../helpers/library";
import type { Spec } from "../helpers/library";
import { Random, randomSpecs } from "../helpers/random-spec";
import { checkBias } from "../helpers/random-bias";
import { checkRelative } from "../helpers/random-relative";
import { checkRotation } from "../helpers/random-rotation";
import { checkTable } from "../helpers/random-table";

const SPECS_PER_KIND = 200;

const checks: Record<string, (encoding: any, spec: Spec, random: Random) => void> = {
  table: checkTable,
  rotary: checkRotation,
  bias: checkBias,
  relative: checkRelative,
};

function checkAll(description: Description) {
  const specs = randomSpecs(description, SPECS_PER_KIND, 7);
  specs.forEach((spec, index) => {
    const encoding = createAny(spec) as { dispose(): void };
    try {
      checks[description.family]!(encoding, spec, new Random(index + 1));
    } catch (error) {
      throw new Error(`${JSON.stringify(spec)}: ${(error as Error).message}`, { cause: error });
    } finally {
      encoding.dispose();
    }
  });
}

describe(`${SPECS_PER_KIND} random specs of each kind`, () => {
  it.each(descriptions.map((description) => [description.kind, description] as const))("%s", (_, description) =>
    checkAll(description),
  );
});
