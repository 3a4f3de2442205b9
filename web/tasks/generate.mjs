// From describe() to the TypeScript spec types and the README's table: there is one list of methods, in C++.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import prettier from "prettier";
import { inRoot } from "./prepare.mjs";

const classes = { table: "TableEncoding", rotary: "RotaryEncoding", bias: "BiasEncoding" };
const typeName = (kind) => kind.replace(/(^|-)(\w)/g, (_, __, letter) => letter.toUpperCase()) + "Spec";

function typeOf({ type, choices, default: standard, required }) {
  if (type === "choice") return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  if (type === "numbers") return "readonly number[] | Float32Array | Float64Array";
  if (type === "boolean") return "boolean";
  return standard === null && !required ? "number | null" : "number";
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
  `/** ${doc} [${axes}]; without it, the numbers that an untrained encoding has. */\n${name}?: ParameterData;`;

const specText = ({ kind, title, source, fields, parameters }) =>
  `/** ${title}. Source: ${source}. */\nexport interface ${typeName(kind)} {\nkind: ${JSON.stringify(kind)};\n${[...fields.map(fieldText), ...parameters.map(parameterText)].join("\n")}\n}`;

function moduleText(descriptions) {
  const kinds = descriptions.map(({ kind }) => typeName(kind)).join(" | ");
  const families = Object.entries(classes)
    .map(([family, name]) => `import type { ${name} } from "./${family}.js";`)
    .join("\n");
  const byFamily = Object.entries(classes).map(([family, name]) => {
    const members = descriptions
      .filter((description) => description.family === family)
      .map(({ kind }) => JSON.stringify(kind));
    return `K extends ${members.join(" | ")} ? ${name}<Extract<Spec, { kind: K }>> :`;
  });
  return `// Generated from the C++ core by web/tasks/generate.mjs; do not edit.
${families}
import type { ParameterData } from "./types.js";

/** The families of encodings. */
export type Family = ${Object.keys(classes)
    .map((family) => JSON.stringify(family))
    .join(" | ")};

/** One field of a spec, as describe() tells it. */
export interface FieldDescription {
  name: string;
  type: "integer" | "number" | "boolean" | "choice" | "numbers";
  required: boolean;
  default: number | boolean | string | null;
  /** A value that may stand there. */
  example: number | boolean | string | number[] | null;
  min: number | null;
  max: number | null;
  unit: string;
  doc: string;
  choices?: string[];
}

${descriptions.map(specText).join("\n\n")}

/** Any encoding's spec. */
export type Spec = ${kinds};

/** Any encoding's kind. */
export type Kind = Spec["kind"];

/** The class that create() answers with for a kind. */
export type EncodingOf<K extends Kind> = ${byFamily.join("\n")} never;
`;
}

/** Asks a built core what it knows. */
async function describe(glueUrl, wasmBytes) {
  const { default: createModule } = await import(glueUrl.href);
  const wasm = await WebAssembly.compile(wasmBytes);
  const core = await createModule({
    instantiateWasm: (imports, done) => (WebAssembly.instantiate(wasm, imports).then(done), {}),
  });
  return JSON.parse(core.describe());
}

const familyTitles = {
  table: "table, added to or set beside the features",
  rotary: "rotation of queries and keys",
  bias: "bias on attention scores",
};

/** The README's table of encodings: kind, what it is, its fields (required ones in bold). */
function readmeTable(descriptions) {
  const rows = descriptions.map(({ kind, family, title, source, fields }) => {
    const names = fields.map(({ name, required }) => (required ? `**${name}**` : name)).join(", ");
    return `| \`${kind}\` | ${title}: ${familyTitles[family]} | ${names} | ${source} |`;
  });
  return ["| kind | what it is | fields (**required**) | source |", "|---|---|---|---|", ...rows].join("\n");
}

function writeIfChanged(file, text) {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}

/** The files that are generated from describe(), and are committed. */
export const generatedFiles = () => [inRoot("web", "src", "specs.gen.ts"), inRoot("README.md")];

export async function generate(glueUrl, wasmBytes) {
  const descriptions = await describe(glueUrl, wasmBytes);
  const [specs, readme] = generatedFiles();
  writeIfChanged(specs, await prettier.format(moduleText(descriptions), { parser: "typescript", printWidth: 120 }));
  const marks = /(<!-- encodings: [^>]*-->\n)[^]*(<!-- \/encodings -->)/;
  writeIfChanged(
    readme,
    readFileSync(readme, "utf8").replace(marks, (_, open, close) => `${open}${readmeTable(descriptions)}\n${close}`),
  );
}
