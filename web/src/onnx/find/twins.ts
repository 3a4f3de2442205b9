// Rotations that one layer computes several times, for queries and for keys, are one component.
import type { PositionalComponent } from "../component.js";
import type { FoundRotation } from "./rotary.js";

/** Returns the properties that equal rotations of the same layers share. */
function keyOf({
  form,
  changeable,
  layers,
  pairing,
  rows,
  type,
  attentionFactor,
  frequencies,
  spec,
}: PositionalComponent): string {
  const numbers = Array.from(frequencies ?? []).join();
  return JSON.stringify([form, changeable, layers, pairing, rows, type, attentionFactor, numbers, spec]);
}

const joined = (first: readonly string[], second: readonly string[]): string[] => [...new Set([...first, ...second])];

/** Returns each component once, with the equal ones in its `twins`. */
export function mergeTwins(
  rotations: readonly (readonly [PositionalComponent, FoundRotation])[],
): readonly (readonly [PositionalComponent, FoundRotation])[] {
  const merged = new Map<string, readonly [PositionalComponent, FoundRotation]>();
  rotations.forEach(([component, found], i) => {
    const key = component.layers.length > 0 ? keyOf(component) : String(i);
    const [first, firstFound] = merged.get(key) ?? [];
    if (!first || !firstFound) return void merged.set(key, [component, found]);
    const where = {
      tensors: joined(first.where.tensors, component.where.tensors),
      nodes: joined(first.where.nodes, component.where.nodes),
    };
    merged.set(key, [
      { ...first, where },
      { ...firstFound, twins: [...(firstFound.twins ?? []), found] },
    ]);
  });
  return [...merged.values()];
}
