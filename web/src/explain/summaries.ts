// One paragraph for each explanation: a sentence from the method's header with the values of its spec, then the facts.
import type { Kind } from "../base/specs.gen.js";
import type {
  BiasExplanation,
  Explanation,
  PairRun,
  RotaryExplanation,
  RotaryRegime,
  TableExplanation,
} from "./explanation.js";
import { titles } from "./prose.gen.js";
import { sentenceOf } from "./sentences.js";
import { about, least, list, most, plural } from "./words.js";

type Values = Record<string, any>;

/** Describes which axis rotates which pairs; undefined if the sentence of the kind says it. */
function sectionText(s: Values): string | undefined {
  if (s.sections?.length > 1)
    return `Sections of ${list(s.sections)} pairs rotate by one axis each, ${s.interleavedSections ? "interleaved" : "one after the other"}.`;
  return s.axisOfPair?.length ? "axisOfPair lists the axis that rotates each pair." : undefined;
}

const pairNames = ({ first, last }: PairRun): string =>
  first === last ? `pair ${first}` : `pairs ${first} to ${last}`;

const times = (ratio: number): string =>
  ratio < 1 ? `${about(1 / ratio)} times slower` : `${about(ratio)} times faster`;

const changes: Record<PairRun["change"], (run: PairRun) => string> = {
  unchanged: () => "unchanged",
  still: () => "not rotated",
  blended: ({ ratio }) => `blended (× ${about(ratio[1])} to ${about(ratio[0])})`,
  slowed: ({ ratio: [least, most] }) =>
    most - least < 1e-9 ? times(least) : `slowed (× ${about(most)} to ${about(least)})`,
  faster: ({ ratio: [least, most] }) =>
    most - least < 1e-9 ? times(least) : `faster (× ${about(least)} to ${about(most)})`,
};

const runText = (run: PairRun): string =>
  `${pairNames(run)} ${run.first === run.last ? "is" : "are"} ${changes[run.change](run)}`;

/** Describes the pairs of a regime; many short runs are summarised. */
function pairsText(pairs: PairRun[]): string {
  if (pairs.length <= 5) return pairs.map(runText).join(", ");
  const ratios = pairs.flatMap(({ ratio }) => ratio);
  return `the pairs' frequencies are × ${about(least(ratios))} to ${about(most(ratios))}`;
}

const regimeText = ({ fromLength, toLength, pairs, longestWavelength }: RotaryRegime): string => {
  const where =
    toLength === Infinity
      ? `from ${about(fromLength)} positions on`
      : fromLength === toLength
        ? `at ${about(fromLength)} positions`
        : `up to ${about(toLength)} positions`;
  return `${where} ${pairsText(pairs)} (the slowest rotates once in ${about(longestWavelength)})`;
};

function rotarySummary(explanation: RotaryExplanation, spec: Values, title: string, rule: string): string {
  const { wavelengths, pairs, regimes, longestWavelength, rotations, contextLength, attentionFactor } = explanation;
  const rotatedFeatures =
    spec["rotaryDim"] || (explanation.kind === "rope-axial" ? 2 * wavelengths.length : spec["dim"]);
  const features =
    rotatedFeatures === spec["dim"] ? `${spec["dim"]} features` : `${rotatedFeatures} of ${spec["dim"]} features`;
  const sentences = [
    `${title} on ${features} of a head, ${plural(wavelengths.length, "pair")} (${spec["pairing"]}), base ${spec["base"]}: ${rule}.`,
  ];
  const sections = sectionText(spec);
  if (sections) sentences.push(sections);
  const plain = pairs.length === 1 && pairs[0]!.change === "unchanged";
  if (regimes.length) sentences.push(`Compared to plain RoPE: ${regimes.map(regimeText).join("; ")}.`);
  else {
    if (!plain) sentences.push(`Compared to plain RoPE, ${pairsText(pairs)}.`);
    sentences.push(
      `The fastest pair rotates once in ${about(least(wavelengths))} positions, the slowest in ${about(longestWavelength)}.`,
    );
  }
  if (rotations) {
    const whole = rotations.filter((count) => count >= 1).length;
    sentences.push(`In ${about(contextLength!)} positions ${whole} of ${rotations.length} pairs rotate at least once.`);
  }
  if (attentionFactor !== 1)
    sentences.push(
      `cos and sin are multiplied by ${about(attentionFactor)}, scores by ${about(attentionFactor ** 2)}.`,
    );
  return sentences.join(" ");
}

function tableSummary({ wavelengths, shiftable, kind }: TableExplanation, start: string): string {
  const sentences = [start];
  if (wavelengths && kind !== "periodic")
    sentences.push(
      `${plural(wavelengths.length, "wavelength")} from ${about(least(wavelengths))} to ${about(most(wavelengths))} positions.`,
    );
  if (shiftable) sentences.push("PE(m + k) is a rotation of PE(m) that depends only on k.");
  return sentences.join(" ");
}

const reachText = (reach: number[]): string => {
  const reached = reach.filter(Number.isFinite);
  const [nearest, farthest] = [least(reached), most(reached)];
  const heads = reached.length < reach.length ? ` (in ${reached.length} of ${reach.length} heads)` : "";
  const where =
    nearest === farthest
      ? `at a distance of ${about(nearest)}`
      : `at distances of ${about(nearest)} to ${about(farthest)}`;
  return `${where}${heads}`;
};

const isReached = (reach: number[]): boolean => reach.some(Number.isFinite);

function biasSummary({ reach }: BiasExplanation, start: string): string {
  const sentences = [start];
  if (reach && isReached(reach.masked)) sentences.push(`Keys are masked ${reachText(reach.masked)}.`);
  else if (reach && isReached(reach.halved)) {
    const nat = isReached(reach.nat) ? ` and falls to 1/e ${reachText(reach.nat)}` : "";
    sentences.push(`A key's weight halves ${reachText(reach.halved)}${nat}.`);
  }
  return sentences.join(" ");
}

function familySummary(explanation: Explanation, spec: Values): string {
  const kind = explanation.kind as Kind;
  const title = titles[kind];
  const describe: (facts: never) => string = sentenceOf[kind];
  const rule = describe({ ...explanation, ...spec } as never);
  const start = `${title}: ${rule}.`;
  switch (explanation.family) {
    case "rotary":
      return rotarySummary(explanation, spec, title, rule);
    case "table":
      return tableSummary(explanation, start);
    case "bias":
      return biasSummary(explanation, start);
    default:
      return start;
  }
}

/** Returns the paragraph for an explanation. */
export function summaryOf(explanation: Explanation, spec: Values): string {
  const used = Object.entries(explanation.parameters).filter(([, dims]) => !dims.includes(0));
  const learned = used.map(([name, dims]) => `${name} [${dims.join(", ")}]`);
  const parameters = learned.length ? ` Learned parameters: ${learned.join(", ")}.` : "";
  return familySummary(explanation, spec) + parameters;
}
