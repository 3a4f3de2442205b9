// Models whose structure is another: fields that are gone, doubled, moved, or have other values. All lengths are right, so that
// mutants reach what comes after the reader.
import { join, varint } from "./onnx-proto";

type Bytes = Uint8Array<ArrayBuffer>;
type Random = (count: number) => number;
interface Layout {
  readonly [field: number]: () => Layout;
}
interface Field {
  number: number;
  type: number;
  /** The bytes of a value, or the fields of a message. */
  value: Uint8Array | Field[];
}

const leaf: Layout = {};
const pair: Layout = {};
const tensor: Layout = { 13: () => pair };
const attribute: Layout = { 5: () => tensor, 6: () => graph, 11: () => graph };
const node: Layout = { 5: () => attribute };
const dim: Layout = {};
const shape: Layout = { 1: () => dim };
const tensorType: Layout = { 2: () => shape };
const typeInfo: Layout = { 1: () => tensorType };
const info: Layout = { 2: () => typeInfo };
const graph: Layout = { 1: () => node, 5: () => tensor, 11: () => info, 12: () => info, 13: () => info };
const functions: Layout = { 7: () => node };
const model: Layout = { 7: () => graph, 8: () => leaf, 25: () => functions };

function parse(file: Uint8Array, layout: Layout): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const number = (): number => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = file[at++]!;
      value += (byte & 127) * factor;
      if (byte < 128 || at >= file.length) return value;
    }
  };
  while (at < file.length) {
    const tag = number();
    const type = tag % 8;
    const inside = type === 2 ? layout[Math.floor(tag / 8)] : undefined;
    let start = at;
    let length = type === 1 ? 8 : type === 5 ? 4 : 0;
    if (type === 0) {
      number();
      length = at - start;
      at = start;
    } else if (type === 2) {
      length = number();
      start = at;
    }
    const value = file.subarray(start, start + length);
    fields.push({ number: Math.floor(tag / 8), type, value: inside ? parse(value, inside()) : value });
    at = start + length;
  }
  return fields;
}

const encode = (fields: readonly Field[]): Bytes =>
  join(
    ...fields.flatMap(({ number, type, value }) => {
      const content = Array.isArray(value) ? encode(value) : value;
      return [varint(number * 8 + type), ...(type === 2 ? [varint(content.length)] : []), content];
    }),
  );

const odd = [0, 1, 2, 3, 4, 7, 8, 10, 11, 16, 64, 127, 65535, 2 ** 31, 2 ** 32, 2 ** 40, 2 ** 53, -1, -4, -(2 ** 31)];

/** A message of the model with its fields, the larger ones as often as the small ones. */
function messages(fields: Field[], all: Field[][] = [fields]): Field[][] {
  for (const { value } of fields)
    if (Array.isArray(value)) {
      all.push(value);
      messages(value, all);
    }
  return all;
}

function otherValue(field: Field, all: Field[][], random: Random): Field {
  const { number, type, value } = field;
  if (type === 0) return { ...field, value: Uint8Array.from(varint(odd[random(odd.length)]!)) };
  if (Array.isArray(value) || type !== 2) return field;
  const leaves = all.flat().filter((other) => other.type === 2 && !Array.isArray(other.value));
  const bytes = leaves[random(leaves.length)]!.value as Uint8Array;
  switch (random(6)) {
    case 0:
      return { ...field, value: value.subarray(0, random(value.length + 1)) };
    case 1:
      return { ...field, value: join(value, value) };
    case 2:
      return { ...field, value: Uint8Array.from({ length: random(12) }, () => random(256)) };
    case 3:
      // Packed numbers, or names that are none.
      return { number, type, value: new Uint8Array(random(300)).fill(1 + random(2)) };
    default:
      return { ...field, value: bytes.length < 200 ? bytes : value };
  }
}

/** One to four changes of what a model consists of. */
export function restructured(file: Uint8Array, random: Random): Bytes {
  const root = parse(file, model);
  for (let left = 1 + random(4); left > 0; left--) {
    const all = messages(root).filter(({ length }) => length > 0);
    const fields = all[random(all.length)];
    if (!fields) break;
    const at = random(fields.length);
    const field = fields[at]!;
    switch (random(7)) {
      case 0:
        fields.splice(at, 1);
        break;
      case 1:
        fields.splice(random(fields.length + 1), 0, structuredClone(field));
        break;
      case 2: {
        // Two change places.
        const other = random(fields.length);
        [fields[at], fields[other]] = [fields[other]!, field];
        break;
      }
      case 3:
        // The same somewhere else, as what it was there.
        all[random(all.length)]!.push(structuredClone(field));
        break;
      case 4:
        field.number = 1 + random(16);
        break;
      default:
        fields[at] = otherValue(field, all, random);
    }
  }
  return encode(root);
}
