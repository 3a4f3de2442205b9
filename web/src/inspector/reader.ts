// Reads files and returns reports. It loads when the first file is read, and the other entries when a file needs them.
import { PosencError } from "../base/errors.js";
import type { Spec } from "../base/specs.gen.js";
import { watched } from "../base/source.js";
import { onnxFacts } from "../cli/onnx-report.js";
import { readingError } from "../cli/words.js";
import type { Finding } from "../onnx/audit/finding.js";
import type { OnnxModel } from "../onnx/model.js";
import type { InspectorReport } from "./report.js";
import { openGiven, parseConfig, type Opened } from "./sources.js";
import type { InspectorLibrary, InspectorTools } from "./tools.js";
import type { InspectOptions, InspectorSource } from "./types.js";

export { reportNodes } from "./report-nodes.js";

interface Work extends Pick<InspectOptions, "onProgress"> {
  readonly signal: AbortSignal;
}

async function formatOf({ name, source }: Opened): Promise<"onnx" | "gguf" | "config"> {
  if (/\.onnx$/i.test(name)) return "onnx";
  const start = new TextDecoder().decode(await source.read(0, Math.min(source.size, 64)));
  if (start.startsWith("GGUF") || /\.gguf$/i.test(name)) return "gguf";
  return /^\s*\{/.test(start) || /\.json$/i.test(name) ? "config" : "onnx";
}

/** Starts the library; an error of loading is a reason, and not the end of the report. */
async function started(tools: InspectorTools): Promise<{ pe: InspectorLibrary } | { unchecked: string }> {
  try {
    return { pe: await tools.library() };
  } catch (error) {
    return { unchecked: error instanceof Error ? error.message : String(error) };
  }
}

/** Calls `work`, and again if it lacks a part of the library. */
async function withParts<T>(pe: InspectorLibrary, work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PosencError) || error.code !== "not-loaded") throw error;
    await pe.load("config", "relative");
    return work();
  }
}

async function onnxReport(opened: Opened, tools: InspectorTools, work: Work): Promise<object> {
  const { source, config, external } = opened;
  let model: OnnxModel;
  try {
    model = await tools.openModel(source, { externalData: external, ...work });
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    throw new PosencError(error.code, readingError(error.message), error.field, { cause: error });
  }
  const library = await started(tools);
  work.signal.throwIfAborted();
  const findings: Finding[] =
    "pe" in library ? await withParts(library.pe, () => model.audit(library.pe as never, config?.json)) : [];
  const cache = config && (await import("../cli/cache-size.js")).cacheOf(config.json);
  return {
    format: "onnx",
    ...(config && { config: config.name, ...cache }),
    ...(await onnxFacts(model, findings, external)),
    ...("unchecked" in library && library),
  };
}

/** Explains specs, each in one paragraph. */
async function explained(
  specs: readonly (Spec | null)[],
  tools: InspectorTools,
): Promise<Pick<InspectorReport, "explanations" | "unchecked">> {
  if (specs.every((spec) => spec === null)) return {};
  const library = await started(tools);
  if (!("pe" in library)) return library;
  const explanations: string[] = [];
  for (const spec of specs) {
    try {
      explanations.push(spec ? (await library.pe.explain(spec)).summary : "");
    } catch (error) {
      if (!(error instanceof PosencError)) throw error;
      explanations.push("");
    }
  }
  return { explanations };
}

async function ggufReport({ source }: Opened, tools: InspectorTools, { signal }: Work): Promise<object> {
  const [{ readGguf }, { ggufReport: reportOf }] = await Promise.all([
    import("../cli/gguf.js"),
    import("../cli/gguf-report.js"),
  ]);
  const report = reportOf(await readGguf(watched(source, { signal })));
  return {
    ...report,
    ...(await explained(
      report.positions.map(({ spec }) => spec),
      tools,
    )),
  };
}

async function configReport({ source, name }: Opened, tools: InspectorTools): Promise<object> {
  const json = await parseConfig(source, name);
  const report = (await import("./config-report.js")).configReport(json);
  return {
    ...report,
    ...(await explained(
      report.layers.map(({ spec }) => spec),
      tools,
    )),
  };
}

/** Reads a source. Throws a `PosencError`, or the reason of the signal. */
export async function read(
  given: InspectorSource,
  config: InspectOptions["config"],
  tools: InspectorTools,
  work: Work,
): Promise<InspectorReport> {
  work.signal.throwIfAborted();
  const opened = await openGiven(given, config, work.signal);
  const format = await formatOf(opened);
  const reportOf = { onnx: onnxReport, gguf: ggufReport, config: configReport }[format];
  const report = await reportOf(opened, tools, work);
  return { file: opened.name, bytes: opened.source.size, ...report } as InspectorReport;
}
