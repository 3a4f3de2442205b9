// A hub of a few repositories, on disk: exported models of tests/fixtures/onnx with configs and tokenizers.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tokenizerFiles } from "../../examples/transformers/models/tokenizer.js";

export const fixtures = fileURLToPath(new URL("../fixtures/onnx/", import.meta.url));
/** What the exported models were made for. */
export const trained = 64;
const vocabulary = 160;

interface Repository {
  /** Where its config.json is. */
  from: string;
  /** Its files in the folder onnx, and where they are. */
  onnx: Record<string, string>;
  config?: object;
  isImage?: boolean;
}

export const repositories: Record<string, Repository> = {
  "org/llama": {
    from: "llama",
    onnx: { "model.onnx": "llama/model.onnx", "model_fp16.onnx": "llama-tjs/model_fp16.onnx" },
  },
  "org/llama-ext": {
    from: "llama-ext",
    onnx: { "model.onnx": "llama-ext/model.onnx", "model.onnx_data": "llama-ext/model.onnx_data" },
    config: { "transformers.js_config": { use_external_data_format: { "model.onnx": true } } },
  },
  "org/gpt2": { from: "gpt2-tjs", onnx: { "model_quantized.onnx": "gpt2-tjs/model_quantized.onnx" } },
  "org/vit": { from: "vit-tjs", onnx: { "model.onnx": "vit-tjs/model.onnx" }, isImage: true },
};

/** The files that transformers.js reads beside config.json. */
function externalFiles(isImage: boolean): Record<string, object> {
  if (isImage)
    return {
      "preprocessor_config.json": {
        ...{ image_processor_type: "ViTImageProcessor", do_resize: true, do_rescale: true, do_normalize: true },
        ...{ size: { height: 32, width: 32 }, resample: 2, image_mean: [0.5, 0.5, 0.5], image_std: [0.5, 0.5, 0.5] },
      },
    };
  const { "tokenizer_config.json": config, ...files } = tokenizerFiles(
    Array.from({ length: vocabulary - 2 }, (_, word) => `w${word + 2}`),
  );
  return { ...files, "tokenizer_config.json": { ...config, model_max_length: trained } };
}

/** Writes all of them; `pathOf` returns the folder of a model's files. Returns the content of every file by its path below `root`. */
export function writeRepositories(root: string, pathOf: (model: string) => string): Map<string, Buffer> {
  const written = new Map<string, Buffer>();
  const write = (path: string, bytes: Buffer): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
    written.set(path, bytes);
  };
  for (const [model, { from, onnx, config: own = {}, isImage = false }] of Object.entries(repositories)) {
    const config = { ...JSON.parse(readFileSync(join(fixtures, from, "config.json"), "utf8")), ...own };
    const texts = { "config.json": config, ...externalFiles(isImage) };
    for (const [file, json] of Object.entries(texts))
      write(`${pathOf(model)}/${file}`, Buffer.from(JSON.stringify(json)));
    for (const [file, source] of Object.entries(onnx))
      write(`${pathOf(model)}/onnx/${file}`, readFileSync(join(fixtures, source)));
  }
  return written;
}
