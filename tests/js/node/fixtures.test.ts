// The fixtures that native tests and engines share, and that this file writes anew:
// POSENC_RENEW=1 npx vitest run --config tests/js/vitest.config.ts --project node tests/js/node/fixtures.test.ts
import { readFileSync, writeFileSync } from "node:fs";
import type { Description, FieldDescription } from "posenc";
import { describe, expect, it } from "vitest";
import { digestText, howToRenew, specsIn } from "../../golden/digests.mjs";
import { descriptions, exampleSpec, pe } from "../helpers/library";
import type { Spec } from "../helpers/library";
import { randomSpecs } from "../helpers/random-spec";
import { worstText } from "../helpers/worst-positions";

const fileOf = (name: string) => new URL(`../../fixtures/${name}`, import.meta.url);

/** What the file holds, after it is written where that is asked for. */
function committed(name: string, make: () => string): string {
  if (process.env.POSENC_RENEW) writeFileSync(fileOf(name), make());
  return readFileSync(fileOf(name), "utf8");
}

it("worst-positions.txt holds what 256-bit arithmetic says", () => {
  const text = worstText();
  expect(committed("worst-positions.txt", () => text)).toBe(text);
});

/** Does a spec say something else than the field's default? */
const isGiven = (spec: Spec, { name, default: usual }: FieldDescription): boolean =>
  spec[name] !== undefined && JSON.stringify(spec[name]) !== JSON.stringify(usual);

/** Specs of a kind: those there are; of a new kind its example and random ones; for each field that all leave at its default one that does not. */
function specsOf(description: Description, known: Spec[]): Spec[] {
  const random = randomSpecs(description, 60, 20);
  const specs = known.length > 0 ? [...known] : [exampleSpec(description), ...random.slice(0, 6)];
  for (const field of description.fields)
    if (!specs.some((spec) => isGiven(spec, field)))
      specs.push(...random.filter((spec) => isGiven(spec, field)).slice(0, 1));
  return [...new Map(specs.map((spec) => [JSON.stringify(spec), spec])).values()];
}

/** The text anew. What stands in the file stays, so that its changes are those of the bits. */
function freshDigests(): string {
  const known = specsIn(readFileSync(fileOf("digests.txt"), "utf8")) as Spec[];
  const specs = descriptions.flatMap((description) =>
    specsOf(
      description,
      known.filter(({ kind }) => kind === description.kind),
    ),
  );
  return digestText(pe, specs);
}

describe("digests.txt", () => {
  const specs = specsIn(committed("digests.txt", freshDigests)) as Spec[];
  it.each(descriptions)("is about $kind: several specs, and each field", ({ kind, fields }) => {
    const own = specs.filter((spec) => spec.kind === kind);
    expect(own.length, `specs of ${kind}; ${howToRenew}`).toBeGreaterThan(1);
    expect(new Set(own.map((spec) => JSON.stringify(spec))).size, "the same spec twice").toBe(own.length);
    const missing = fields.filter((field) => !own.some((spec) => isGiven(spec, field)));
    expect(
      missing.map(({ name }) => name),
      `fields of ${kind} that all leave at their default; ${howToRenew}`,
    ).toEqual([]);
  });
});
