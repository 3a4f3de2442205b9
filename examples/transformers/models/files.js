// The folder of models that transformers.js reads: config.json, tokenizer.json and onnx/model.onnx of each. In place of
// downloads: all of them are made here, with weights set by hand, but for one that was trained and exported.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { counter } from "./counter.js";
import { recaller } from "./recaller.js";
import { tokenizerFiles } from "./tokenizer.js";
import { wordVectors } from "./word-vectors.js";

export const modelFolder = fileURLToPath(new URL("../../../build/transformers/models/", import.meta.url));

/** Writes the models below `folder`, which `env.localModelPath` of transformers.js is to name. */
export function writeModels(folder = modelFolder) {
  for (const { name, words, config, onnx } of [wordVectors, recaller, counter]) {
    mkdirSync(join(folder, name, "onnx"), { recursive: true });
    const files = { "config.json": config, ...tokenizerFiles(words) };
    for (const [file, content] of Object.entries(files))
      writeFileSync(join(folder, name, file), JSON.stringify(content, null, 2));
    writeFileSync(join(folder, name, "onnx", "model.onnx"), onnx());
  }
  cpSync(fileURLToPath(new URL("./bible/", import.meta.url)), join(folder, "bible"), { recursive: true });
  return folder;
}
