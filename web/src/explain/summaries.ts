// One paragraph for each explanation. A sentence per kind names the numbers of its spec; the rest is told from the facts.
import type { Description } from "../base/description.js";
import type {
  BiasExplanation,
  Explanation,
  PairRun,
  RotaryExplanation,
  RotaryRegime,
  TableExplanation,
} from "./explanation.js";

type Values = Record<string, any>;

/** A measured number as text: four digits, thousands apart. */
export function about(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "infinitely many" : String(value);
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e15)) return value.toPrecision(3);
  const rounded = Math.abs(value) >= 1e4 ? Math.round(value) : Number(value.toPrecision(4));
  return String(rounded).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
}

const extent = (values: ArrayLike<number>): string => {
  const [least, most] = [Math.min(...Array.from(values)), Math.max(...Array.from(values))];
  return least === most ? `of ${about(least)}` : `from ${about(most)} down to ${about(least)}`;
};

const list = (values: ArrayLike<number>, most = 4): string => {
  const first = Array.from(values).slice(0, most).map(about).join(", ");
  return values.length > most ? `${first} … ${about(values[values.length - 1]!)}` : first;
};

const plural = (count: number, name: string): string => `${about(count)} ${name}${count === 1 ? "" : "s"}`;

// What each rule does, with the numbers that the caller chose.

const rotaryRules: Record<string, (spec: Values) => string> = {
  rope: () => "nothing is scaled",
  "rope-linear": (s) => `position interpolation divides every frequency by ${s.factor}`,
  "rope-ntk": (s) =>
    `the base ${s.base} is enlarged for ${s.factor} times the context, which leaves the fastest pair alone and makes the slowest ${s.factor} times slower`,
  "rope-ntk-by-parts": (s) =>
    `fast pairs stay, middle ones follow the NTK-enlarged base and slow ones are divided by ${s.factor}, judged by their turns in ${s.originalLength} positions`,
  "rope-dynamic": (s) =>
    `up to ${s.originalLength} positions nothing changes; beyond, the base grows with the length of the sequence, ${s.factor} being the weight of that growth`,
  "rope-yarn": (s) =>
    `pairs with more than ${s.betaFast} turns in ${s.originalLength} positions stay, those with fewer than ${s.betaSlow} are divided by ${s.factor}, a ${s.truncate ? "" : "not rounded "}ramp lies between`,
  "rope-longrope": (s) =>
    `each pair has its own divisor, ${range(s.shortFactor)} up to ${s.originalLength} positions and ${range(s.longFactor)} in longer sequences`,
  "rope-llama3": (s) =>
    `pairs with more than ${s.highFrequencyFactor} turns in ${s.originalLength} positions stay, those with fewer than ${s.lowFrequencyFactor} are divided by ${s.factor}, those between are blended`,
  "rope-proportional": (s) =>
    `exponents count over all ${s.dim} features, but only the first ${(s.rotaryDim || s.dim) / 2} pairs turn` +
    (s.factor === 1 ? "" : `, divided by ${s.factor}`),
  "rope-mrope": () => "nothing is scaled, text turns as in plain RoPE",
  "rope-axial": (s) =>
    `one block of pairs for each of ${s.axes} axes (${s.axisDims ? `${list(s.axisDims)} features` : "equal shares"}), ${axialFrequencies[s.form]}`,
  xpos: (s) =>
    `scores also decay with the distance, by ζ every ${s.scaleBase} positions; magnitudes are 1 at ` +
    (s.centre === null ? "half the length of the sequence" : `position ${s.centre}`),
};

/** Which pairs turn by which axis, where that is not the kind's own business. */
function sectionText(s: Values): string | undefined {
  if (s.sections?.length > 1)
    return `Sections of ${list(s.sections)} pairs turn by one axis of a place each, ${s.interleavedSections ? "taking turns" : "one after the other"}.`;
  return s.axisOfPair?.length ? "Each pair turns by the axis of a place that is listed for it." : undefined;
}

const axialFrequencies: Record<string, string> = {
  own: "each with frequencies of its own width",
  strided: "which deal one table of frequencies out in turns",
  pixel: "with frequencies that grow evenly",
};

function range(values: ArrayLike<number> | number): string {
  const numbers = typeof values === "number" ? [values] : Array.from(values);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? about(least) : `${about(least)} to ${about(most)}`;
}

const places = ({ first, last }: PairRun): string => (first === last ? `pair ${first}` : `pairs ${first} to ${last}`);

