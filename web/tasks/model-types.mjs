// Writes a type for each published model, for compile-time checks.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import prettier from "prettier";
import { inRoot } from "./prepare.mjs";

export const modelTypesFile = inRoot("web", "src", "models", "types.gen.ts");

/** Runs built `models`, whose specs are read from configs at run time. Returns whether the file changed. */
export async function generateModelTypes(modelsUrl) {
  // The module of another build would still be loaded.
  const { models } = await import(`${modelsUrl.href}?${Date.now()}`);
  const entries = Object.entries(models).map(([id, { spec, config, contextLength }]) => {
    const facts = [
      JSON.stringify(spec.kind),
      config ? "Config" : "undefined",
      contextLength === null ? "null" : "number",
    ];
    return `${JSON.stringify(id)}: [${facts.join(", ")}];`;
  });
  const text = `// Generated from the models by web/tasks/model-types.mjs; do not edit.
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
