// Suggests names for unknown ones: names of other libraries, and typing errors.

/** `target:name,name target|target:name …`, names in lower case without separators. After "=" a target's value. */
export type Aliases = string;

const optionAliases: Aliases =
  "learningRate:lr offset:start,past,startpos,pastlength,cacheposition,positionoffset " +
  "length|capacity|queries|grid:length,seqlen,maxlen,maxlength,maxseqlen,numpositions,size,maxcachelen " +
  "queries:q,tq,qlen,querylength keys:k,tk,klen,keylength attentionMask:keypaddingmask " +
  "heads:nheads,numheads,numkeyvalueheads dim:headdim,headsize,dmodel,hiddensize from|grid:shape " +
  "positions|at={positions}:ids,positions,positionids encoding:rotary,rope window|policy={window}:window,windowsize,slidingwindow policy={window,sinks}:sinks";

/** A name without case and separators. */
const plain = (text: string): string => text.toLowerCase().replace(/[\W_]/g, "");

/** Returns the names that other libraries' `name` may mean; undefined if no other library has it. */
export function aliasesOf(name: string, aliases: Aliases): string[] | undefined {
  for (const line of aliases.split(" ")) {
    const [targets, names] = line.split(":") as [string, string];
    if (names.split(",").includes(plain(name))) return targets.split("|");
  }
  return undefined;
}

/** Returns the names in `known` that were probably meant, most likely first. */
export function meantBy(name: string, known: readonly string[], aliases: Aliases = optionAliases): string[] {
  const meant = aliasesOf(name, aliases);
  if (meant) return meant.filter((target) => known.includes(target.split("=")[0]!));
  const rated = known.map((candidate) => ({ candidate, cost: costOf(name, candidate) }));
  const [best] = rated.sort((a, b) => a.cost - b.cost);
  return best && best.cost <= 0.43 ? [best.candidate] : [];
}

/** Formats the target of an alias as code. */
export const spelled = (target: string): string => target.replace("=", ": ");

/** Returns the words of a name in camelCase or with separators. */
const wordsOf = (name: string): string[] => name.split(/[\W_]|(?=[A-Z])/).map(plain);

/** Returns the difference of two names: 0 for equal names, 1 for names with nothing in common. */
function costOf(name: string, candidate: string): number {
  const [input, word] = [plain(name), plain(candidate)];
  if (input === word) return 0;
  const [short, long, whole] = input.length < word.length ? [input, word, candidate] : [word, input, name];
  if (long.length > 50) return 1;
  const isInside = long.startsWith(short) || (short.length > 3 ? long.includes(short) : wordsOf(whole).includes(short));
  // Names that contain the given one are likelier than names that it contains.
  if (short.length > 2 && isInside) return (long === input ? 0.35 : 0.3) + (long.length - short.length) / 1000;
  return distance(input, word) / long.length;
}

/** Returns the number of letters to add, remove, change, or swap with their neighbour. */
function distance(a: string, b: string): number {
  const cost = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? cost[i - 2]![j - 2]! + 1 : Infinity;
      const changed = cost[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      cost[i]![j] = Math.min(cost[i - 1]![j]! + 1, cost[i]![j - 1]! + 1, changed, swapped);
    }
  return cost[a.length]![b.length]!;
}

/** Returns the message for an unknown name, with the name that was probably meant and the known names. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const [meant] = meantBy(name, known);
  const hint = meant ? ` (did you mean \`${spelled(meant)}\`?)` : "";
  return `unknown ${what}${hint}; known are ${known.join(", ")}`;
}
