// Constants that several positional components read. Each component gets the values that were chosen for it: components that were
// given other values than the rest read a copy.
import { PosencError } from "../../base/errors.js";
import type { Change, Changes } from "./changes.js";
import type { ElementOptions } from "./new-elements.js";
import { copyConstant } from "./copies.js";
import type { PositionalComponent } from "../component.js";
import type { Found } from "../find/find.js";
import { nameComponent, nameLayers } from "../audit/finding.js";
import type { Step, Value } from "../read/flow.js";
import { withTwins, type FoundRotation } from "../find/rotary.js";

/** A constant with values of a component. */
interface Reading {
  readonly value: Value;
  /** Steps through which the component reads it; undefined: the graph does not show them. */
  readonly readers?: readonly Step[];
}

function readingsOfRotation({ parts }: FoundRotation): Reading[] {
  if (parts.form === "tables") return [...new Set([parts.cos, parts.sin])].map((value) => ({ value }));
  return parts.value.constant ? [{ value: parts.value, readers: [parts.product] }] : [];
}

/** The constants that a rewrite may write for a component. */
function readingsOf(found: Found): Reading[] {
  if ("note" in found) return [];
  if ("frequencies" in found) return withTwins(found).flatMap(readingsOfRotation);
  if ("parts" in found) {
    const { parts } = found;
    if (parts.form === "buckets") return [{ value: parts.spread, readers: [parts.chain[2]] }];
    return parts.form === "windowed" ? [] : [{ value: parts.value }];
  }
  return [{ value: found.value, readers: found.steps }];
}

/** New values of a constant, with the components that they are for. */
interface Group {
  readonly founds: Set<Found>;
  readonly numbers: ArrayLike<number>;
  readonly more: ElementOptions;
  readonly change: { -readonly [Name in keyof Change]: Change[Name] };
  /** The option that chose them. */
  readonly option: string;
}

/** New values for a constant of some components. */
export interface Chosen extends ElementOptions {
  /** Equal for components that get equal values. */
  readonly key: string;
  readonly numbers: ArrayLike<number>;
  /** Description of the new values. */
  readonly what: string;
  /** The option that chose them. */
  readonly option: string;
}

export class SharedConstants {
  private readonly readings = new Map<Value, Map<Found, readonly Step[] | undefined>>();
  private readonly groups = new Map<Value, Map<string, Group>>();
  private readonly components = new Map<Found, PositionalComponent>();

  constructor(
    private readonly changes: Changes,
    components: ReadonlyMap<PositionalComponent, Found>,
  ) {
    for (const [component, found] of components) {
      this.components.set(found, component);
      for (const { value, readers } of readingsOf(found)) {
        const byFound = this.readings.get(value) ?? new Map<Found, readonly Step[] | undefined>();
        const before = byFound.get(found);
        this.readings.set(value, byFound.set(found, readers && [...(before ?? []), ...readers]));
      }
    }
  }

  /** Returns the components that have their values in a constant. */
  readersOf(value: Value): Found[] {
    return [...(this.readings.get(value)?.keys() ?? [])];
  }

  /** Adds a component to those that get values that were chosen before. Returns their dims; undefined: there are none. */
  join(found: Found, value: Value, key: string): readonly number[] | undefined {
    const group = this.groups.get(value)?.get(key);
    group?.founds.add(found);
    return group && (group.more.dims ?? value.constant!.tensor.dims);
  }

  /** Chooses values for a constant of some components. The file has them after `write`. */
  choose(founds: readonly Found[], value: Value, { key, numbers, what, option, ...more }: Chosen): void {
    const groups = this.groups.get(value) ?? new Map<string, Group>();
    this.groups.set(value, groups);
    const known = groups.get(key);
    if (known) for (const found of founds) known.founds.add(found);
    else {
      const change = this.changes.record(value.name, what);
      groups.set(key, { founds: new Set(founds), numbers, more, change, option });
    }
  }

  /**
   * Writes all chosen values. Throws `unsupported` if components with different new values share a constant
   * inseparably.
   */
  write(): void {
    for (const [value, byKey] of this.groups) {
      const groups = [...byKey.values()];
      const chosen = new Set(groups.flatMap(({ founds }) => [...founds]));
      const isKept = this.readersOf(value).some((found) => !chosen.has(found));
      const [first, ...others] = groups;
      if (!isKept) this.changes.writeElements(value, first!.numbers, first!.more);
      for (const group of isKept ? groups : others) this.copy(value, group);
    }
  }

  private copy(value: Value, { founds, numbers, more, change, option }: Group): void {
    const readings = this.readings.get(value)!;
    const readers = new Set<Step>();
    const [one] = founds;
    const others = [...readings].filter(([found]) => !founds.has(found));
    for (const found of founds) {
      const own = readings.get(found);
      if (!own) throw this.inseparable(option, one!, others[0]![0], value.name);
      for (const step of own) readers.add(step);
    }
    for (const [other, steps] of others)
      for (const step of steps ?? [])
        if (readers.has(step))
          throw this.inseparable(option, one!, other, step.node.name || step.outs[0]?.name || step.op);
    change.name = copyConstant(this.changes, value, readers, numbers, more);
    const layers = nameLayers(sorted([...founds].flatMap((found) => this.components.get(found)!.layers)));
    change.what += `; a copy of ${value.name} for ${layers}`;
  }

  /** The error for two components that share a tensor or a node. */
  inseparable(option: string, one: Found, other: Found, shared: string): PosencError {
    const [first, second] = [one, other].map((found) => nameComponent(this.components.get(found)!));
    return new PosencError(
      "unsupported",
      `${option}: ${first} and ${second} share ${shared}, which cannot be copied for one of them; choose the same for both`,
      option,
    );
  }
}

const sorted = (layers: readonly number[]): number[] => [...new Set(layers)].sort((a, b) => a - b);
