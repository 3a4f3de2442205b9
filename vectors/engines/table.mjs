// The table of results in web/docs/test-your-engine.md and its translation: node vectors/engines/table.mjs writes it, after `npm ci`
// in this folder.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readCases } from "../javascript/run.mjs";
import { runCases } from "../javascript/runner.mjs";

/** The pages, and their words. Names of failed cases and their reasons are English: one page has them. */
export const pages = {
  "test-your-engine.md": { topic: "topic", of: " of ", formulas: ", formulas in its operators", hasReasons: true },
  "zh-CN/test-your-engine.md": { topic: "主题", of: "/", formulas: "，用它的算子写出公式", hasReasons: false },
};
const fileOf = (page) => fileURLToPath(new URL(`../../web/docs/${page}`, import.meta.url));
const marks = /(<!-- results -->\n)[^]*(<!-- \/results -->)/;

const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const engines = {
  posenc: "posenc",
  "onnxruntime-web": `onnxruntime-web ${dependencies["onnxruntime-web"]}`,
  transformers: `transformers.js ${dependencies["@huggingface/transformers"]}`,
  tfjs: `TensorFlow.js ${dependencies["@tensorflow/tfjs-core"]}`,
};

const row = (cells) => `| ${cells.join(" | ")} |`;
const countOf = (results, status) => results.filter((result) => result.status === status).length;

/** How an engine does with some cases. */
function cell(results, of) {
  const [passed, failed] = ["passed", "failed"].map((status) => countOf(results, status));
  if (passed + failed === 0) return "–";
  const [status, mark] = failed === 0 ? ["passed", "✓"] : ["failed", "✗"];
  return `<span class="${status}">${mark} ${passed}${of}${passed + failed}</span>`;
}

const explained = (name, results) =>
  results
    .filter(({ status }) => status === "failed")
    .map(({ vector, reason }) => `- ${name}, \`${vector.name}\` (${vector.title}): ${reason}.`);

/** What each engine does with each case. */
export async function runEngines() {
  const found = {};
  for (const name of Object.keys(engines))
    found[name] = await runCases((await import(`./${name}.mjs`)).default, readCases());
  return found;
}

/** The table of a page, and the reasons if it has them, between their marks. */
export function tableFor(page, found) {
  const { topic, of, formulas, hasReasons } = pages[page];
  const names = Object.keys(engines);
  const topics = [...new Set(readCases().map(({ topic }) => topic))];
  const cells = (topic) =>
    names.map((name) =>
      cell(
        found[name].filter(({ vector }) => vector.topic === topic),
        of,
      ),
    );
  const reasons = names.flatMap((name) => explained(engines[name], found[name]));
  const lines = [
    row([topic, ...names.map((name) => engines[name] + (name === "tfjs" ? formulas : ""))]),
    row(["---", ...names.map(() => "---")]),
    ...topics.map((topic) => row([topic, ...cells(topic)])),
    "",
    ...(hasReasons ? ["Failed cases, and why:", "", ...reasons, ""] : []),
  ];
  return `<!-- results -->\n\n${lines.join("\n")}\n<!-- /results -->`;
}

/** The table that a page has. */
export const written = (page) => marks.exec(readFileSync(fileOf(page), "utf8"))[0];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = await runEngines();
  for (const page of Object.keys(pages)) {
    const text = readFileSync(fileOf(page), "utf8");
    writeFileSync(fileOf(page), text.replace(marks, tableFor(page, found).replaceAll("$", "$$$$")));
  }
}
