// Reads the options `remap` and `temperature`, and converts them for the core.
import type { Remap } from "../base/call-options.js";
import { RemapRule, TemperatureRule, type RemapFields, type TemperatureFields } from "../base/calls.gen.js";
import { invalid, show } from "../base/errors.js";
import { maybe, nested, number, oneOf, or, withoutEffect, type Reader } from "../base/options.js";

const inside =
  <T>(option: string, read: Reader<T>): Reader<T> =>
  (value, name) =>
    read(value, `${option}.${name}`);
const numberIn = (option: string): Reader<number | undefined> => inside(option, maybe(number));

function needed(value: number | undefined, name: string): number {
  if (value === undefined) throw invalid(name, "is missing");
  return value;
}

const temperatureOptions = nested({
  rule: inside("temperature", or(oneOf("steps", "log-n", "log"), "steps")),
  factor: numberIn("temperature"),
  length: numberIn("temperature"),
  offset: numberIn("temperature"),
});

/** Reads the option `temperature`, the factor of the scores of far queries. */
export const temperature: Reader<TemperatureFields> = (value, name) => {
  const { rule, factor, length, offset = 0 } = temperatureOptions(value, name);
  const isLog = rule === "log-n";
  if (isLog && factor !== undefined) throw withoutEffect("temperature.factor", "log-n has no factor");
  return [
    isLog ? 0 : needed(factor, "temperature.factor"),
    needed(length, "temperature.length"),
    offset,
    { steps: TemperatureRule.steps, "log-n": TemperatureRule.logN, log: TemperatureRule.log }[rule],
  ];
};
export const noTemperature: TemperatureFields = [0, 1, 0, TemperatureRule.steps];

/** Fields of each rule: the required ones, then the optional ones. */
const rules = {
  "self-extend": [RemapRule.selfExtend, ["group", "window"], []],
  rerope: [RemapRule.rerope, ["window"], ["leak"]],
  "dual-chunk": [RemapRule.dualChunk, ["chunk", "local"], ["trained"]],
} as const satisfies Record<Remap["kind"], readonly [RemapRule, readonly string[], readonly string[]]>;
const kinds = Object.keys(rules) as Remap["kind"][];

const remapOptions = nested({
  kind: inside("remap", oneOf(...kinds)),
  group: numberIn("remap"),
  window: numberIn("remap"),
  leak: numberIn("remap"),
  chunk: numberIn("remap"),
  local: numberIn("remap"),
  trained: numberIn("remap"),
});

/** Reads the option `remap`, the rule that changes the distances of a rotary encoding. */
export const remap: Reader<RemapFields> = (value, name) => {
  if (value === null || typeof value !== "object") throw invalid(name, `must be an object, got ${show(value)}`);
  const { kind, ...given } = remapOptions(value, name);
  const [rule, wanted, others] = rules[kind];
  for (const one of wanted) needed(given[one], `remap.${one}`);
  for (const [one, number] of Object.entries(given))
    if (number !== undefined && ![...wanted, ...others].includes(one as never))
      throw withoutEffect(`remap.${one}`, `${kind} has no ${one}`);
  const { group = 1, window = 1, leak = 0, chunk = 2, local = 1, trained = 0 } = given;
  if (given.trained === 0) throw invalid("remap.trained", "must be a whole number ≥ 1, got 0");
  return [rule, group, window, leak, chunk, local, trained];
};
export const noRemap: RemapFields = [RemapRule.none, 1, 1, 0, 2, 1, 0];
