// A file with some messages changed: what is not named stays byte for byte, and the lengths around a change follow it.
import { joined, varint } from "./encode.js";
import type { Source } from "./source.js";
import { Fields, WireType, type FieldRange, type Pieces, type Range } from "./wire.js";

/** Bytes of the source, or new ones. */
export type Part = Range | Uint8Array;

/** What stands at a place: before the field that begins at `at`, or in place of a field's value or of a whole field. */
export type Edit =
  | { readonly kind: "insert"; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: "value"; readonly field: FieldRange; readonly bytes: Uint8Array }
  | { readonly kind: "remove"; readonly field: FieldRange };

const placeOf = (edit: Edit): number => (edit.kind === "insert" ? edit.at : edit.field.tag);

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
  const left = [...edits];
  const insert = (at: number): void => {
    while (left[0]?.kind === "insert" && left[0].at <= at) push(out, (left.shift() as { bytes: Uint8Array }).bytes);
  };
  for (const fields = new Fields(pieces, message); fields.advance();) {
    insert(fields.tag);
    const inside: Edit[] = [];
    while (left[0] && placeOf(left[0]) < fields.end && !(left[0].kind === "insert" && left[0].at === fields.end))
      inside.push(left.shift()!);
    const [first] = inside;
    const whole = first && first.kind !== "insert" && first.field.tag === fields.tag ? first : undefined;
    if (whole?.kind === "remove") continue;
    if (inside.length === 0 || fields.type !== WireType.bytes) {
      push(out, { start: fields.tag, end: fields.end });
      continue;
    }
    const content = whole?.kind === "value" ? [whole.bytes] : changed(pieces, fields.range, inside);
    push(out, Uint8Array.from([...varint(fields.number * 8 + fields.type), ...varint(total(content))]));
    for (const part of content) push(out, part);
  }
  insert(message.end);
  return out;
}

/** The parts of the changed file, in order. */
export function patched(pieces: Pieces, edits: readonly Edit[]): Part[] {
  const whole = { start: 0, end: pieces.size };
  if (edits.length === 0) return [whole];
  return changed(
    pieces,
    whole,
    [...edits].sort((a, b) => placeOf(a) - placeOf(b)),
  );
}

/** Bytes of the source that are asked for at once. */
const mostAtOnce = 4194304;

/** The parts one after the other: of the source no more at once than a few megabytes. */
export async function* chunksOf(source: Source, parts: readonly Part[]): AsyncGenerator<Uint8Array, void> {
  for (const part of parts)
    if (part instanceof Uint8Array) yield part;
    else
      for (let at = part.start; at < part.end; at += mostAtOnce)
        yield await source.read(at, Math.min(mostAtOnce, part.end - at));
}

export async function bytesOf(source: Source, parts: readonly Part[]): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = parts.map((part) =>
    part instanceof Uint8Array ? part : source.read(part.start, part.end - part.start),
  );
  return joined(await Promise.all(bytes));
}
