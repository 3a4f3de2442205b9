// Modules with texts from the methods' headers: sentences for explain(), and names for the site.

/** Names that sentences may use besides the fields of specs. */
const facts = ["wavelengths", "slopes"];
const words = ["about", "and", "choose", "extent", "list", "plural", "range"];

/** Converts a sentence of a method's header to a function: text in braces, which may be nested, is an expression. */
function sentenceText({ kind, fields, summary }) {
  const braces = /\{((?:[^{}]|\{[^{}]*\})*)\}/g;
  const code = [...summary.matchAll(braces)].map(([, expression]) => expression.replace(/"[^"]*"|'[^']*'/g, ""));
  const named = (name) => code.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  const taken = [...fields.map(({ name }) => name), ...facts].filter(named);
  const text = summary.replace(braces, (_, expression) => `\${${expression}}`);
  return `${JSON.stringify(kind)}: (${taken.length ? `{ ${taken.join(", ")} }` : ""}) => \`${text}\`,`;
}

/** sentences.gen.ts */
export const sentencesText = (descriptions) => `// Generated from the C++ core by web/tasks/generate.mjs; do not edit.
import type { Kind } from "../base/specs.gen.js";
import { ${words.join(", ")} } from "./words.js";

/** Describes each method, from the fields of a spec and facts about the encoding. */
export const sentenceOf: Record<Kind, (numbers: Record<string, any>) => string> = {
${descriptions.map(sentenceText).join("\n")}
};
`;

/** kinds.gen.ts of the site: the names of the kinds, by language. */
export function namesText(descriptions) {
  const english = descriptions.map(({ kind, title, name }) => [kind, name || title]);
  const chinese = descriptions.map(({ kind, chinese }, i) => [kind, chinese || english[i][1]]);
  return `// Generated from the C++ core by web/tasks/generate.mjs; do not edit.

export const kinds = ${JSON.stringify({ en: Object.fromEntries(english), "zh-CN": Object.fromEntries(chinese) })};

export const families = ${JSON.stringify(Object.fromEntries(descriptions.map(({ kind, family }) => [kind, family])))};
`;
}
