// A model page: one element shows a published config, the other one files of the reader.
import { defineInspector, type InspectorReport } from "posenc/inspector";

/** Addresses of the configs, which Vite copies to the built page. */
const configs = import.meta.glob<string>("./configs/*.json", { query: "?url", import: "default", eager: true });
const models = Object.entries(configs).map(([path, address]) => ({
  name: path.replace(/^.*\/|\.json$/g, ""),
  address: new URL(address, document.baseURI).href,
}));

defineInspector();
const find = <Found extends Element = HTMLElement>(selector: string): Found => document.querySelector<Found>(selector)!;
const published = find("posenc-inspector#published") as HTMLElementTagNameMap["posenc-inspector"];
const own = find("posenc-inspector#own") as HTMLElementTagNameMap["posenc-inspector"];
const model = find<HTMLSelectElement>("#model");
const language = find<HTMLSelectElement>("#language");

/** Kinds of encodings, without repetition: "rope-yarn". */
function kindsOf(report: InspectorReport): string {
  const parts = report.format === "config" ? report.layers : report.positions;
  return [...new Set(parts.map(({ spec }) => spec?.kind ?? "none"))].join(", ");
}

published.addEventListener("inspected", ({ detail }) => (find("#badge").textContent = `Encodings: ${kindsOf(detail)}`));
own.addEventListener("inspected", ({ detail }) => {
  const problems = detail.findings.filter(({ severity }) => severity !== "note");
  find("#summary").textContent = `${detail.file}: ${kindsOf(detail)}, ${problems.length} problems`;
});
own.addEventListener("failed", () => (find("#summary").textContent = ""));

model.append(...models.map(({ name, address }) => new Option(name, address)));
const open = () => (published.src = model.value);
model.addEventListener("change", open);
open();

// Both elements inherit the language of the page.
language.addEventListener("change", () => {
  document.documentElement.lang = language.value;
  for (const element of [published, own]) element.lang = language.value;
});
