// From describe() to TypeScript: the spec types are generated, so that there is one list of methods, in C++.
import { readFileSync, writeFileSync } from "node:fs";
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
  const notes = [field.unit && `unit: ${field.unit}`, field.min !== null && `≥ ${field.min}`, field.max !== null && `≤ ${field.max}`];
  const range = field.type === "choice" || field.type === "boolean" ? "" : ` (${notes.filter(Boolean).join(", ")})`;
  const standard = field.required ? "" : ` Default ${JSON.stringify(field.default)}.`;
  return `/** ${field.doc}${range}${standard} */\n${field.name}${field.required ? "" : "?"}: ${typeOf(field)};`;
}

const specText = ({ kind, title, source, fields }) =>
  `/** ${title}. Source: ${source}. */\nexport interface ${typeName(kind)} {\nkind: ${JSON.stringify(kind)};\n${fields.map(fieldText).join("\n")}\n}`;

function moduleText(descriptions) {
  const kinds = descriptions.map(({ kind }) => typeName(kind)).join(" | ");
  const families = Object.entries(classes)
    .map(([family, name]) => `import type { ${name} } from "./${family}.js";`)
    .join("\n");
  const byFamily = Object.entries(classes).map(([family, name]) => {
    const members = descriptions.filter((description) => description.family === family).map(({ kind }) => JSON.stringify(kind));
    return `K extends ${members.join(" | ")} ? ${name}<Extract<Spec, { kind: K }>> :`;
  });
  return `// Generated from the C++ core by web/tasks/generate.mjs; do not edit.
${families}

/** The families of encodings. */
export type Family = ${Object.keys(classes).map((family) => JSON.stringify(family)).join(" | ")};

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

export const specsFile = () => inRoot("web", "src", "specs.gen.ts");

export async function generateSpecs(glueUrl, wasmBytes) {
  const text = moduleText(await describe(glueUrl, wasmBytes));
  const pretty = await prettier.format(text, { parser: "typescript", printWidth: 120 });
  let current = "";
  try {
    current = readFileSync(specsFile(), "utf8");
  } catch {
    // The first build has none yet.
  }
  if (current !== pretty) writeFileSync(specsFile(), pretty);
}