const times = (ratio: number): string =>
  ratio < 1 ? `${about(1 / ratio)} times slower` : `${about(ratio)} times faster`;

const changes: Record<PairRun["change"], (run: PairRun) => string> = {
  unchanged: () => "unchanged",
  still: () => "standing still",
  blended: ({ ratio }) => `blended (× ${about(ratio[1])} to ${about(ratio[0])})`,
  slowed: ({ ratio: [least, most] }) =>
    most - least < 1e-9 ? times(least) : `slowed (× ${about(most)} to ${about(least)})`,
  faster: ({ ratio: [least, most] }) =>
    most - least < 1e-9 ? times(least) : `faster (× ${about(least)} to ${about(most)})`,
};

const told = (run: PairRun): string =>
  `${places(run)} ${run.first === run.last ? "is" : "are"} ${changes[run.change](run)}`;

/** The runs of a regime; lists of many short runs are told as a whole. */
function pairsText(pairs: PairRun[]): string {
  if (pairs.length <= 5) return pairs.map(told).join(", ");
  const ratios = pairs.flatMap(({ ratio }) => ratio);
  return `the pairs' frequencies are × ${about(Math.min(...ratios))} to ${about(Math.max(...ratios))}`;
}

const regimeText = ({ fromLength, toLength, pairs, slowestTurn }: RotaryRegime): string => {
  const where =
    toLength === Infinity
      ? `from ${about(fromLength)} positions on`
      : fromLength === toLength
        ? `at ${about(fromLength)} positions`
        : `up to ${about(toLength)} positions`;
  return `${where} ${pairsText(pairs)} (the slowest turns once in ${about(slowestTurn)})`;
};

function rotarySummary(explanation: RotaryExplanation, spec: Values, { title }: Description): string {
  const { wavelengths, pairs, regimes, slowestTurn, turns, contextLength, attentionFactor } = explanation;
  const turned = spec["rotaryDim"] || (explanation.kind === "rope-axial" ? 2 * wavelengths.length : spec["dim"]);
  const rule = rotaryRules[explanation.kind];
  const features = turned === spec["dim"] ? `${spec["dim"]} features` : `${turned} of ${spec["dim"]} features`;
  const sentences = [
    `${title} on ${features} of a head, ${plural(wavelengths.length, "pair")} (${spec["pairing"]}), base ${spec["base"]}` +
      `${rule ? `: ${rule(spec)}` : ""}.`,
  ];
  const sections = sectionText(spec);
  if (sections) sentences.push(sections);
  const plain = pairs.length === 1 && pairs[0]!.change === "unchanged";
  if (regimes.length) sentences.push(`Against plain RoPE: ${regimes.map(regimeText).join("; ")}.`);
  else {
    if (!plain) sentences.push(`Against plain RoPE, ${pairsText(pairs)}.`);
    sentences.push(
      `The fastest pair turns once in ${about(Math.min(...wavelengths))} positions, the slowest in ${about(slowestTurn)}.`,
    );
  }
  if (turns) {
    const whole = turns.filter((count) => count >= 1).length;
    sentences.push(`In ${about(contextLength!)} positions ${whole} of ${turns.length} pairs turn at least once.`);
  }
  if (attentionFactor !== 1)
    sentences.push(
      `cos and sin are multiplied by ${about(attentionFactor)}, scores hence by ${about(attentionFactor ** 2)}.`,
    );
  return sentences.join(" ");
}

const gridRule = (s: Values): string =>
  `sines and cosines of every axis, ${s.dim} features together, base ${s.base}, ${s.pairing} in the order ${s.order}, axes as ${s.axisOrder}` +
  (s.normalize ? ", positions as shares of the grid" : s.baseSize ? `, stretched to ${s.baseSize} places` : "") +
  (s.scale === 1 ? "" : `, times ${about(s.scale)}`) +
  (s.start === 0 ? "" : `, counted from ${s.start}`);

