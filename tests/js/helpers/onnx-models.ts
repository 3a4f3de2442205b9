// The exported models of tests/fixtures/onnx, read the way every environment can: vitest turns the globs into imports.
import { bytesOfUrl } from "./data-url";

export { openModel, PosencError } from "posenc/onnx";
export type { PositionalComponent, FileSource, OnnxModel } from "posenc/onnx";

const files = import.meta.glob<string>("../../fixtures/onnx/**/*.{onnx,data,onnx_data}", {
  query: "?url&inline",
  import: "default",
});
const folderOf = (path: string) => path.replace(/^.*\/onnx\//, "").split("/") as [model: string, file: string];

/** `model/file.onnx` of each model. */
export const modelFiles = Object.keys(files)
  .map((path) => folderOf(path).join("/"))
  .filter((name) => name.endsWith(".onnx"));

/** The bytes of `model/file`. */
export async function fixtureBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const load = files[`../../fixtures/onnx/${name}`];
  if (!load) throw new Error(`no file ${name}`);
  return bytesOfUrl(await load(), name);
}

/** The files beside `model/file.onnx`. */
export async function besides(name: string): Promise<Record<string, Uint8Array<ArrayBuffer>>> {
  const [model] = name.split("/");
  const externalData = Object.keys(files)
    .map(folderOf)
    .filter(([folder, file]) => folder === model && file.endsWith("data"));
  const bytes = externalData.map(async ([folder, file]) => [file, await fixtureBytes(`${folder}/${file}`)] as const);
  return Object.fromEntries(await Promise.all(bytes));
}
