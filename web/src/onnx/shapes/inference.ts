// Shapes of all values of a graph, as onnxruntime infers them: numbers, symbols, and the small integers that make shapes.
import type { Flow, Step, Value } from "../read/flow.js";
import type { Graph, ValueInfo } from "../read/graph.js";
import { At } from "./at.js";
import { Misfit, type Fact, type Pass, type Plan } from "./facts.js";
import { ruleOf } from "./rules.js";
import type { SmallConstants } from "./small-constants.js";
import type { Pieces } from "../read/protobuf.js";
import { fixed, inWords, isFixed, named, sameSizes, type Dim } from "./sizes.js";

/** No runtime accepts more dims. */
const mostDims = 64;

/** The declared types of values: inputs, outputs and value_info. */
export class Declared {
  private readonly known = new Map<Graph, Map<string, ValueInfo>>();

  of({ name, graph }: Value): ValueInfo | undefined {
    let infos = this.known.get(graph);
    if (!infos) {
      this.known.set(graph, (infos = new Map()));
      for (const info of [...graph.values, ...graph.outputs, ...graph.inputs]) infos.set(info.name, info);
    }
    return infos.get(name);
  }
}

/** One pass over a graph: of the file, or of the file with a plan's changes. */
export class Inference implements Pass {
  /** Nodes whose input shapes do not fit in the unchanged file: it is invalid, or a rule is incomplete. They are never reported. */
  readonly broken = new Set<Step>();
  /** Values whose shape may differ from that in the file. */
  readonly changed = new Set<Value>();
  private readonly facts = new Map<Value, Fact>();

  constructor(
    readonly pieces: Pieces,
    private readonly constants: SmallConstants,
    private readonly declared: Declared,
    /** The plan; undefined: the unchanged file. */
    readonly plan?: Plan,
    /** The pass over the unchanged file. */
    readonly before?: Inference,
    /** Symbols that are 1 in this pass: the model must also run for a batch of one. */
    private readonly ones: ReadonlySet<string> = new Set(),
  ) {}

  /** Returns the first misfit that the file itself does not have. */
  run({ order }: Flow): Misfit | undefined {
    for (const [i, step] of order.entries()) {
      try {
        this.visit(step, i);
      } catch (error) {
        if (!(error instanceof Misfit)) throw error;
        if (this.before && !this.before.broken.has(step)) return error;
        if (!this.before) this.broken.add(step);
        for (const out of step.outs) this.set(out, {}, step);
      }
    }
    return undefined;
  }

  private visit(step: Step, index: number): void {
    const at = new At(this, step, index);
    const facts = this.before?.broken.has(step) ? [] : (ruleOf(step)?.(at) ?? []);
    for (const [i, out] of step.outs.entries()) if (!out.constant) this.set(out, facts[i] ?? {}, step);
  }

  private set(value: Value, fact: Fact, step: Step): void {
    const isTouched = this.isTouched(step);
    const isKnown = fact.dims && fact.dims.length <= mostDims;
    const known: Fact = isKnown ? fact : isTouched ? {} : { dims: this.declaredDims(value) };
    this.facts.set(value, known);
    if (!this.before) return;
    const old = this.before.of(value);
    const given = this.plan!.replaced.get(value);
    if (given) this.setGiven(value, given, old, step);
    const isEqual =
      known.dims && old.dims && sameSizes(known.dims, old.dims) && sameSizes(known.elements ?? [], old.elements ?? []);
    if (given || (isTouched && !isEqual)) this.changed.add(value);
  }

  private setGiven(value: Value, given: readonly (string | number)[], old: Fact, step: Step): void {
    const dims = this.dimsOf(given, value);
    if (old.dims && old.dims.length !== dims.length)
      throw new Misfit(step, `makes ${inWords(old.dims)}, which the input ${inWords(dims)} cannot replace`);
    this.facts.set(value, { dims });
  }

  /** Returns dims as a file declares them. */
  private dimsOf(dims: readonly (string | number)[], { name }: Value): Dim[] {
    return dims.map((dim, i) => {
      if (typeof dim === "number" && dim > 0 && Number.isSafeInteger(dim)) return { size: fixed(dim) };
      const symbol = (typeof dim === "string" && dim) || `?${name}.${i}`;
      return { size: this.ones.has(symbol) ? fixed(1) : named(symbol) };
    });
  }

  /** Whether the shape of an input may differ from that in the file. */
  isTouched({ ins, branches }: Step): boolean {
    if (!this.plan) return false;
    const mayDiffer = (value: Value | undefined): boolean =>
      !!value && (this.changed.has(value) || this.isPlanned(value));
    return ins.some(mayDiffer) || branches.some((list) => list.some(mayDiffer));
  }
  private isPlanned(value: Value): boolean {
    const { shapes, wanted, replaced } = this.plan!;
    return shapes.has(value) || wanted.has(value) || replaced.has(value);
  }

  private declaredDims(value: Value): readonly Dim[] | undefined {
    const dims = this.declared.of(value)?.dims;
    return dims && dims.length <= mostDims ? this.dimsOf(dims, value) : undefined;
  }

  /** Returns the known facts about a value. */
  of(value: Value): Fact {
    if (value.constant) return this.constantFact(value);
    const known = this.facts.get(value);
    if (known) return known;
    if (!value.isGiven) return {};
    const wanted = this.plan?.wanted.get(value);
    const dims = this.declaredDims(value)?.map((dim, index) => {
      if (!isFixed(dim.size) || value.graph.parent) return dim;
      return { size: fixed(wanted?.get(index) ?? dim.size.factor), from: { value, index } };
    });
    return { dims };
  }

  private constantFact(value: Value): Fact {
    const given = this.plan?.replaced.get(value);
    if (given) return { dims: this.dimsOf(given, value) };
    const changed = this.plan?.shapes.get(value);
    const dims = (changed?.dims ?? value.constant!.tensor.dims).map((dim) => ({ size: fixed(dim) }));
    const old = this.constants.integersOf(value);
    if (!old || dims.length > 1) return { dims };
    if (changed) {
      const isShort = changed.numbers.length === old.length;
      return {
        dims,
        elements: isShort ? Array.from(changed.numbers, (number) => ({ size: fixed(number) })) : undefined,
      };
    }
    const wanted = this.plan?.wanted.get(value);
    const elements = old.map((number, index) => ({
      size: fixed(wanted?.get(index) ?? number),
      from: { value, index },
    }));
    return { dims, elements };
  }

  numbersOf(value: Value | undefined): readonly number[] | undefined {
    return value?.constant && !this.plan?.shapes.has(value) ? this.constants.numbersOf(value) : undefined;
  }
  filledWith(step: Step): number | undefined {
    return this.constants.filling.get(step);
  }
}
