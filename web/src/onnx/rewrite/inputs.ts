// Replaces cosines and sines that a graph holds or computes by inputs of the graph.
import { PosencError } from "../../base/errors.js";
import type { PositionalComponent } from "../component.js";
import type { Found } from "../find/find.js";
import { putInto, type Step, type Value } from "../read/flow.js";
import type { Graph } from "../read/graph.js";
import { featureType } from "../read/ranks.js";
import { withTwins, type FoundRotation, type RotaryParts } from "../find/rotary.js";
import { lengthenAll } from "./table.js";
import { formOps } from "../read/trace.js";
import { typeOf, type DataType } from "../read/values.js";
import type { Work } from "./work.js";

type Parts<Form> = Extract<RotaryParts, { form: Form }>;
type Named = readonly [cos: string, sin: string];

const refused = (why: string): PosencError => new PosencError("unsupported", `tables: ${why}`, "tables");

/** Names of the inputs of a rotation; `index` is the number of earlier rotations in the same graph. */
const namesOf = (index: number): Named => {
  const more = index === 0 ? "" : `.${index}`;
  return [`rope_cos${more}`, `rope_sin${more}`];
};

/**
 * Replaces the cosines and sines of rotations by graph inputs. Attention factors are included in them.
 *
 * - Computed rotations: [batch, tokens, dim], as Hugging Face's modules return them.
 * - Tables: [rows, pairs].
 *
 * Rotations in two branches of which one runs share their inputs.
 */
export class Inputs {
  private readonly counts = new Map<Graph, number>();
  /** Computed rotations by their cosines and sines. */
  private readonly sharedSinusoids = new Map<Step, FoundRotation[]>();

  /** `given`: the rotations that become inputs. */
  constructor(
    private readonly work: Work,
    components: ReadonlyMap<PositionalComponent, Found>,
    private readonly given: ReadonlySet<Found>,
  ) {
    for (const found of components.values())
      if ("frequencies" in found && found.parts.form === "frequencies")
        for (const step of [found.parts.cos, found.parts.sin]) putInto(this.sharedSinusoids, step, found);
  }

  /** Throws if another rotation uses the cosines or sines, too, and does not become an input. */
  private checkSinusoids(found: FoundRotation, { cos, sin }: Parts<"frequencies">): void {
    for (const step of [cos, sin]) {
      const other = this.sharedSinusoids.get(step)?.find((one) => !this.given.has(one));
      if (other) throw this.work.constants.inseparable("tables", found, other, step.outs[0]!.name);
    }
  }

  async add(component: FoundRotation): Promise<void> {
    for (const found of withTwins(component)) await this.addOne(component, found);
  }

  private async addOne(component: FoundRotation, found: FoundRotation): Promise<void> {
    const { parts, frequencies, rows } = found;
    const { constants } = this.work;
    const home = parts.form === "frequencies" ? parts.cos.node.graph : parts.cos.graph;
    const index = this.counts.get(home) ?? 0;
    this.counts.set(home, index + 1);
    const names = namesOf(index);
    if (parts.form === "frequencies") {
      this.checkSinusoids(component, parts);
      givenSinusoids(this.work, parts, names, frequencies.length);
    } else {
      const isStacked = [parts.cos, parts.sin].some((value) => constants.readersOf(value).length > 1);
      givenTables(this.work, parts, names, frequencies.length, isStacked);
    }
    if (rows === undefined) return;
    const { length = rows, used } = this.work;
    used.add("length");
    await lengthenAll(this.work, [rows], length - rows);
  }
}

/** Returns the last step that multiplies cosines or sines by a factor, or else the step that computes them. */
function scaledStep(sinusoid: Step, factors: readonly Step[]): Step {
  let last = sinusoid;
  for (let at = sinusoid; ;) {
    const [only, ...others] = at.outs[0]!.users;
    if (!only || others.length > 0 || !(factors.includes(only) || formOps.has(only.op))) return last;
    if (factors.includes(only)) last = only;
    at = only;
  }
}

/** Whether both halves of the features have the same angles, concatenated. */
function isDoubled(sinusoid: Step, product: Step): boolean {
  for (let at = sinusoid.ins[0]; at?.maker && at.maker !== product; at = at.maker.ins[0])
    if (at.maker.op === "Concat" && at.maker.ins.length === 2) return true;
  return false;
}

function givenSinusoids(work: Work, parts: Parts<"frequencies">, names: Named, pairs: number): void {
  const sinusoids = [parts.cos, parts.sin];
  if (!sinusoids.every((sinusoid) => isDoubled(sinusoid, parts.product)))
    throw refused("this graph computes angles for half of the features, Hugging Face's modules for all");
  sinusoids.forEach((sinusoid, i) => {
    const name = names[i]!;
    const step = scaledStep(sinusoid, parts.factors);
    const dims = ["batch_size", "sequence_length", 2 * pairs];
    work.changes.addInput(name, featureType(step.outs[0]), dims);
    work.changes.replaceOutput(step, name, dims, `is the input ${name} now`);
  });
}

function givenTables(work: Work, parts: Parts<"tables">, names: Named, pairs: number, isStacked: boolean): void {
  const { cos, sin, layout, repeated } = parts;
  if (isStacked || layout) throw refused("this rotation shares a table with another; use `length` to add rows");
  if (repeated === "interleaved") throw refused("this table has each value twice in a row; use `length` to add rows");
  if (cos.graph.parent) throw refused("the graph chooses one of two tables by the length; use `length` to add rows");
  const values: readonly Value[] = [cos, sin];
  if (values.some(({ constant }) => constant!.tensor.dims.length !== 2))
    throw refused("this table has more dims than rows and columns; use `length` to add rows");
  values.forEach((value, i) => {
    const type: DataType = typeOf(value.constant!.tensor)!;
    work.changes.addInput(names[i]!, type, ["rows", pairs]);
    work.changes.replaceConstant(value, names[i]!, repeated === "half" ? 2 : 1, `is the input ${names[i]} now`);
  });
}
