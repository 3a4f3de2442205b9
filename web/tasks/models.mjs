// Writes a type and a module for each published model.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import prettier from "prettier";
import { inRoot } from "./prepare.mjs";

export const modelTypesFile = inRoot("web", "src", "models", "types.gen.ts");

/** Returns the built `models` of a folder, whose specs are read from configs at run time. */
async function modelsIn(folder) {
  // The module of another build would still be loaded.
  const { href } = pathToFileURL(join(folder, "models.js"));
  const { models } = await import(`${href}?${Date.now()}`);
  return models;
}

/** Writes the modules and the types of a folder's models. Returns whether the types changed. */
export async function writeModels(folder) {
  const models = await modelsIn(folder);
  writeModules(folder, models);
  return writeTypes(models);
}

/** Writes models/<id>.js and its declaration: one model as data, which imports nothing. */
function writeModules(folder, models) {
  mkdirSync(join(folder, "models"));
  for (const [id, model] of Object.entries(models)) {
    const path = join(folder, "models", id);
    writeFileSync(`${path}.js`, `export default ${JSON.stringify(model)};`);
    writeFileSync(
      `${path}.d.ts`,
      `import type { models } from "../types/models.js";\n/** ${model.name}, as \`models\` of posenc/models has it. */\ndeclare const model: (typeof models)[${JSON.stringify(id)}];\nexport default model;\n`,
    );
  }
}

/** Writes the types of all models. Returns whether the file changed. */
async function writeTypes(models) {
  const entries = Object.entries(models).map(([id, { spec, config, contextLength }]) => {
    const facts = [
      JSON.stringify(spec.kind),
      config ? "Config" : "undefined",
      contextLength === null ? "null" : "number",
    ];
    return `${JSON.stringify(id)}: [${facts.join(", ")}];`;
  });
  const text = `// Generated from the models by web/tasks/models.mjs; do not edit.
import type { Config } from "./model.js";

/** For each model: kind of the encoding, config and contextLength. */
export interface ModelTypes {
${entries.join("\n")}
}
`;
  const formatted = await prettier.format(text, { parser: "typescript", printWidth: 120 });
  if (existsSync(modelTypesFile) && readFileSync(modelTypesFile, "utf8") === formatted) return false;
  writeFileSync(modelTypesFile, formatted);
  return true;
}
