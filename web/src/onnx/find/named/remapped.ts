// Remapped distances: the distance of a query and a key selects one of several products of both.
import type { Step } from "../../read/flow.js";
import { backward } from "../../read/trace.js";
import { selectsScores } from "../sites.js";
import type { Facts, Named } from "./facts.js";

/** Returns the cosines and sines that rotate the factors of the products. */
function sinusoidsOf({ ins }: Step): Step[] {
  const found: Step[] = [];
  for (const scores of ins.slice(1))
    backward(scores, ({ maker }) => {
      if (maker && /^(Cos|Sin)$/.test(maker.op)) found.push(maker);
      return maker?.op === "Softmax" || maker?.op === "Shape";
    });
  return found;
}

export function findRemapped({ flow, sites }: Named): Facts[] {
  const selections = flow.steps.filter(selectsScores);
  const layers = sites.reachedBy(selections.flatMap(({ outs }) => outs));
  if (layers.length === 0) return [];
  const steps = [...new Set([...selections, ...selections.flatMap(sinusoidsOf)])];
  return [{ family: "rotary", form: "remapped", layers, type: "float32", constants: [], steps }];
}
