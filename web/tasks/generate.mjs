// Generates the TypeScript spec types and the README's list from describe(): the only list of methods is in C++.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import prettier from "prettier";
import { byFamily, typeName } from "./families.mjs";
import { modelTypesFile } from "./models.mjs";
import { inRoot } from "./prepare.mjs";

function typeOf({ type, choices, default: standard, required }) {
  if (type === "choice") return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  if (type === "boolean") return "boolean";
  const numbers = type === "numbers" ? "readonly number[] | Float32Array | Float64Array" : "number";
  return standard === null && !required ? `${numbers} | null` : numbers;
}

function fieldText(field) {
  const notes = [
    field.unit && `unit: ${field.unit}`,
    field.min !== null && `≥ ${field.min}`,
    field.max !== null && `≤ ${field.max}`,
  ];
  const range = field.type === "choice" || field.type === "boolean" ? "" : ` (${notes.filter(Boolean).join(", ")})`;
  const standard = field.required ? "" : ` Default ${JSON.stringify(field.default)}.`;
  return `/** ${field.doc}${range}${standard} */\n${field.name}${field.required ? "" : "?"}: ${typeOf(field)};`;
}

const parameterText = ({ name, axes, doc }) =>
  `/** ${doc} [${axes}]; default: the initial values of an untrained encoding. */\n${name}?: ParameterData;`;

const specText = ({ kind, title, source, fields, parameters }) =>
  `/** ${title}. Source: ${source}. */\nexport interface ${typeName(kind)} {\nkind: ${JSON.stringify(kind)};\n${[...fields.map(fieldText), ...parameters.map(parameterText)].join("\n")}\n}`;

function kindsWith(descriptions) {
  const calls = new Set(descriptions.flatMap(({ calls: [first] }) => first ?? []));
  return [...calls].map((call) => {
    const kinds = descriptions.filter(({ calls: [first] }) => first === call);
    const all = [...new Set(kinds.flatMap(({ calls }) => calls))].map((name) => `\`${name}\``);
    return `/** Kinds with ${all.join(", ")}. */\n${call}: ${kinds.map(({ kind }) => JSON.stringify(kind)).join(" | ")};`;
  });
}

function moduleText(descriptions) {
  const kinds = descriptions.map(({ kind }) => typeName(kind)).join(" | ");
  const kindsOf = byFamily(descriptions).map(({ family, what, members }) => {
    const names = members.map(({ kind }) => JSON.stringify(kind));
    return `/** ${what[0].toUpperCase()}${what.slice(1)}. */\n${family}: ${names.join(" | ")};`;
  });
  return `// Generated from the C++ core by web/tasks/generate.mjs; do not edit.
import type { ParameterData } from "./types.js";

${descriptions.map(specText).join("\n\n")}

/** Any encoding's spec. */
export type Spec = ${kinds};

/** Any encoding's kind. */
export type Kind = Spec["kind"];

/** The kinds of each family. */
export interface KindsOf {
${kindsOf.join("\n")}
}

/** The kinds whose class has more calls than the family's, by the first of these calls. */
export interface KindsWith {
${kindsWith(descriptions).join("\n")}
}

/** The families of encodings. */
export type Family = keyof KindsOf;
`;
}

/** Returns the descriptions of a built core. */
export async function describe(glueUrl, wasmBytes) {
  const { default: createModule } = await import(glueUrl.href);
  const wasm = await WebAssembly.compile(wasmBytes);
  const core = await createModule({
    instantiateWasm: (imports, done) => (WebAssembly.instantiate(wasm, imports).then(done), {}),
  });
  return JSON.parse(core.describe());
}

/** Returns the number of the first call of each part but the base, from the number of calls of each. */
function firstCalls(parts) {
  let first = 0;
  const all = parts.map(([part, count]) => [part, (first += count) - count]);
  return Object.fromEntries(all.slice(1));
}

