// The constant data of a build, by what uses it: data that only functions of a part refer to goes with that part.
import { bytesOf } from "./call-graph.mjs";

/** Code may refer to a table by an address somewhat before or after it, to which it adds an index. */
const margin = 16;
/** Shorter gaps between pieces of data are filled: a segment of its own would take more bytes. */
const smallestGap = 10;

/** Returns the constants: those that the linker names, and each text of the block in which it merges texts. */
function constantsOf({ constants, memory }) {
  const found = [];
  for (const { at, size, name, isReadOnly } of constants) {
    if (!isReadOnly) continue;
    if (name !== "") {
      found.push({ from: at, to: at + size, margin, users: new Set() });
      continue;
    }
    for (let from = at, to; from < at + size; from = to) {
      to = memory.indexOf(0, from) + 1;
      found.push({ from, to, margin: 0, users: new Set() });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

/** Notes which parts have functions that refer to each constant. */
function noteFunctions(found, { functions }, placed) {
  const parts = new Map();
  for (const [part, names] of placed)
    for (const name of names)
      for (const number of functions.get(name).constants) parts.set(number, (parts.get(number) ?? new Set()).add(part));
  for (const one of found)
    for (let address = one.from - one.margin; address < one.to + one.margin; address++)
      parts.get(address)?.forEach((part) => one.users.add(part));
}

/** Each constant with those that it points to: any of its words that is an address in one counts as a pointer. */
function pointersIn(found, memory) {
  const owner = new Map();
  for (const one of found) for (let address = one.from; address < one.to; address++) owner.set(address, one);
  return found.map((one) => {
    const pointed = new Set();
    for (let at = Math.ceil(one.from / 4) * 4; at + 4 <= one.to; at += 4)
      pointed.add(owner.get(memory.readUInt32LE(at)));
    pointed.delete(undefined);
    return [one, pointed];
  });
}

/** Whatever uses a constant uses what that points to. */
function spread(pointers) {
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const [{ users }, pointed] of pointers)
      for (const other of pointed) {
        const before = other.users.size;
        users.forEach((part) => other.users.add(part));
        hasChanged ||= other.users.size > before;
      }
  }
}

/** The part whose data it is. Every part but `resize` loads attention, too. */
function homeOf(users) {
  if (users.has("base")) return "base";
  if (users.size === 1) return [...users][0];
  return users.has("resize") ? "base" : "attention";
}

/** Returns the pieces of memory, as [from, to], that only a part uses, for each part. */
export function dataOfParts(graph, placed) {
  const found = constantsOf(graph);
  noteFunctions(found, graph, placed);
  const pointers = pointersIn(found, graph.memory);
  spread(pointers);
  for (const { users } of found) if (users.size === 0) users.add("base");
  spread(pointers);
  const pieces = new Map([...placed.keys()].map((part) => [part, []]));
  for (const { from, to, users } of found) pieces.get(homeOf(users)).push([from, to]);
  pieces.delete("base");
  return pieces;
}

/** Joins pieces that are next to each other, or nearly. */
function joined(pieces) {
  const runs = [];
  for (const [from, to] of pieces) {
    const last = runs.at(-1);
    if (last && from - last[1] < smallestGap) last[1] = to;
    else runs.push([from, to]);
  }
  return runs;
}

const dataLine = /^ \(data \$\S+ \(i32\.const (\d+)\) "(.*)"\)$/;

function segment(memory, [from, to]) {
  const bytes = [...memory.subarray(from, to)].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`);
  return ` (data (i32.const ${from}) "${bytes.join("")}")`;
}

/** Returns the text of a part with its data. */
export function withData(text, { memory }, pieces) {
  const segments = joined(pieces).map((run) => segment(memory, run));
  return `${text.slice(0, text.lastIndexOf(")"))}${segments.map((one) => `${one}\n`).join("")})\n`;
}

/** Returns the text of the base without the data of parts. What it may refer to by any of its numbers stays. */
export function withoutData(text, { memory }, pieces) {
  const inCode = text.matchAll(/^ {2}.*?(?:\(i32\.const |offset=)(\d+)/gm);
  const numbers = new Set(Array.from(inCode, ([, number]) => Number(number)));
  const isNamed = ([from, to]) => Array.from({ length: to - from }, (_, i) => from + i).some((at) => numbers.has(at));
  const taken = pieces.filter((piece) => !isNamed(piece)).sort(([a], [b]) => a - b);
  const rest = ([from, to]) => {
    const inside = taken.filter(([start, end]) => start < to && end > from);
    const starts = [from, ...inside.map(([, end]) => end)];
    const ends = [...inside.map(([start]) => start), to];
    return starts.map((start, i) => [start, ends[i]]).filter(([start, end]) => start < end);
  };
  const line = (line) => {
    const [, from, content] = dataLine.exec(line) ?? [];
    if (from === undefined) return line;
    const whole = [Number(from), Number(from) + bytesOf(content).length];
    return joined(rest(whole)).map((run) => segment(memory, run));
  };
  return text.split("\n").flatMap(line).join("\n");
}
