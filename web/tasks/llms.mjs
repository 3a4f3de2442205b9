// llms.txt and llms-full.txt of the site: the documentation as plain text, for assistants that write code (llmstxt.org).
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { byFamily } from "./families.mjs";
import { inRoot } from "./prepare.mjs";

const summary = `posenc computes positional encodings in the browser and in Node: sinusoidal and learned tables, RoPE with its scaling
rules, ALiBi, T5 and other biases, relative encodings, and attention with any of them. C++ as WebAssembly SIMD behind a TypeScript
API, no dependencies. \`npm install posenc\`, then \`import { init } from "posenc"; const pe = await init();\`. A tensor is
{ data: Float32Array, dims: number[] }. Options are checked: unknown or invalid ones throw a PosencError that names the field.`;

/** Returns the Markdown of a page without front matter and TypeDoc syntax. */
const plain = (markdown) =>
  markdown
    .replaceAll("<wbr>", "")
    .replace(/^---\n[^]*?\n---\n+/, "")
    .replaceAll(/\{@link [^|}]*\| ([^}]*)\}/g, "$1");

const titleOf = (markdown) => /^title: "?(.*?)"?$/m.exec(markdown)[1];

function fieldLine({ name, type, choices, required, default: standard, doc }) {
  const values = type === "choice" ? choices.map((choice) => JSON.stringify(choice)).join(" | ") : type;
  return `- ${name}: ${values}, ${required ? "required" : `default ${JSON.stringify(standard)}`}. ${doc}`;
}

/** Returns the text of a kind: formula in TeX, fields, parameters and a runnable example. */
function kindText({ kind, title, family, formula, source, fields, parameters = [] }) {
  const example = inRoot("examples", "kinds", `${kind}.js`);
  const learned = parameters.map(({ name, axes, doc }) => `- ${name} [${axes}], learned. ${doc}`);
  return [
    `## ${kind}: ${title} (${family})`,
    `Formula: ${formula}\nSource: ${source}`,
    [...fields.map(fieldLine), ...learned].join("\n"),
    existsSync(example) ? `\`\`\`js\n${readFileSync(example, "utf8").trim()}\n\`\`\`` : "",
  ].join("\n\n");
}

/** Writes both files and the pages that they list, `pages`/`name`.md, into `target`. */
export function writeTexts(descriptions, pages, documents, target) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(`${target}/llms`, { recursive: true });
  const texts = documents
    .filter((name) => name !== "encodings")
    .map((name) => ({ name, markdown: readFileSync(`${pages}/${name}.md`, "utf8") }));
  for (const { name, markdown } of texts) writeFileSync(`${target}/llms/${name}.md`, plain(markdown));
  const kinds = descriptions.map(kindText).join("\n\n");
  writeFileSync(`${target}/llms/encodings.md`, `# Encodings\n\n${kinds}\n`);
  const links = texts.map(({ name, markdown }) => `- [${titleOf(markdown)}](llms/${name}.md)`);
  const families = byFamily(descriptions).map(
    ({ title, what, members }) => `- ${title}: ${what}. ${members.map(({ kind }) => `\`${kind}\``).join(", ")}`,
  );
  const index = [
    `# posenc\n\n> ${summary.replaceAll("\n", "\n> ")}`,
    `## Documentation\n\n${links.join("\n")}`,
    `## Encodings\n\n- [All encodings with formula, fields and example](llms/encodings.md)\n${families.join("\n")}`,
  ].join("\n\n");
  writeFileSync(`${target}/llms.txt`, `${index}\n`);
  const whole = [index, ...texts.map(({ markdown }) => plain(markdown)), `# Encodings\n\n${kinds}`].join("\n\n");
  writeFileSync(`${target}/llms-full.txt`, `${whole}\n`);
}