/** Returns the interface between TypeScript and the core: numbers of calls and enums, and parameters of calls. */
function callsText({ digest, parts, operations, enums, composites }) {
  const entry = ([name, type]) => (type in composites ? `...${name}: ${type}` : `${name}: ${type}`);
  const tuple = (entries) => `[${entries.map(entry).join(", ")}]`;
  const constEnum = (name, names) => `export const enum ${name} {\n${names.map((each) => `${each},`).join("\n")}\n}`;
  const calls = Object.entries(operations).map(([name, entries]) => `[Operation.${name}]: ${tuple(entries)};`);
  return `// Generated from the C++ core by web/tasks/generate.mjs; do not edit.
import type { Address, Handle, List, PositionRegion, Region } from "./regions.js";

/** Digest of the declarations below. A core with another digest has another version. */
export const schema = ${digest};

/** The calls of the core, by number. */
${constEnum("Operation", Object.keys(operations))}

/** The number of the first call of each part of the core. Calls before them are of the base. */
export const firstCalls = ${JSON.stringify(firstCalls(parts))} as const;

${Object.entries(enums)
  .map(([name, names]) => constEnum(name, names))
  .join("\n\n")}

${Object.entries(composites)
  .map(([name, fields]) => `export type ${name} = ${tuple(fields)};`)
  .join("\n\n")}

/** Parameters of each call, in order. */
export interface Calls {
${calls.join("\n")}
}
`;
}

/** Returns the README's list of encodings: the kinds of each family, with examples. */
function readmeList(descriptions) {
  const sections = byFamily(descriptions).map(({ title, what, class: className, members }) => {
    const links = members.map(({ kind }) => `[\`${kind}\`](examples/kinds/${kind}.js)`);
    return `**${title}** (\`${className}\`): ${what}.\n${links.join(" ·\n")}`;
  });
  return sections.join("\n\n");
}

/** Returns a page with all encodings for readers of the repository; the API documentation has a page for each. */
function encodingsPage(descriptions) {
  const sections = byFamily(descriptions).map(({ title, what, class: className, members }) => {
    const rows = members.map(
      ({ kind, title, source }) => `| [\`${kind}\`](../../examples/kinds/${kind}.js) | ${title} | ${source} |`,
    );
    const heads = ["| kind | name | source |", "|---|---|---|"];
    return `## ${title}\n\n\`${className}\`: ${what}.\n\n${[...heads, ...rows].join("\n")}`;
  });
  const about = `Each kind links to a program that uses it. \`describe()\` of \`posenc/explain\` returns formulas, fields and defaults; the API
documentation (\`npm start\`, then <http://localhost:4173/api/>) shows them as pages.`;
  return `---\ntitle: Encodings\n---\n\n# Encodings\n\n${about}\n\n${sections.join("\n\n")}\n`;
}

function writeIfChanged(file, text) {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}

/**
 * Returns the texts of describe() as a module, a line for each field; the wasm does not contain them. Titles and
 * meanings of fields are separate: explain() and compare() need no others.
 */
function proseText(descriptions) {
  const table = (of) => descriptions.map((each) => `  ${JSON.stringify(each.kind)}: ${of(each)},`).join("\n");
  const entries = (items, of) =>
    `{${items.map((item) => `\n    ${JSON.stringify(item.name)}: ${JSON.stringify(of(item))},`).join("")}}`;
  const rest = ({ formula, source, shapes, fields, parameters }) =>
    `{\n    ...${JSON.stringify({ formula, source, shapes })},\n    fields: ${entries(fields, ({ unit, example }) => ({ unit, example }))},\n    parameters: ${JSON.stringify(parameters)},\n  }`;
  return `// Generated from the C++ core by web/tasks/generate.mjs; do not edit.
import type { KindProse } from "../base/description.js";
import type { Kind } from "../base/specs.gen.js";

export const titles: Record<Kind, string> = {
${table(({ title }) => JSON.stringify(title))}
};

/** Description of each field. */
export const fieldDocs: Record<Kind, Record<string, string>> = {
${table(({ fields }) => entries(fields, ({ doc }) => doc))}
};

export const prose: Record<Kind, KindProse> = {
${table(rest)}
};
`;
}

