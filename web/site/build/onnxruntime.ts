import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const name = "virtual:onnxruntime";
const binary = "ort-wasm-simd-threaded.wasm";
/** What a bundler would take for an asset: 14 MB a second time. */
const ownAddress = new RegExp(`new URL\\("${binary}",\\s*import\\.meta\\.url\\)\\.href`, "g");

/** The gzipped binary, made once for each version: hosts that compress nothing send a fourth of it, too. */
function packed(folder: string): string {
  const path = createRequire(import.meta.url).resolve(`onnxruntime-web/${binary}`);
  const { version } = JSON.parse(readFileSync(join(dirname(path), "../package.json"), "utf8")) as { version: string };
  const file = join(folder, `onnxruntime-${version}.bin`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, gzipSync(readFileSync(path), { level: 9 }));
  renameSync(unfinished, file);
  return file;
}

/** `virtual:onnxruntime`: where onnxruntime's WebAssembly is, and how much is downloaded. Workers get it from their page. */
export function onnxruntime(folder: string): Plugin {
  return {
    name: "posenc-site:onnxruntime",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const file = packed(folder);
      return `export { default as address } from ${JSON.stringify(`${file}?url`)};
export const bytes = ${readFileSync(file).length};`;
    },
    transform(code, id) {
      if (!id.includes("onnxruntime-web") || !code.includes(binary)) return null;
      return { code: code.replace(ownAddress, '""'), map: null };
    },
  };
}