const tableRules: Record<string, (spec: Values, explanation: TableExplanation) => string> = {
  "one-hot": (s) =>
    `a row of ${s.dim} features with a single 1 at its position, for positions 0 to ${s.dim - 1} only; all positions are equally far apart`,
  integer: (s) =>
    `the position itself, repeated over ${plural(s.dim, "feature")}; exact, but growing without bound and far larger than features usually are`,
  normalized: (s) =>
    `the position as a share of the sequence, 0 to 1 over ${s.length || "the call's number of"} positions, repeated over ${plural(s.dim, "feature")}` +
    (s.length ? "" : "; the same position changes when the sequence grows"),
  binary: (s) =>
    `the position in ${plural(s.dim, "binary digit")}, most significant first, for positions 0 to ${about(2 ** s.dim - 1)}; neighbours may differ in many digits`,
  periodic: (s, { wavelengths }) =>
    `${plural(s.dim, "sine")} with periods of ${list(wavelengths!)} positions; without cosines a shift is no rotation`,
  sinusoidal: (s) =>
    `sines and cosines over ${s.dim} features, base ${s.base}, ${s.pairing} in the order ${s.order}` +
    (s.frequencyShift ? `, exponents over dim/2 - ${s.frequencyShift} (the slowest wave is exactly 1/base)` : "") +
    (s.scale === 1 ? "" : `, positions times ${s.scale}`) +
    (s.start === 0 ? "" : `, counted from ${s.start}`) +
    (s.paddingIndex < 0 ? "" : `, position ${s.paddingIndex} a row of zeros`) +
    (s.dim % 2 ? `, the odd dim by "${s.oddDim}"` : ""),
  "sinusoidal-2d": gridRule,
  "sinusoidal-3d": gridRule,
  fourier: (s) =>
    `${s.dim} features of ${plural(s.inputs, "coordinate")} (${s.coordinates}), ` +
    (s.form === "gaussian"
      ? `at random frequencies with a deviation of ${s.std} turns per unit`
      : `each at ${s.form} bands of half turns per unit${s.maxFrequency ? ` up to ${s.maxFrequency}` : ""}`) +
    `, ${s.pairing} in the order ${s.order}` +
    (s.includeInput ? ", after the coordinates themselves" : ""),
  learned: (s) =>
    `a trained row of ${s.dim} features for each of ${s.length - s.start} positions and for no other` +
    (s.start ? `; ${plural(s.start, "row")} before them ${s.start === 1 ? "is" : "are"} skipped` : "") +
    `; untrained, normal with a deviation of ${s.std}`,
};

function tableSummary(explanation: TableExplanation, spec: Values, { title }: Description): string {
  const { wavelengths, shiftable, kind } = explanation;
  const sentences = [`${title}: ${tableRules[kind]?.(spec, explanation) ?? `rows of ${explanation.dim} features`}.`];
  if (wavelengths && kind !== "periodic")
    sentences.push(
      `${plural(wavelengths.length, "wavelength")} from ${about(Math.min(...wavelengths))} to ${about(Math.max(...wavelengths))} positions.`,
    );
  if (shiftable) sentences.push("PE(m + k) is a rotation of PE(m) that depends on k alone.");
  return sentences.join(" ");
}

const biasRules: Record<string, (spec: Values, explanation: BiasExplanation) => string> = {
  alibi: (s, { slopes }) => {
    const form: Record<string, string> = {
      relative: "-m |i - j|",
      key: "m (j - last key), as MPT has it",
      "key-absolute": "m j, as BLOOM has it",
    };
    const idle = s.activeHeads ? `; only the first ${s.activeHeads} heads have one` : "";
    return `${form[s.form]} with ${plural(s.heads, "slope")} m ${extent(slopes!)} (maxBias ${s.maxBias})${idle}`;
  },
  swin: (s) =>
    `a learned number for each of ${plural(s.heads, "head")} and displacement in a window of ${s.windowHeight} × ${s.windowWidth} places${
      s.classToken ? ", and three for the class token" : ""
    }: ${about((2 * s.windowHeight - 1) * (2 * s.windowWidth - 1))} displacements`,
  kerple: (s) => {
    const form: Record<string, string> = {
      log: "-amplitude ln(1 + rate d)",
      power: "-amplitude d^exponent",
      weighted: "-amplitude d^exponent, added to scores that were multiplied by exp(-weightRate d^weightExponent)",
      "log-power": "-amplitude ln(1 + rate d^exponent), as NeMo has it",
    };
    return `${form[s.form]}, learned for each of ${plural(s.heads, "head")}`;
  },
  sandwich: (s) =>
    `the sum of ${plural(s.dim / 2, "cosine")} of the distance (dim ${s.dim}, base ${about(s.base)}), weaker from head to head (${s.heads})`,
  fire: (s) =>
    `a network of ${plural(s.width, "hidden unit")} gives ${plural(s.heads, "head")} a bias for the distance relative to the query's place, which counts as at least ${about(s.length)}`,
  mask: (s) => {
    const rules = [
      s.causal ? "every key after the query" : "",
      s.windowLeft >= 0 ? `keys more than ${about(s.windowLeft)} before it` : "",
      s.windowRight >= 0 ? `keys more than ${about(s.windowRight)} after it` : "",
    ].filter(Boolean);
    return `0 where a query may look; ${s.hidden ?? "-Infinity"} hides ${rules.join(" and ") || "nothing"}, in ${plural(s.heads, "head")}`;
  },
  t5: (s) =>
    `a learned number for each of ${plural(s.heads, "head")} and ${plural(s.buckets, "bucket")} of distances, ${
      s.bidirectional ? "half of them for keys ahead" : "all for keys behind"
    }; the last takes all from ${about(s.maxDistance)} on`,
};

