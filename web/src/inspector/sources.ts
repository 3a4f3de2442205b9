// The model and the config of a source: addresses, files, lists of files.
import { PosencError, invalid, show } from "../base/errors.js";
import { openSource, type FileSource, type Source } from "../base/source.js";
import { rangesOf } from "../cache-file/ranges.js";
import type { InspectOptions, InspectorSource } from "./types.js";

/** A config.json and its name. */
export interface NamedConfig {
  readonly name: string;
  readonly json: unknown;
}

export interface Opened {
  readonly name: string;
  readonly source: Source;
  readonly config: NamedConfig | undefined;
  /** Finds a file with weights. */
  external(location: string): Promise<FileSource | undefined>;
}

/** Larger files are not configs. */
const mostConfig = 67108864;

/** Parses a config. Throws `load-failed` if it is not valid JSON. */
export async function parseConfig({ size, read }: Source, name: string): Promise<unknown> {
  const failed = (why: string, cause?: unknown): PosencError =>
    new PosencError("load-failed", `${name}: ${why}`, "source", { cause });
  if (size > mostConfig) throw failed(`must be a config.json, got a file of ${size} bytes`);
  try {
    return JSON.parse(new TextDecoder().decode(await read(0, size)));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw failed(`is not valid JSON (${error.message})`, error);
  }
}

const isAddress = (value: unknown): value is string | URL => typeof value === "string" || value instanceof URL;

function addressOf(value: string | URL, name: string): URL {
  try {
    return new URL(value, document.baseURI);
  } catch {
    throw invalid(name, `must be an address, got ${show(String(value))}`);
  }
}

/** Returns the last name of an address: "model.onnx". */
function nameIn({ protocol, pathname }: URL): string {
  if (/^(data|blob):/.test(protocol)) return "file";
  const name = pathname.split("/").at(-1) || "file";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns the config that a caller gave: an address, a file, or an object. */
async function givenConfig(given: InspectOptions["config"], signal: AbortSignal): Promise<NamedConfig | undefined> {
  if (given === undefined) return undefined;
  if (isAddress(given)) {
    const url = addressOf(given, "config");
    const name = nameIn(url);
    return { name, json: await parseConfig(await rangesOf(url, signal), name) };
  }
  if (!(given instanceof Blob)) return { name: "config.json", json: given };
  const name = fileName(given, "config.json");
  return { name, json: await parseConfig(await openSource(given, "config"), name) };
}

const fileName = (file: Blob, otherwise = "file"): string => (file as Partial<File>).name || otherwise;

/** Opens an address. External data must be in the folder of the model, or below it. */
async function openAddress(given: string | URL, signal: AbortSignal): Promise<Omit<Opened, "config">> {
  const url = addressOf(given, "source");
  const external = async (location: string): Promise<FileSource | undefined> => {
    if (!/^https?:/.test(url.protocol)) return undefined;
    const [file, folder] = [new URL(location, url), new URL(".", url)];
    if (!file.href.startsWith(folder.href)) return undefined;
    try {
      return await rangesOf(file, signal);
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  };
  return { name: nameIn(url), source: await rangesOf(url, signal), external };
}

/** Chooses the model and the config among files. macOS creates "._model.onnx" next to "model.onnx". */
function chooseFiles(files: readonly Blob[]): { main: Blob; config: Blob | undefined } {
  const matching = (pattern: RegExp): Blob[] => files.filter((file) => pattern.test(fileName(file, "")));
  const models = matching(/^[^.].*\.(onnx|gguf)$/i);
  if (models.length > 1) {
    const names = models.slice(0, 3).map((file) => fileName(file));
    throw invalid(
      "source",
      `must have one model, got ${models.length} (${names.join(", ")}${models.length > 3 ? ", …" : ""})`,
    );
  }
  const [config = files.length <= 2 ? matching(/^[^.].*\.json$/i)[0] : undefined] = matching(/^config\.json$/i);
  const main = models[0] ?? (files.length === 1 ? files[0] : config);
  if (!main) throw invalid("source", "must have an .onnx or .gguf file or a config.json");
  return { main, config: config === main ? undefined : config };
}

async function openFiles(files: readonly Blob[]): Promise<Opened> {
  const wrong = files.find((file) => !(file instanceof Blob));
  if (wrong !== undefined) throw invalid("source", `must be files, got ${show(wrong)}`);
  const { main, config } = chooseFiles(files);
  const configName = config && fileName(config, "config.json");
  return {
    name: fileName(main),
    source: await openSource(main, "source"),
    config: config && { name: configName!, json: await parseConfig(await openSource(config, "config"), configName!) },
    // A location may name folders; chosen files have none.
    external: async (location) => files.find((file) => fileName(file) === location.split("/").at(-1)),
  };
}

/** Opens a source. Throws `invalid-argument` if it is of another type. */
export async function openGiven(
  given: InspectorSource,
  config: InspectOptions["config"],
  signal: AbortSignal,
): Promise<Opened> {
  const own = await givenConfig(config, signal);
  if (isAddress(given)) return { ...(await openAddress(given, signal)), config: own };
  const isList = typeof (given as Partial<Iterable<Blob>> | undefined)?.[Symbol.iterator] === "function";
  if (!(given instanceof Blob) && !isList)
    throw invalid("source", `must be an address, a Blob or a list of files, got ${show(given)}`);
  const opened = await openFiles(given instanceof Blob ? [given] : Array.from(given));
  return own ? { ...opened, config: own } : opened;
}
