// Applies the options of a rewrite, component by component.
import { invalid, PosencError, show } from "../../base/errors.js";
import { readOptions } from "../../base/options.js";
import type { Spec } from "../../base/specs.gen.js";
import type { RotaryEncoding } from "../../encodings/rotary.js";
import { lengthsIn, scaledLength } from "../audit/config-facts.js";
import { factorMatches, isSameRule, variesWithLength, type FieldsOf } from "../audit/match.js";
import { exposeAttention } from "./attention.js";
import type { FoundBias } from "../find/bias.js";
import { ChangedModel } from "./changed.js";
import { Changes } from "./changes.js";
import type { PositionalComponent } from "../component.js";
import type { Found } from "../find/find.js";
import { fitShapes } from "../shapes/fits.js";
import { putInto, type Flow } from "../read/flow.js";
import type { FoundTable } from "../find/learned.js";
import type { Library, RewriteOptions, RotaryChoice } from "../options.js";
import { patched } from "./patch.js";
import { rewriteBias } from "./bias.js";
import { ConfigRotations, isRotation } from "./config.js";
import { rewriteOptions } from "./read-options.js";
import { Inputs } from "./inputs.js";
import { rewriteComputed, rewriteTables, type Rotated } from "./rotary.js";
import { lengthenAll, rewriteTable } from "./table.js";
import { withTwins, type FoundRotation } from "../find/rotary.js";
import { SharedConstants } from "./shared-constants.js";
import type { FileSource } from "../../base/source.js";
import { rejectUnused, unusedOptions, type ChangeOption, type UnusedOption } from "./unused.js";
import { isNarrow, type Files } from "../read/values.js";
import { layerCountOf } from "../find/windows.js";
import { Steps, type WorkOptions } from "../../base/work.js";
import { Work } from "./work.js";

/** Returns the source with all changes that the options name. */
export async function rewriteModel(
  pe: Library,
  files: Files,
  flow: Flow,
  components: ReadonlyMap<PositionalComponent, Found>,
  options: RewriteOptions,
  externalData: Readonly<Record<string, FileSource>>,
  work: WorkOptions,
): Promise<ChangedModel> {
  const steps = new Steps(components.size, work);
  // `pe` may be undefined if no option needs it.
  await pe?.load?.("config", "resize");
  const made: { dispose(): void }[] = [];
  const library: Library = {
    create(spec) {
      const encoding = pe.create(spec);
      made.push(encoding as { dispose(): void });
      return encoding;
    },
    fromConfig(config, how) {
      const encoding = pe.fromConfig(config, how);
      made.push(encoding as unknown as { dispose(): void });
      return encoding;
    },
    ...(pe?.layerSpecs && { layerSpecs: (config, how) => pe.layerSpecs!(config, how) }),
    resizeTable: (table, how) => pe.resizeTable(table, how),
  };
  try {
    const { changes, unused } = await changesOf(library, files, flow, components, options, steps);
    const parts = patched(flow.model.pieces, changes.allEdits());
    return new ChangedModel(files.source, parts, changes.list, unused, externalData);
  } finally {
    for (const encoding of made) encoding.dispose();
  }
}

