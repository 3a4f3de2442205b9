// The lane `steps`: no kernel executes more instructions than steps.json says, nor fewer.
import { readFileSync, writeFileSync } from "node:fs";
import { inRoot, log } from "../../../web/tasks/prepare.mjs";
import { countSteps } from "./count.mjs";

const file = inRoot("tests", "bench", "steps", "steps.json");
/** Relative difference that is not reported: other versions of the compiler schedule a little differently. */
const tolerance = 0.02;

function faultOf(expected, found) {
  if (expected === undefined) return `${found} steps, not in steps.json`;
  if (found === undefined) return "in steps.json, but not counted";
  const change = found / expected - 1;
  if (Math.abs(change) <= tolerance) return undefined;
  return `${found} steps, was ${expected} (${change > 0 ? "+" : ""}${(100 * change).toFixed(1)} %)`;
}

/** Compares the steps of all cases with steps.json. With POSENC_RENEW=1, writes them there. */
export async function checkSteps({ count }) {
  const found = await countSteps();
  if (process.env.POSENC_RENEW) {
    writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
    log(`wrote ${file}`);
  }
  const expected = JSON.parse(readFileSync(file, "utf8"));
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
  const faults = names.flatMap((name) => {
    const fault = faultOf(expected[name], found[name]);
    return fault ? [`${name}: ${fault}`] : [];
  });
  if (faults.length > 0) log("if the change is meant: POSENC_RENEW=1 npm test -- steps, and commit steps.json");
  count("steps of kernels", names.length - faults.length, faults.length, faults);
}
