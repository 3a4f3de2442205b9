// The report about an ONNX model, for the program and for posenc/inspector.
import type { Finding } from "../onnx/audit/finding.js";
import type { PositionalComponent } from "../onnx/component.js";
import type { OnnxModel } from "../onnx/model.js";
import type { OnnxReport } from "./report.js";

/** Returns the components and findings of a model; `find` returns undefined for missing external data. */
export async function onnxFacts(
  { positions, externalLocations }: OnnxModel,
  findings: readonly Finding[],
  find: (location: string) => Promise<unknown>,
): Promise<Omit<OnnxReport, "format" | "file" | "bytes" | "config" | "cache">> {
  const missing: string[] = [];
  for (const location of externalLocations) if (!(await find(location))) missing.push(location);
  return {
    ...(externalLocations.length > 0 && { externalData: externalLocations }),
    ...(missing.length > 0 && { missing }),
    ...fieldsOf("assumed", findings),
    ...fieldsOf("ignored", findings),
    positions,
    findings: findings.map((finding) => findingOf(finding, positions)),
  };
}

/** Returns fields that the config leaves open, or that have no effect. */
function fieldsOf(name: "assumed" | "ignored", findings: readonly Finding[]): { [name: string]: readonly string[] } {
  const fields = findings.find(({ code }) => code === `config-${name}`)?.fields;
  return fields ? { [name]: fields } : {};
}

/** Replaces the component by its number in the list, which options use. */
function findingOf(
  { component, rewrite, ...finding }: Finding,
  positions: readonly PositionalComponent[],
): OnnxReport["findings"][0] {
  const number = component ? positions.indexOf(component) + 1 : 0;
  return { ...finding, ...(number > 0 && { component: number }), ...(rewrite && { fix: finding.code }) };
}