async function changesOf(
  pe: Library,
  files: Files,
  flow: Flow,
  components: ReadonlyMap<PositionalComponent, Found>,
  userOptions: RewriteOptions,
  steps: Steps,
): Promise<{ changes: Changes; unused: readonly UnusedOption[] }> {
  const options = readOptions(userOptions, rewriteOptions);
  const { rotary, bias, length, grid, resize, window, remap, temperature, angles, tables, attention, partial } =
    options;
  checkDistances(options as RewriteOptions, components);
  const changes = new Changes(flow);
  const constants = new SharedConstants(changes, components);
  const work = new Work(changes, flow, files, pe, length, angles !== undefined, constants);
  const configs = new ConfigRotations(pe, layerCountOf(flow));
  const stacks = new Map<object, Rotated[]>();
  const given = new Set<Found>();
  for (const [component, found] of components)
    if (component.family === "rotary" && component.changeable !== false && chosen(tables, component) !== undefined)
      given.add(found);
  if (given.size > 0) work.used.add("tables");
  const asInputs = new Inputs(work, components, given);
  // A function may decline: its option counts as used.
  for (const { family, changeable } of components.keys()) {
    if (changeable === false) continue;
    if (family === "rotary" && typeof rotary === "function") work.used.add("rotary");
    if (family === "rotary" && typeof tables === "function") work.used.add("tables");
    if ((family === "bias" || family === "relative") && typeof bias === "function") work.used.add("bias");
  }
  for (const [component, found] of components) {
    await steps.step();
    if (component.changeable === false || "note" in found) continue;
    if (given.has(found)) await asInputs.add(found as FoundRotation);
    else if ("frequencies" in found) {
      const choice = component.family === "rotary" ? rotary : undefined;
      const chosenOne = rotationOf(work, configs, choice, component);
      for (const one of withTwins(found)) {
        const rotated = { owner: found, found: one, ...chosenOne };
        if (one.parts.form === "frequencies") rewriteComputed(work, rotated);
        else putInto(stacks, one.parts.cos, rotated);
      }
    } else if (component.family === "table")
      await rewriteTable(work, found as FoundTable, component.spec, { grid, resize });
    else await rewriteBias(work, found as FoundBias, chosen(bias, component));
  }
  for (const stack of stacks.values()) {
    const more = await rewriteTables(work, stack);
    if (stack.length === 1) await lengthenAll(work, [stack[0]!.found.rows!], more);
  }
  constants.write();
  await fitShapes(work, optionOf(work.used, options as RewriteOptions));
  // Most programs change only positions.
  if (window !== undefined) await (await import("./windows.js")).rewriteWindows(work, window);
  if (remap !== undefined || temperature !== undefined)
    await (await import("./remap.js")).rewriteScores(work, components, options as RewriteOptions);
  if (attention) await exposeAttention(changes, flow, files);
  steps.check();
  const unused = unusedOptions(options as RewriteOptions, work.used, [...components.keys()]);
  if (!partial) rejectUnused(options as RewriteOptions, unused);
  return { changes, unused };
}

/** Throws if a rotation would change after the distances, which are remapped by its frequencies. */
function checkDistances(options: RewriteOptions, components: ReadonlyMap<PositionalComponent, Found>): void {
  const { rotary, tables, remap, temperature } = options;
  if (remap !== undefined && (rotary ?? tables) !== undefined)
    throw new PosencError(
      "unsupported",
      "remap: cannot be combined with rotary or tables; change the rotation first, and the distances of the result",
      "remap",
    );
  if (![...components.keys()].some(({ form }) => form === "remapped")) return;
  for (const [option, value] of Object.entries({ rotary, tables, remap, temperature }))
    if (value !== undefined)
      throw new PosencError(
        "unsupported",
        `${option}: the distances of this graph are remapped; rewrite the file that it was made from`,
        option,
      );
}

/** The option that changes shapes, for messages. */
const optionOf = (used: ReadonlySet<ChangeOption>, options: RewriteOptions): string =>
  (["grid", "tables", "length", "bias", "rotary"] as const).find(
    (option) => used.has(option) && options[option] !== undefined,
  ) ?? "model";

const chosen = <T extends object | string>(
  choice: T | ((component: PositionalComponent) => T | undefined) | undefined,
  component: PositionalComponent,
): T | undefined =>
  typeof choice === "function" ? (choice as (one: PositionalComponent) => T | undefined)(component) : choice;

