// What a scaling rule makes of each pair: asked of `explain` and of the frequencies themselves.
import { explain } from "posenc/explain";
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { extendedLength, makeRule, plainRope, trainedLength, type Rule, type Scale } from "./scaling.ts";

/** New frequency by old one, for texts of the extended length. */
export function ratiosOf(pe: Posenc, rule: Rule, scale: Scale): Float64Array {
  const plain = withEncoding(plainRope(pe, scale), (rope) => rope.inverseFrequencies.slice());
  // One token more, so that a factor of 1 is a long text, too, for a rule with two lists.
  const length = extendedLength(scale) + 1;
  const scaled = withEncoding(makeRule(pe, rule, scale), (rope) => rope.frequenciesAt(length));
  return scaled.map((frequency, pair) => frequency / plain[pair]);
}

/** Tokens per turn before and after, and turns in training. */
export function wavesOf(pe: Posenc, rule: Rule, scale: Scale) {
  const contextLength = trainedLength(scale);
  const { wavelengths: plain, rotations: turns } = withEncoding(plainRope(pe, scale), (rope) =>
    explain(pe, rope, { contextLength }),
  );
  const scaled = withEncoding(makeRule(pe, rule, scale), (rope) => {
    const { regimes, wavelengths } = explain(pe, rope);
    return regimes.at(-1)?.wavelengths ?? wavelengths;
  });
  return { plain, scaled, turns: turns! };
}

/** Turns of each pair in training. */
export const turnsOf = (pe: Posenc, scale: Scale) =>
  withEncoding(plainRope(pe, scale), (rope) => explain(pe, rope, { contextLength: trainedLength(scale) }).rotations!);
