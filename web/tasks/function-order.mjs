// The order of a module's functions. gzip finds what repeats only within 32 KB: functions with equal pieces are put next to
// each other, as those of one template for several types are, which makes a module smaller by 2 %.
import { deflateRawSync } from "node:zlib";
import { sectionOf } from "./wasm-section.mjs";

/** How far back gzip finds repetitions, in bytes. */
const windowSize = 32_768;
/** Pieces of a function that others may have: so many lines of its text. */
const pieceLines = 3;
/** Pieces that more functions have say little. */
const mostOwners = 80;
/** How much a function's likeness to the last but one counts, beside that to the last. */
const fading = 0.95;
const leastWeight = 0.02;
/** How many of the most similar functions are compressed to find the best. */
const candidates = 12;

/** Returns the code of each function of a module. */
function bodiesOf(bytes) {
  const { number, take } = sectionOf(bytes, 10);
  return Array.from({ length: number() }, () => take(number()));
}

/** Returns the text before the functions, each function's name and lines, and the text after them. */
function functionsIn(text) {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => line.startsWith(" (func $"));
  const functions = [];
  let at = from;
  for (let name; (name = /^ \(func \$(\S+?)(?:[ )]|$)/.exec(lines[at])?.[1]);) {
    const start = at;
    // On one line, or up to the bracket on a line of its own.
    if (!lines[at++].endsWith("))")) while (lines[at++] !== " )");
    functions.push({ name, lines: lines.slice(start, at) });
  }
  return { before: lines.slice(0, from), functions, after: lines.slice(at) };
}

/** For each function, the others that share pieces with it, and how many. */
function likenesses(functions) {
  const owners = new Map();
  const pieces = functions.map(({ lines }) => {
    const trimmed = lines.slice(1).map((line) => line.trim());
    return new Set(trimmed.map((_, i) => trimmed.slice(i, i + pieceLines).join("\n")));
  });
  for (const [index, own] of pieces.entries())
    for (const piece of own) owners.set(piece, [...(owners.get(piece) ?? []), index]);
  return pieces.map((own, index) => {
    const shared = new Map();
    for (const piece of own) {
      const all = owners.get(piece);
      if (all.length > mostOwners) continue;
      for (const other of all)
        if (other !== index) shared.set(other, (shared.get(other) ?? 0) + 1 / pieces[other].size);
    }
    return shared;
  });
}

/** Returns the names of a module's functions, each near those that it resembles. */
export function orderOf(text, bytes) {
  const { functions } = functionsIn(text);
  const bodies = bodiesOf(bytes);
  if (bodies.length !== functions.length) throw new Error("the text of a module has other functions");
  const alike = likenesses(functions);
  const packed = (index, dictionary) => deflateRawSync(bodies[index], { level: 9, dictionary }).length;
  const alone = bodies.map((_, index) => packed(index));
  const left = new Set(functions.keys());
  const order = [];
  let recent = Buffer.alloc(0);
  for (let next = 0; next !== undefined;) {
    order.push(next);
    left.delete(next);
    recent = Buffer.concat([recent, bodies[next]]).subarray(-windowSize);
    const scores = new Map();
    for (let back = 1, weight = 1; back <= order.length && weight > leastWeight; back++, weight *= fading)
      for (const [other, share] of alike[order.at(-back)])
        if (left.has(other)) scores.set(other, (scores.get(other) ?? 0) + weight * share);
    const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, candidates);
    const costs = best.map(([index]) => [index, packed(index, recent) / alone[index]]);
    [next] = costs.sort(([, a], [, b]) => a - b)[0] ?? left;
  }
  return order.map((index) => functions[index].name);
}

/** Returns the text of a module with its functions in this order; those without a place in it come last. */
export function inOrder(text, order) {
  const { before, functions, after } = functionsIn(text);
  const at = new Map(order.map((name, index) => [name, index]));
  const sorted = functions.sort((a, b) => (at.get(a.name) ?? order.length) - (at.get(b.name) ?? order.length));
  return [...before, ...sorted.flatMap(({ lines }) => lines), ...after].join("\n");
}
