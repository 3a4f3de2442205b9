// A file with some messages changed: other bytes stay unchanged, and the lengths of enclosing messages are updated.
import type { OwnedUint8Array } from "../../base/types.js";
import { joined, varint } from "./encode.js";
import type { Source } from "../../base/source.js";
import { Fields, type FieldRange, type Pieces, type Range } from "../read/protobuf.js";

/** Bytes of the source, or new ones. */
export type Part = Range | Uint8Array;

/** An edit: fields before or after a field, a new value of a field, or the removal of a field. */
export type Edit =
  | { readonly kind: "before" | "after"; readonly field: FieldRange; readonly bytes: Uint8Array }
  | { readonly kind: "value"; readonly field: FieldRange; readonly bytes: Uint8Array }
  | { readonly kind: "remove"; readonly field: FieldRange };

const lengthOf = (part: Part): number => (part instanceof Uint8Array ? part.length : part.end - part.start);
export const total = (parts: readonly Part[]): number => parts.reduce((all, part) => all + lengthOf(part), 0);

function push(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (lengthOf(part) === 0) return;
  if (last && !(last instanceof Uint8Array) && !(part instanceof Uint8Array) && last.end === part.start)
    parts[parts.length - 1] = { start: last.start, end: part.end };
  else parts.push(part);
}

function changed(pieces: Pieces, message: Range, edits: readonly Edit[]): Part[] {
  const out: Part[] = [];
  let next = 0;
  for (const fields = new Fields(pieces, message); fields.advance();) {
    const first = next;
    while (next < edits.length && edits[next]!.field.tag < fields.end) ++next;
    const own = edits.slice(first, next).filter(({ field }) => field.tag === fields.tag);
    const inside = edits.slice(first, next).filter(({ field }) => field.tag > fields.tag);
    for (const edit of own) if (edit.kind === "before") push(out, edit.bytes);
    const value = own.find(({ kind }) => kind === "value") as { bytes: Uint8Array } | undefined;
    if (value || inside.length > 0) {
      const content = value ? [value.bytes] : changed(pieces, fields.range, inside);
      push(out, Uint8Array.from([...varint(fields.number * 8 + fields.type), ...varint(total(content))]));
      for (const part of content) push(out, part);
    } else if (!own.some(({ kind }) => kind === "remove")) push(out, { start: fields.tag, end: fields.end });
    for (const edit of own) if (edit.kind === "after") push(out, edit.bytes);
  }
  return out;
}

/** The parts of the changed file, in order. */
export function patched(pieces: Pieces, edits: readonly Edit[]): Part[] {
  const whole = { start: 0, end: pieces.size };
  if (edits.length === 0) return [whole];
  return changed(
    pieces,
    whole,
    [...edits].sort((a, b) => a.field.tag - b.field.tag),
  );
}

/** Maximum number of bytes of the source that are read at once. */
const mostAtOnce = 4194304;

/** Returns the parts one after the other, at most a few megabytes of the source at once. */
export async function* chunksOf(source: Source, parts: readonly Part[]): AsyncGenerator<Uint8Array, void> {
  for (const part of parts)
    if (part instanceof Uint8Array) yield part;
    else
      for (let at = part.start; at < part.end; at += mostAtOnce)
        yield await source.read(at, Math.min(mostAtOnce, part.end - at));
}

async function bytesOf(source: Source, parts: readonly Part[]): Promise<OwnedUint8Array> {
  const bytes = parts.map((part) =>
    part instanceof Uint8Array ? part : source.read(part.start, part.end - part.start),
  );
  return joined(await Promise.all(bytes));
}

/** Returns `length` bytes of the changed file from `offset` on. */
export async function readPart(
  source: Source,
  parts: readonly Part[],
  offset: number,
  length: number,
): Promise<OwnedUint8Array> {
  const wanted: Part[] = [];
  let start = 0;
  for (const part of parts) {
    const [from, to] = [Math.max(0, offset - start), Math.min(lengthOf(part), offset + length - start)];
    start += lengthOf(part);
    if (from >= to) continue;
    wanted.push(
      part instanceof Uint8Array ? part.subarray(from, to) : { start: part.start + from, end: part.start + to },
    );
  }
  return bytesOf(source, wanted);
}
