// The fixtures that native tests and engines share, and that this file writes anew:
// POSENC_RENEW=1 npx vitest run --config tests/js/vitest.config.ts --project node tests/js/node/fixtures.test.ts
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { digestText, specsIn } from "../../golden/digests.mjs";
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

/** Of each kind its example and random specs. Fields that are new since the file was written are not missed. */
const freshSpecs = () =>
  descriptions.flatMap((description) => {
    const specs = [exampleSpec(description), ...randomSpecs(description, 6, 20)];
    return [...new Set(specs.map((spec) => JSON.stringify(spec)))].map((text) => JSON.parse(text) as Spec);
  });

it("digests.txt is about every kind, and about more than its defaults", () => {
  const specs = specsIn(committed("digests.txt", () => digestText(pe, freshSpecs())));
  for (const { kind } of descriptions) {
    const own = specs.filter((spec) => spec.kind === kind);
    expect(own.length, kind).toBeGreaterThan(1);
    expect(new Set(own.map((spec) => JSON.stringify(spec))).size, kind).toBe(own.length);
  }
});
