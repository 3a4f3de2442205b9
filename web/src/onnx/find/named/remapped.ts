// Remapped distances: the distance of a query and a key selects one of several products of both.
import { putInto, type Step, type Value } from "../../read/flow.js";
import { backward } from "../../read/trace.js";
import { areScores } from "../sites.js";
import type { Facts, Named } from "./facts.js";

/** Returns the cosines and sines that rotate the factors of products. */
function sinusoidsOf(scores: readonly (Value | undefined)[]): Step[] {
  const found = new Set<Step>();
  for (const value of scores)
    backward(value, ({ maker }) => {
      if (maker && /^(Cos|Sin)$/.test(maker.op)) found.add(maker);
      return maker?.op === "Softmax" || maker?.op === "Shape";
    });
  return [...found];
}

export function findRemapped({ flow, sites }: Named): Facts[] {
  const byLayer = new Map<number, Step[]>();
  for (const step of flow.steps) {
    if (step.op !== "Where" || !areScores(step.ins[1]) || !areScores(step.ins[2])) continue;
    for (const layer of sites.reachedBy(step.outs)) putInto(byLayer, layer, step);
  }
  if (byLayer.size === 0) return [];
  const selections = [...new Set([...byLayer.values()].flat())];
  const steps = [...selections, ...selections.flatMap(({ ins }) => sinusoidsOf(ins.slice(1)))];
  const layers = [...byLayer.keys()].sort((a, b) => a - b);
  return [{ family: "rotary", form: "remapped", layers, type: "float32", constants: [], steps: [...new Set(steps)] }];
}
