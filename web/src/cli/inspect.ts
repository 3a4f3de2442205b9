// posenc inspect: lists a model's positions and findings about them.
import type { PosencError } from "../base/errors.js";
import { Given, UsageError, type OptionKinds } from "./arguments.js";
import { cacheOf } from "./cache-size.js";
import { externalDataReader } from "./external.js";
import { isExpected, modelsAt, nearestConfig, OpenFiles, readConfig, type Config, type LazyFile } from "./files.js";
import { readGguf } from "./gguf.js";
import { ggufReport } from "./gguf-report.js";
import { onnxFacts } from "./onnx-report.js";
import { Progress } from "./progress.js";
import { showReports, type ModelReport, type OnnxReport } from "./report.js";
import type { Tools } from "./tools.js";
import { readingError } from "./words.js";

export const inspectOptions: OptionKinds = {
  config: "value",
  "no-config": "flag",
  json: "flag",
  progress: "flag",
  help: "flag",
};

/** Returns a source that shows the progress of reading. */
export const watched = (file: LazyFile, progress: Progress) => ({
  size: file.size,
  read(offset: number, length: number): Uint8Array {
    progress.at(`reading ${file.path}`, offset + length, file.size);
    return file.read(offset, length);
  },
});

/** Returns the exit code: 1 if a file cannot be read or a finding is an error. */
export async function inspect(words: readonly string[], tools: Tools): Promise<number> {
  const given = new Given(words, inspectOptions);
  if (given.paths.length === 0) throw new UsageError("inspect: name a model (.onnx, .gguf) or a folder with models");
  if (given.has("config") && given.has("no-config"))
    throw new UsageError("--config and --no-config exclude each other");
  const configPath = given.text("config");
  const config = configPath === undefined ? undefined : readConfig(configPath, "--config");
  const progress = new Progress(tools, given.has("progress"));
  const reports: ModelReport[] = [];
  for (const path of given.paths.flatMap(modelsAt)) {
    const own = config ?? (given.has("no-config") ? undefined : nearestConfig(path, tools.log));
    reports.push(await reportOf(path, own, tools, progress));
    progress.end();
  }
  tools.print(
    given.has("json") ? jsonLines({ posenc: tools.version, files: reports }) : showReports(reports, tools.width),
  );
  return reports.some((report) => report.error || report.findings.some(({ severity }) => severity === "error")) ? 1 : 0;
}

/** Returns lines of JSON: typed arrays become arrays, and bigints strings. */
export const jsonLines = (value: object): string[] => JSON.stringify(value, plain, 2).split("\n");

function plain(_: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
  return typeof value === "bigint" ? String(value) : value;
}

async function reportOf(
  path: string,
  config: Config | undefined,
  tools: Tools,
  progress: Progress,
): Promise<ModelReport> {
  const files = new OpenFiles();
  const file = files.at(path);
  const head = { file: path, bytes: file.size };
  try {
    if (isGguf(file)) return { ...head, ...ggufReport(await readGguf(watched(file, progress))) };
    return { ...head, ...(await onnxReport(path, files, config, tools, progress)) };
  } catch (error) {
    if (error instanceof UsageError || !isExpected(error)) throw error;
    const { message, code } = error as PosencError;
    const format = /\.gguf$/i.test(path) ? "gguf" : "onnx";
    return { ...head, format, positions: [], findings: [], error: { code, message: readingError(message) } };
  } finally {
    files.close();
  }
}

function isGguf(file: LazyFile): boolean {
  if (/\.(gguf|onnx)$/i.test(file.path)) return /\.gguf$/i.test(file.path);
  return file.size >= 4 && new TextDecoder().decode(file.read(0, 4)) === "GGUF";
}

async function onnxReport(
  path: string,
  files: OpenFiles,
  config: Config | undefined,
  tools: Tools,
  progress: Progress,
): Promise<Omit<OnnxReport, "file" | "bytes">> {
  const externalData = externalDataReader(files, path);
  const model = await tools.openModel(watched(files.at(path), progress), { externalData });
  const findings = model.audit(await tools.library(), config?.json);
  return {
    format: "onnx",
    ...(config && { config: config.path, ...cacheOf(config.json) }),
    ...(await onnxFacts(model, findings, externalData)),
  };
}
