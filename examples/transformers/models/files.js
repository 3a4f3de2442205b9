// The folder of models that transformers.js reads: config.json, tokenizer.json and onnx/model.onnx of each. In place of
// downloads: all of them are made here, with weights set by hand, but for one that was trained and exported.
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { counter } from "./counter.js";
import { recaller } from "./recaller.js";
import { tokenizerFiles } from "./tokenizer.js";
import { wordVectors } from "./word-vectors.js";

export const modelFolder = fileURLToPath(new URL("../../../build/transformers/models/", import.meta.url));

/** Whole or not at all: examples that run at the same time write and read the same files. */
function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, file);
}

/** Writes the models below `folder`, which `env.localModelPath` of transformers.js is to name. */
export function writeModels(folder = modelFolder) {
  for (const { name, words, config, onnx } of [wordVectors, recaller, counter]) {
    const files = { "config.json": config, ...tokenizerFiles(words) };
    for (const [file, content] of Object.entries(files))
      write(join(folder, name, file), JSON.stringify(content, null, 2));
    write(join(folder, name, "onnx", "model.onnx"), onnx());
  }
  const trained = fileURLToPath(new URL("./bible/", import.meta.url));
  for (const entry of readdirSync(trained, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const from = join(entry.parentPath, entry.name);
      write(join(folder, "bible", relative(trained, from)), readFileSync(from));
    }
  return folder;
}