/** Returns the new rotation of a component. */
function rotationOf(
  { pe, isWide, used }: Work,
  configs: ConfigRotations,
  choice: RewriteOptions["rotary"],
  component: PositionalComponent,
): Pick<Rotated, "encoding" | "isKept" | "rows"> {
  const { dim, pairing, spec, type } = component;
  // Values that were rounded to 16 bits are recomputed if their rule is known.
  const isRounded = isWide && component.family === "rotary" && isNarrow(type);
  const requested = chosen(choice as RotaryChoice, component);
  if (requested !== undefined) used.add("rotary");
  if (isRounded) used.add("angles");
  const wanted = requested ?? (isRounded ? (spec as RotaryChoice | undefined) : undefined);
  if (wanted === undefined) return { encoding: undefined, isKept: true };
  if (typeof wanted !== "object") throw invalid("rotary", "must be a spec, an encoding or a function that returns one");
  if ("family" in wanted) {
    if (wanted.family === "rotary" && "frequenciesAt" in wanted) {
      const encoding = wanted as RotaryEncoding;
      return { encoding, isKept: false, rows: rowsFor(encoding, component) };
    }
    throw invalid("rotary", `must be a rotary encoding, got one of the family ${show(wanted.family)}`);
  }
  checkPairing(wanted as { pairing?: unknown }, component);
  const base = spec && "base" in spec ? { base: spec.base } : {};
  // PyTorch computed the frequencies in float32 when the model was trained.
  const precision = { precision: "float32" };
  if ("kind" in wanted) checkKind(pe, wanted as Spec);
  const full =
    "kind" in wanted
      ? { ...precision, dim, ...base, ...(pairing && { pairing }), ...wanted }
      : { ...configs.specOf(wanted, component), ...precision };
  const encoding = pe.create(full as Spec) as RotaryEncoding;
  if (encoding.family !== "rotary")
    throw invalid("rotary", `must be a rotary encoding, got one of the family ${show(encoding.family)}`);
  const configured = "kind" in wanted ? undefined : lengthsIn(wanted).maxLength;
  const rows = requested === undefined ? undefined : rowsFor(encoding, component, configured);
  if (isRounded || "precision" in wanted || spec?.kind !== encoding.kind) return { encoding, isKept: false, rows };
  const found = pe.create(spec) as RotaryEncoding;
  const isKept = isSameRule(found, encoding) && factorMatches(component, encoding);
  return isKept ? { encoding: found, isKept, rows: configured } : { encoding, isKept, rows };
}

/**
 * Returns the number of rows that the texts of a new rotation need: the config's length, or factor × original length.
 * undefined: the rotation does not determine it. The factor of NTK scaling scales the base, not the length.
 */
function rowsFor(
  { kind, spec }: RotaryEncoding,
  { rows = 0, spec: had }: PositionalComponent,
  configured = 0,
): number | undefined {
  if (variesWithLength(kind)) return undefined;
  const before = rows / ((had as FieldsOf | undefined)?.factor ?? 1);
  return Math.max(scaledLength(spec as unknown as FieldsOf, before) ?? 0, configured);
}

/** Throws `invalid-argument` for a spec of another family. */
function checkKind(pe: Library, spec: Spec): void {
  const { kind } = spec;
  if (isRotation(spec)) return;
  try {
    pe.create(spec);
  } catch (error) {
    // The core suggests a kind for a misspelled one.
    if ((error as PosencError).field === "kind") throw error;
  }
  throw invalid("rotary", `must be a rotation such as "rope-yarn", got kind ${show(kind)}`);
}

/** Throws `unsupported` for a spec with other pairs than the graph: the weights are made for the pairs of the graph. */
function checkPairing({ pairing }: { readonly pairing?: unknown }, component: PositionalComponent): void {
  if (pairing === undefined || !component.pairing || pairing === component.pairing) return;
  throw new PosencError(
    "unsupported",
    `rotary: pairing: the graph rotates ${component.pairing} pairs, which cannot be changed; got ${show(pairing)}`,
    "rotary",
  );
}
