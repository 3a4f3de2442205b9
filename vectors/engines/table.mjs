// The table of results in web/docs/test-your-engine.md: node vectors/engines/table.mjs writes it, after `npm ci` in this folder.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readCases } from "../javascript/run.mjs";
import { runCases } from "../javascript/runner.mjs";

const page = fileURLToPath(new URL("../../web/docs/test-your-engine.md", import.meta.url));
const marks = /(<!-- results -->\n)[^]*(<!-- \/results -->)/;

const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const engines = {
  posenc: "posenc",
  "onnxruntime-web": `onnxruntime-web ${dependencies["onnxruntime-web"]}`,
  transformers: `transformers.js ${dependencies["@huggingface/transformers"]}`,
  tfjs: `TensorFlow.js ${dependencies["@tensorflow/tfjs-core"]}, formulas in its operators`,
};

const row = (cells) => `| ${cells.join(" | ")} |`;
const countOf = (results, status) => results.filter((result) => result.status === status).length;

/** How an engine does with some cases. */
function cell(results) {
  const [passed, failed] = ["passed", "failed"].map((status) => countOf(results, status));
  if (passed + failed === 0) return "–";
  const [status, mark] = failed === 0 ? ["passed", "✓"] : ["failed", "✗"];
  return `<span class="${status}">${mark} ${passed} of ${passed + failed}</span>`;
}

const explained = (name, results) =>
  results
    .filter(({ status }) => status === "failed")
    .map(({ vector, reason }) => `- ${name}, \`${vector.name}\` (${vector.title}): ${reason}.`);

/** The table and the reasons, as Markdown. */
export async function table() {
  const cases = readCases();
  const topics = [...new Set(cases.map(({ topic }) => topic))];
  const found = {};
  for (const name of Object.keys(engines)) {
    found[name] = await runCases((await import(`./${name}.mjs`)).default, cases);
  }
  const of = (name, topic) => found[name].filter(({ vector }) => vector.topic === topic);
  return [
    row(["topic", ...Object.values(engines)]),
    row(["---", ...Object.keys(engines).map(() => "---")]),
    ...topics.map((topic) => row([topic, ...Object.keys(engines).map((name) => cell(of(name, topic)))])),
    "",
    "Failed cases, and why:",
    "",
    ...Object.keys(engines).flatMap((name) => explained(engines[name].replace(/,.*/, ""), found[name])),
    "",
  ].join("\n");
}

/** The table that the page has. */
export const written = () => marks.exec(readFileSync(page, "utf8"))[0];

/** The same, made of results. */
export const marked = (text) => `<!-- results -->\n\n${text}\n<!-- /results -->`;

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(page, readFileSync(page, "utf8").replace(marks, marked(await table()).replaceAll("$", "$$$$")));
