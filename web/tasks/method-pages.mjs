// A page for each kind of encoding, from describe(): formula, example with its output, shapes, fields, models, source.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { byFamily, families, typeName } from "./families.mjs";
import { toMathML } from "./mathml.mjs";
import { inRoot } from "./prepare.mjs";

/** Escapes text for Markdown, also within a table. */
const plain = (text) => String(text).replace(/[\\`*_{}[\]<>|#~]/g, (mark) => `\\${mark}`);

const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (heads, rows) => [row(heads), row(heads.map(() => "---")), ...rows.map(row)].join("\n");

const withLinks = (text) =>
  plain(text).replace(/arXiv:(\d{4}\.\d{4,5})/g, (_, id) => `[arXiv:${id}](https://arxiv.org/abs/${id})`);

/** Formats limits that are powers of ten as such. */
const short = (value) =>
  value >= 1e6 && /^1e/.test(value.toExponential()) ? value.toExponential().replace("+", "") : value;

function rangeOf({ type, choices, min, max, unit }) {
  if (type === "choice") return choices.map((choice) => `\`${choice}\``).join(", ");
  if (type === "boolean") return "`true`, `false`";
  const bounds = [min !== null && `≥ ${short(min)}`, max !== null && `≤ ${short(max)}`].filter(Boolean).join(", ");
  return [bounds, unit].filter(Boolean).join(", ");
}

const fieldsTable = (fields) =>
  table(
    ["field", "default", "description"],
    fields.map((field) => [
      `\`${field.name}\``,
      field.required ? "**required**" : `\`${JSON.stringify(field.default)}\``,
      `${plain(field.doc)} <span class="range">${rangeOf(field)}</span>`,
    ]),
  );

/** Returns a link to an export of `posenc`. */
const link = (name) => `{@link posenc.${name} | ${name}}`;

/** Splits a row of formulas, "a=b,\\quad c=d", which would be too wide for a phone. */
function formulas(tex) {
  const parts = [""];
  let depth = 0;
  for (const [token] of tex.matchAll(/,\\quad\b|\\[a-zA-Z]+|\\?[^]/g)) {
    if (token === "{" || token === "\\begin") depth++;
    if (token === "}" || token === "\\end") depth--;
    if (token === ",\\quad" && depth === 0) parts.push("");
    else parts[parts.length - 1] += token;
  }
  return parts;
}

/** Runs an example in this process. Returns its output. */
async function outputOf(file) {
  const lines = [];
  const { log } = console;
  console.log = (...values) => lines.push(values.join(" "));
  try {
    await import(pathToFileURL(file).href);
  } finally {
    console.log = log;
  }
  return lines.join("\n");
}

/** The models of posenc/models, oldest first. */
async function publishedModels() {
  const { models } = await import("posenc/models");
  return Object.values(models).sort((a, b) => a.year - b.year || a.name.localeCompare(b.name));
}

const modelName = ({ name, layerType, unchecked }) =>
  plain(layerType ? `${name} (${layerType})` : name) + (unchecked.includes("spec") ? "\u00a0¹" : "");
const uncheckedNote = "¹ Written from memory of the published files, not compared with them.";

/** Returns the reference of a model: names of repositories without the long files. */
const checkedWith = ({ checked = [] }) =>
  [...new Set(checked.map((where) => (where.includes(":") ? where.slice(0, where.indexOf(":")) : "reference vector")))]
    .map((name) => plain(name).replace(/[/_]/g, "$&<wbr>"))
    .join("<br>");

/** Formats the fields of a spec that differ from their defaults. */
function specText(spec, fields) {
  const standard = Object.fromEntries(fields.map((field) => [field.name, field.default]));
  const own = Object.entries(spec).filter(([name, value]) => name !== "kind" && value !== standard[name]);
  const shown = own.map(([name, value]) =>
    Array.isArray(value) && value.length > 4 ? `${name} [${value.length}]` : `${name} ${JSON.stringify(value)}`,
  );
  return plain(shown.join(", ").replaceAll('"', ""));
}

const modelsTable = (models, fields) =>
  table(
    ["model", "year", "context", "fields", "source"],
    models.map((model) => [
      modelName(model),
      model.year,
      model.contextLength ?? "",
      specText(model.spec, fields),
      withLinks(model.source),
    ]),
  );

function modelsPage(models, kinds) {
  const kindCell = (kind) => (kinds.includes(kind) ? `[${kind}](kinds/${kind}.md)` : kind);
  const rows = models.map((model) => [
    `${modelName(model)}<br><span class="range">${plain(model.id)}</span>`,
    kindCell(model.spec.kind),
    model.contextLength ?? "",
    model.year,
    checkedWith(model),
  ]);
  const use = '```js\nimport { models } from "posenc/models";\n\npe.create(models["llama-3.1-8b"].spec);\n```';
  const heads = ["model and its id", "encoding", "context", "year", "compared with"];
  const introduction = `\`posenc/models\` contains the encodings of ${models.length} published models as plain data, oldest first. The id of a model selects it:`;
  const legend = [
    "**context**: number of positions that the model was trained for, if it has a limit.",
    "**compared with**: repositories with the files that the entry was compared with; `checked` of a model names the files.",
    uncheckedNote,
  ];
  const parts = [
    "---\ntitle: Models\n---",
    "# Models",
    introduction,
    use,
    legend.map((line) => `- ${line}`).join("\n"),
  ];
  return `${[...parts, table(heads, rows)].join("\n\n")}\n`;
}

async function exampleText(kind) {
  const file = inRoot("examples", "kinds", `${kind}.js`);
  if (!existsSync(file)) return [];
  const code = readFileSync(file, "utf8").trim();
  return ["## Example", `\`\`\`js\n${code}\n\`\`\``, "prints", `\`\`\`text\n${await outputOf(file)}\n\`\`\``];
}

/** Returns the text of `explain` for a kind with example values of its required fields. */
async function explained(pe, { kind, fields }) {
  const required = fields.filter(({ required }) => required).map(({ name, example }) => [name, example]);
  const spec = { kind, ...Object.fromEntries(required) };
  return [
    "## In numbers",
    `\`${JSON.stringify(spec)
      .replace(/"(\w+)":/g, " $1: ")
      .replace(/}$/, " }")}\``,
    plain((await pe.explain(spec)).summary),
  ];
}

/** Returns links to chapters of the tutorial about a kind; `adaptPages` of docs.mjs adapts them to the page's depth. */
async function chaptersByKind() {
  // Imported late: slow to load, and the site's sources are TypeScript.
  const { runnerImport } = await import("vite");
  const load = async (name) =>
    (await runnerImport(inRoot("web", "site", "src", "text", name), { configFile: false })).module;
  const [{ taught }, { chaptersEn }] = await Promise.all(["taught.ts", "chapters.en.ts"].map(load));
  const links = {};
  for (const [chapter, kinds] of Object.entries(taught))
    for (const kind of kinds)
      (links[kind] ??= []).push(`<a href="tutorial:${chapter}.html">${chaptersEn[chapter].title}</a>`);
  return links;
}

async function pageOf(pe, description, models, chapters = []) {
  const { kind, title, family, formula, shapes, fields, parameters = [], source } = description;
  const sections = [
    `---\ntitle: ${JSON.stringify(kind)}\ncategory: ${families[family].title}\n---`,
    `# ${plain(title)}`,
    `\`kind: "${kind}"\` · ${link(families[family].class)}: ${families[family].what} · spec ${link(typeName(kind))}`,
    ...(chapters.length ? [`Chapter of the tutorial: ${chapters.join(", ")}`] : []),
    `<div class="formula">\n${formulas(formula)
      .map((tex) => toMathML(tex, true))
      .join("\n")}\n</div>`,
    ...(await exampleText(kind)),
    ...(await explained(pe, description)),
    "## Shapes",
    plain(shapes ?? ""),
    "## Fields",
    fieldsTable(fields),
  ];
  if (parameters.length)
    sections.push(
      "## Learned parameters",
      table(
        ["parameter", "dims", "description"],
        parameters.map(({ name, axes, doc }) => [`\`${name}\``, `[${plain(axes)}]`, plain(doc)]),
      ),
      "`encoding.parameters` holds them in wasm memory; `encoding.load` and the spec itself take values for them.",
    );
  if (models.length) {
    sections.push("## Models", "From `posenc/models`:", modelsTable(models, fields));
    if (models.some(({ unchecked }) => unchecked.includes("spec"))) sections.push(uncheckedNote);
  }
  sections.push("## Source", `${withLinks(source)}.`);
  return `${sections.join("\n\n")}\n`;
}

function indexPage(descriptions) {
  const sections = byFamily(descriptions).map(({ title, what, class: name, members }) => {
    const rows = members.map(({ kind, title, source }) => [
      `[\`${kind}\`](kinds/${kind}.md)`,
      plain(title),
      withLinks(source),
    ]);
    return `## ${title}\n\n${link(name)}: ${what}.\n\n${table(["kind", "name", "source"], rows)}`;
  });
  const children = descriptions.map(({ kind }) => `  - ./kinds/${kind}.md`).join("\n");
  return `---\ntitle: Encodings\nchildren:\n${children}\n---\n\n# Encodings\n\n${sections.join("\n\n")}\n`;
}

/** Returns the first page: web/docs/home.md with the families filled in. */
function homePage(descriptions) {
  const rows = byFamily(descriptions).map(({ what, class: name, members }) => [
    link(name),
    what,
    members.map(({ kind }) => `[${kind}](kinds/${kind}.md)`).join(", "),
  ]);
  const families = table(["family", "description", "kinds"], rows);
  return readFileSync(inRoot("web", "docs", "home.md"), "utf8").replace("FAMILIES", () => families);
}

/** Returns the pages of web/docs in the order of the menu, with generated ones. */
const documents = [
  "first-steps",
  "guide",
  "add-positions",
  "rotate",
  "attention",
  "remap",
  "float16",
  "train",
  "position-ids",
  "models-and-explain",
  "encodings",
  "models",
  "configs",
  "images",
  "transformers",
  "webgpu",
  "onnx",
  "inspector",
  "generating",
  "cache-files",
  "workers",
  "from-pytorch",
  "environments",
  "native",
  "accuracy",
  "test-your-engine",
  "errors",
];

/** Order of the Chinese pages, which have the names of the English ones. */
const chineseDocuments = [
  "first-steps",
  "transformers",
  "onnx",
  "inspector",
  "configs",
  "cache-files",
  "workers",
  "test-your-engine",
];

/** Copies the pages and pictures of a folder, beside those that link to them. */
function copyPages(source, folder, known) {
  for (const file of readdirSync(source).filter((name) => /\.(md|svg)$/.test(name) && name !== "home.md")) {
    if (file.endsWith(".md") && !known.includes(file.replace(".md", "")))
      throw new Error(`${source}/${file} is missing in the menu`);
    copyFileSync(`${source}/${file}`, `${folder}/${file}`);
  }
}

/** Returns a page that lists the Chinese ones. */
function chineseIndex(folder) {
  const titleOf = (name) => /^# (.*)$/m.exec(readFileSync(`${folder}/${name}.md`, "utf8"))[1];
  const links = chineseDocuments.map((name) => `- [${titleOf(name)}](${name}.md)`);
  const children = chineseDocuments.map((name) => `  - ${name}.md`);
  const others = "其他页面目前只有英文版，从[操作指南](../guide.md)可以找到全部任务。";
  return `---\ntitle: 中文文档\nchildren:\n${children.join("\n")}\n---\n\n# 中文文档\n\n${links.join("\n")}\n\n${others}\n`;
}

/** Writes home.md, `documents` and a page for each kind as Markdown into a folder. Returns the names of documents. */
export async function writeMethodPages(pe, folder) {
  // Imported late: at first there is no package.
  const descriptions = (await import("posenc/explain")).describe();
  const models = await publishedModels();
  const chapters = await chaptersByKind();
  rmSync(folder, { recursive: true, force: true });
  for (const name of ["kinds", "zh-CN"]) mkdirSync(`${folder}/${name}`, { recursive: true });
  const write = (name, text) => writeFileSync(`${folder}/${name}.md`, text);
  for (const description of descriptions) {
    const users = models.filter(({ spec }) => spec.kind === description.kind);
    write(`kinds/${description.kind}`, await pageOf(pe, description, users, chapters[description.kind]));
  }
  write("home", homePage(descriptions));
  copyPages(inRoot("web", "docs"), folder, documents);
  copyPages(inRoot("web", "docs", "zh-CN"), `${folder}/zh-CN`, chineseDocuments);
  write("zh-CN/index", chineseIndex(`${folder}/zh-CN`));
  write("encodings", indexPage(descriptions));
  write(
    "models",
    modelsPage(
      models,
      descriptions.map(({ kind }) => kind),
    ),
  );
  return documents;
}
