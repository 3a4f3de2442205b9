// Mutants of the sources, C++ and TypeScript: lines with one fault, which a number switches on.

/** Replacements: [pattern, replacement, name]. Operators have spaces around them, template brackets do not. */
const shared = [
  [/ < /g, " <= ", "a border"],
  [/ <= /g, " < ", "a border"],
  [/ > /g, " >= ", "a border"],
  [/ >= /g, " > ", "a border"],
  [/ && /g, " || ", "a condition"],
  [/ \|\| /g, " && ", "a condition"],
  [/ \+ /g, " - ", "a sign"],
  [/ - /g, " + ", "a sign"],
  [/ \* /g, " / ", "a factor"],
  [/ \/ /g, " * ", "a divisor"],
  [/ % /g, " / ", "a remainder"],
  [/\btrue\b/g, "false", "a truth"],
  [/\bfalse\b/g, "true", "a truth"],
  [/(?<![.\w])1\b(?![.'])/g, "2", "off by one"],
  [/(?<![.\w])0\b(?![.'x])/g, "1", "off by one"],
  [/(?<![.\w])2\b(?![.'])/g, "3", "off by one"],
  [/!(?=[\w(])/g, "", "a dropped not"],
  [/ (\+|-) [\w.]+(?=[;,)]|$)/g, "", "a dropped term"],
];
/** Swaps functions of the standard library, whose prefix is `library`. */
const functions = (library) => [
  [new RegExp(`\\b${library}min\\b`, "g"), `${library}max`, "min for max"],
  [new RegExp(`\\b${library}max\\b`, "g"), `${library}min`, "max for min"],
  [new RegExp(`\\b${library}floor\\b`, "g"), `${library}ceil`, "a rounding"],
  [new RegExp(`\\b${library}ceil\\b`, "g"), `${library}floor`, "a rounding"],
  [new RegExp(`\\b${library}abs\\b`, "g"), "+", "a dropped abs"],
];
const languages = {
  cpp: {
    rules: [[/ == /g, " != ", "a comparison"], [/ != /g, " == ", "a comparison"], ...shared, ...functions("std::")],
    isOn: (number) => `mutant == ${number}`,
    isLeft: /^\s*(\/\/|#|static_assert|assert)|"|'/,
  },
  ts: {
    rules: [
      [/ === /g, " !== ", "a comparison"],
      [/ !== /g, " === ", "a comparison"],
      [/ \?\? /g, " && ", "a missing value"],
      ...shared,
      ...functions("Math."),
    ],
    isOn: (number) => `globalThis.isMutant?.(${number})`,
    // Skip types, docstrings and texts.
    isLeft: /^\s*(\/\/|\/?\*|(export |declare )*(type|interface|import)\b|readonly )|["'`]|: \w+ is \w+/,
  },
};

/** Returns the index of the parenthesis that closes the one at `open`; -1: it is on another line. */
function closing(text, open) {
  let depth = 0;
  for (let i = open; i < text.length; ++i) {
    if (text[i] === "(") ++depth;
    if (text[i] === ")" && --depth === 0) return i;
  }
  return -1;
}

/** Returns the expression of a line that can be replaced at run time, [start, end], and its value without a check. */
function expressionOf(line) {
  const condition = /^\s*(?:\} else )?if \(/.exec(line);
  if (condition && !/\bconstexpr\b|;/.test(line.slice(0, closing(line, condition[0].length - 1)))) {
    const end = closing(line, condition[0].length - 1);
    const error = "Error error = ";
    const isError = line.startsWith(error, condition[0].length);
    const start = condition[0].length + (isError ? error.length : 0);
    return end < 0 ? undefined : [start, end, isError ? "Error{}" : "false"];
  }
  const loop = /^\s*for \([^;]*; ([^;]+); [^;]*\)/.exec(line);
  if (loop) {
    const start = line.indexOf("; ") + 2;
    return [start, start + loop[1].length];
  }
  const value = /^\s*(?:return |[^=;(]*[^=!<>+*/|&^%-] [+*/-]?= )(?=[^={])/.exec(line);
  if (!value || !line.endsWith(";") || /\bconstexpr\b|\boperator\b|\[&|\{/.test(line)) return undefined;
  const text = line.slice(value[0].length, -1);
  // Several declarations on one line are not an expression.
  let depth = 0;
  for (const letter of text) {
    depth += "([".includes(letter) - ")]".includes(letter);
    if (depth < 0 || (letter === "," && depth === 0)) return undefined;
  }
  return depth === 0 ? [value[0].length, line.length - 1] : undefined;
}

const assignment = /^\s+[\w.>[\]()*-]+ (?:[+*/-]?=) [^;]*;$/;

/** Returns all mutants of a file: { file, line, text (of the line), name, make(number) → the line with a switch }. */
export function mutantsOf(file, source) {
  const { rules, isOn, isLeft } = languages[file.endsWith(".ts") ? "ts" : "cpp"];
  const lines = source.split("\n");
  const out = [];
  // The machine determines which branch is compiled.
  let conditions = 0;
  lines.forEach((text, index) => {
    if (/^#\s*if/.test(text)) ++conditions;
    if (/^#\s*endif/.test(text)) --conditions;
    if (conditions > 0) return;
    if (isLeft.test(text)) return;
    const add = (name, make, becomes) => out.push({ file, line: index, text: text.trim(), name, becomes, make });
    const region = expressionOf(text);
    if (region) {
      const [start, end, dropped] = region;
      const expression = text.slice(start, end);
      const put = (changed, name) => {
        const choice = (number) => `(${isOn(number)} ? (${changed}) : (${expression}))`;
        add(name, (number) => text.slice(0, start) + choice(number) + text.slice(end), changed.trim());
      };
      for (const [what, becomes, name] of rules)
        for (const match of expression.matchAll(what)) {
          const rest = expression.slice(match.index + match[0].length);
          put(expression.slice(0, match.index) + becomes + rest, name);
        }
      if (dropped) put(dropped, "a dropped check");
    }
    const before = lines[index - 1] ?? "";
    const isStatement = /[;{}]$/.test(before.trim()) && !/^\s*(return|const|using)\b/.test(text);
    if (assignment.test(text) && isStatement && !/^\s*for\b/.test(text))
      add("a dropped statement", (number) => text.replace(/^(\s+)/, `$1if (!(${isOn(number)})) `), "");
  });
  return out;
}

/** Returns a generator of random numbers in [0, 1) (SplitMix32). */
export function random(seed) {
  return () => {
    seed = (seed + 0x9e3779b9) | 0;
    let z = seed ^ (seed >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Returns `count` mutants, from all files in turn, at most one per line. */
export function choose(sources, count, seed) {
  const next = random(seed);
  const files = Object.entries(sources).map(([file, source]) => {
    const list = mutantsOf(file, source).map((mutant) => ({ mutant, order: next() }));
    return list.sort((a, b) => a.order - b.order).map(({ mutant }) => mutant);
  });
  const order = files.map((list) => ({ list, order: next() })).sort((a, b) => a.order - b.order);
  const out = [];
  const taken = new Set();
  while (out.length < count && order.some(({ list }) => list.length > 0))
    for (const { list } of order) {
      const mutant = list.shift();
      if (!mutant || out.length === count || taken.has(`${mutant.file}:${mutant.line}`)) continue;
      taken.add(`${mutant.file}:${mutant.line}`);
      out.push(mutant);
    }
  return out;
}
