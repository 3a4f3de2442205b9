// The core of the golden runner: one case in, one verdict out. It calls the public API only and holds no formula
// of an encoding. No node imports: the tests run it in Node and in browsers.
import { decodeArray, Malformed } from "./arrays.mjs";
import { compareOutput, failedOutput } from "./compare.mjs";
import { checkLacking } from "./lacking.mjs";
import { MAPPINGS } from "./map/index.mjs";
import { withKnownNames } from "./names.mjs";
import { Unsupported } from "./needs.mjs";
import { checkRestated } from "./restated.mjs";

const TRUTH = "__truth";

const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * Checks the JSON of a case and decodes its arrays.
 * `targets` has one entry per output name: the truth where there is one, the reference otherwise.
 */
export function parseCase(json) {
  if (!isRecord(json)) throw new Malformed("not a JSON object");
  for (const key of ["name", "group"]) {
    if (typeof json[key] !== "string") throw new Malformed(`${key} is missing`);
  }
  for (const key of ["params", "inputs", "outputs", "tolerance"]) {
    if (!isRecord(json[key])) throw new Malformed(`${key} is missing`);
  }
  const inputs = {};
  for (const [name, stored] of Object.entries(json.inputs)) inputs[name] = decodeArray(stored, `inputs.${name}`);
  const targets = parseTargets(json);
  if (Object.keys(targets).length === 0) throw new Malformed("it has no outputs");
  return {
    name: json.name,
    group: json.group,
    params: json.params,
    notes: typeof json.notes === "string" ? json.notes : "",
    inputs,
    targets,
  };
}

// The truth stands in for the reference wherever a case has both.
function parseTargets(json) {
  const arrays = {};
  for (const [stored, value] of Object.entries(json.outputs)) arrays[stored] = decodeArray(value, `outputs.${stored}`);
  const targets = {};
  for (const stored of Object.keys(arrays)) {
    const name = stored.endsWith(TRUTH) ? stored.slice(0, -TRUTH.length) : stored;
    const chosen = name + TRUTH in arrays ? name + TRUTH : name;
    const tolerance = json.tolerance[chosen];
    if (typeof tolerance !== "number" || !(tolerance >= 0)) throw new Malformed(`tolerance.${chosen} is missing`);
    targets[name] = { array: arrays[chosen], tolerance, against: chosen === name ? "reference" : "truth" };
  }
  return targets;
}

const entryOf = (parsed) => (MAPPINGS[parsed.group] ?? []).find((candidate) => candidate.matches(parsed));

/** The name of the mapping that runs a case: cases of the same one are run in the same way. */
export function mappingOf(json) {
  const parsed = withKnownNames(parseCase(json));
  return `${parsed.group} ${MAPPINGS[parsed.group]?.indexOf(entryOf(parsed))}`;
}

/**
 * Runs one case.
 * @returns {{name: string, group: string, status: "pass"|"fail"|"unsupported", reason?: string, outputs: object[]}}
 */
export function runCase(pe, json, label) {
  const report = { name: label ?? "(no name)", group: json?.group ?? "", outputs: [] };
  try {
    const stored = parseCase(json);
    report.name = `${stored.group}/${stored.name}`;
    const parsed = withKnownNames(stored);
    const entry = entryOf(parsed);
    if (!entry) throw new Unsupported(`group ${parsed.group}: no mapping for ${describeNames(parsed)}`);
    checkRestated(parsed, entry.shapes);
    checkLacking(stored);
    return judge(report, parsed, entry.run(pe, parsed));
  } catch (error) {
    return { ...report, ...verdictOf(error) };
  }
}

const describeNames = ({ params, inputs }) =>
  `parameters (${Object.keys(params).join(", ")}) and inputs (${Object.keys(inputs).join(", ")})`;

function verdictOf(error) {
  if (error instanceof Unsupported) return { status: "unsupported", reason: error.message };
  if (error instanceof Malformed) return { status: "fail", reason: `malformed case: ${error.message}` };
  // The library's own word that it does not do this is as good as a missing kind.
  if (error?.code === "unsupported") return { status: "unsupported", reason: error.message };
  return { status: "fail", reason: error instanceof Error ? error.message : String(error), cause: error };
}

// Every output counts, however the others end: a wrong one or one that throws fails the case, a missing one makes it
// unsupported, never passed. What can be made in several ways must come out right in each.
function judge(report, parsed, produced) {
  const absent = [];
  for (const [name, target] of Object.entries(parsed.targets)) {
    const ways = [produced[name]].flat().filter((way) => typeof way === "function");
    if (ways.length === 0) absent.push(name);
    for (const way of ways) report.outputs.push(compareWay(name, way, target));
  }
  const verdict = (status) =>
    report.outputs.find((output) => (output.verdict?.status ?? "fail") === status && !output.ok);
  const wrong = verdict("fail");
  if (wrong) return { ...report, status: "fail", reason: wrong.reason, ...wrong.verdict };
  const lacking = verdict("unsupported");
  if (lacking) return { ...report, ...lacking.verdict };
  if (absent.length > 0) {
    return { ...report, status: "unsupported", reason: `nothing produces the output ${absent.join(", ")}` };
  }
  return { ...report, status: "pass" };
}

function compareWay(name, way, target) {
  try {
    return compareOutput(name, way(), target);
  } catch (error) {
    return failedOutput(name, target, verdictOf(error));
  }
}