/** What it takes to make an encoding of each kind. */
function kindsText(descriptions) {
  const kinds = descriptions.map(({ kind, family, fields, parameters, calls }) => {
    const defaults = Object.fromEntries(fields.map((field) => [field.name, field.default]));
    const facts = [family, defaults, parameters.map(({ name }) => name), calls];
    return `${JSON.stringify(kind)}: ${JSON.stringify(facts)},`;
  });
  return `// Generated from the C++ core by web/tasks/generate.mjs; do not edit.
import type { KindFacts } from "./description.js";
import type { Kind } from "./specs.gen.js";

/** Facts to create each kind, in the order of the core's list. */
export const kinds: Record<Kind, KindFacts> = {
${kinds.join("\n")}
};
`;
}

/** What each field accepts. */
function fieldsText(descriptions) {
  const kinds = descriptions.map(({ kind, fields }) => {
    const facts = fields.map(({ name, type, required, min, max, choices }) =>
      [name, type, required ? 1 : 0, min, max, choices].filter((fact) => fact !== undefined),
    );
    return `${JSON.stringify(kind)}: ${JSON.stringify(facts)},`;
  });
  return `// Generated from the C++ core by web/tasks/generate.mjs; do not edit.
import type { FieldLimits } from "./description.js";
import type { Kind } from "./specs.gen.js";

/** The fields of each kind, without their defaults, which kinds.gen.ts has. */
export const fields: Record<Kind, readonly FieldLimits[]> = {
${kinds.join("\n")}
};
`;
}

/** Returns the version of package.json, which CMakeLists.txt also reads for C++ programs. */
function versionText() {
  const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  const [major, minor, patch] = version.split(/[.-]/);
  return `// Generated from package.json by web/tasks/generate.mjs; do not edit.
#pragma once

#define POSENC_VERSION_MAJOR ${major}
#define POSENC_VERSION_MINOR ${minor}
#define POSENC_VERSION_PATCH ${patch}
#define POSENC_VERSION "${version}"
`;
}

/** kinds.gen.ts of the site: names and families of the kinds. */
function namesText(descriptions) {
  const names = descriptions.map(({ kind, title, name }) => [kind, name || title]);
  const families = descriptions.map(({ kind, family }) => [kind, family]);
  return `// Generated from the C++ core by web/tasks/generate.mjs; do not edit.

export const kinds = ${JSON.stringify(Object.fromEntries(names))};

export const families = ${JSON.stringify(Object.fromEntries(families))};
`;
}

/** Returns the committed files that are generated from describe(), package.json and the models. */
export const generatedFiles = () => [
  inRoot("web", "src", "base", "specs.gen.ts"),
  inRoot("web", "src", "explain", "prose.gen.ts"),
  inRoot("web", "src", "base", "kinds.gen.ts"),
  inRoot("web", "src", "base", "fields.gen.ts"),
  inRoot("web", "src", "base", "calls.gen.ts"),
  inRoot("web", "site", "src", "text", "kinds.gen.ts"),
  inRoot("README.md"),
  inRoot("web", "docs", "encodings.md"),
  inRoot("cpp", "include", "posenc", "version.hpp"),
  modelTypesFile,
];

const formatted = (text) => prettier.format(text, { parser: "typescript", printWidth: 120 });

export async function generate(glueUrl, wasmBytes) {
  const { encodings, calls } = await describe(glueUrl, wasmBytes);
  const [specs, texts, kinds, fields, callsFile, names, readme, page, version] = generatedFiles();
  writeIfChanged(texts, proseText(encodings));
  writeIfChanged(specs, await formatted(moduleText(encodings)));
  writeIfChanged(kinds, await formatted(kindsText(encodings)));
  writeIfChanged(fields, await formatted(fieldsText(encodings)));
  writeIfChanged(callsFile, await formatted(callsText(calls)));
  writeIfChanged(names, await formatted(namesText(encodings)));
  writeIfChanged(version, versionText());
  writeIfChanged(page, encodingsPage(encodings));
  const marks = /(<!-- encodings: [^>]*-->\n)[^]*(<!-- \/encodings -->)/;
  writeIfChanged(
    readme,
    readFileSync(readme, "utf8").replace(marks, (_, open, close) => `${open}${readmeList(encodings)}\n${close}`),
  );
}