const reachText = (reach: number[]): string => {
  const reached = reach.filter(Number.isFinite);
  const [least, most] = [Math.min(...reached), Math.max(...reached)];
  const heads = reached.length < reach.length ? ` (in ${reached.length} of ${reach.length} heads)` : "";
  const where =
    least === most ? `at a distance of ${about(least)}` : `at distances of ${about(least)} to ${about(most)}`;
  return `${where}${heads}`;
};

const isReached = (reach: number[]): boolean => reach.some(Number.isFinite);

function biasSummary(explanation: BiasExplanation, spec: Values, { title }: Description): string {
  const { kind, heads, reach } = explanation;
  const sentences = [`${title}: ${biasRules[kind]?.(spec, explanation) ?? `a bias for each of ${heads} heads`}.`];
  if (reach && isReached(reach.hidden)) sentences.push(`Keys are hidden ${reachText(reach.hidden)}.`);
  else if (reach && isReached(reach.half)) {
    const nat = isReached(reach.nat) ? `, and fallen to 1/e ${reachText(reach.nat)}` : "";
    sentences.push(`A key's weight has halved ${reachText(reach.half)}${nat}.`);
  }
  return sentences.join(" ");
}

const relativeRules: Record<string, (spec: Values) => string> = {
  shaw: (s) => {
    const [left, right] = [s.maxLeft, s.maxRight].map((limit) => (limit < 0 ? s.maxDistance : limit));
    const whom = s.withValues ? "keys and another one values" : "keys";
    return `a learned vector for each distance joins ${whom}; beyond ${left} to the left and ${right} to the right all distances share one`;
  },
  "transformer-xl": (s) =>
    `sinusoids of the distance, ${s.modelDim || s.dim * s.heads} features wide with base ${s.base}, projected for each of ${plural(s.heads, "head")}` +
    (s.clampLength ? `; farther than ${about(s.clampLength)} counts as that far` : ""),
  deberta: (s) => {
    const terms = [s.contentToPosition && "contents meet distances", s.positionToContent && "distances meet contents"];
    const far = s.buckets
      ? `, in ${s.buckets} buckets on each side that grow with the distance up to ${about(s.maxDistance)}`
      : `, up to ${about(s.maxDistance)} on each side`;
    return `${terms.filter(Boolean).join(" and ") || "contents alone"}${far}`;
  },
  cope: (s) =>
    `a key is as far away as gates between it and the query are open, at most ${s.maxPosition - 1}; between two learned positions their scores are blended`,
  pope: (s) =>
    `${s.rotaryDim || s.dim} features become magnitudes with an angle of their own, base ${s.base}; contents cannot turn the angle, a learned phase for each of ${plural(s.heads, "head")} can`,
};

function familySummary(explanation: Explanation, spec: Values, description: Description): string {
  switch (explanation.family) {
    case "rotary":
      return rotarySummary(explanation, spec, description);
    case "table":
      return tableSummary(explanation, spec, description);
    case "bias":
      return biasSummary(explanation, spec, description);
    default:
      return `${description.title}: ${relativeRules[explanation.kind]?.(spec) ?? "scores by content and distance"}.`;
  }
}

/** The paragraph for what was found out about an encoding. */
export function summaryOf(explanation: Explanation, spec: Values, description: Description): string {
  const used = Object.entries(explanation.parameters).filter(([, dims]) => !dims.includes(0));
  const learned = used.map(([name, dims]) => `${name} [${dims.join(", ")}]`);
  const parameters = learned.length ? ` Learned numbers: ${learned.join(", ")}.` : "";
  return familySummary(explanation, spec, description) + parameters;
}
