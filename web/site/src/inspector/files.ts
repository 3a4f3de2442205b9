// Files that a reader chooses together: which of them is what.

export interface Chosen {
  models: File[];
  config?: File;
  tokenizer?: File;
  tokenizerConfig?: File;
  /** All else, such as weights. */
  beside: File[];
}

/** JSON files of a checkout that are no config of a model. */
const others =
  /^(tokenizer|special_tokens|added_tokens|vocab|merges|generation_config|preprocessor|processor|chat_template|genai_config|quantize_config)/i;

export function sorted(files: readonly File[]): Chosen {
  const named = (name: string) => files.find((file) => file.name.toLowerCase() === name);
  const models = files.filter(({ name }) => /\.onnx$/i.test(name));
  const config = named("config.json") ?? files.find(({ name }) => /\.json$/i.test(name) && !others.test(name));
  const tokenizer = named("tokenizer.json");
  const tokenizerConfig = named("tokenizer_config.json");
  const taken = [...models, config, tokenizer, tokenizerConfig];
  return {
    models,
    ...(config && { config }),
    ...(tokenizer && { tokenizer }),
    ...(tokenizerConfig && { tokenizerConfig }),
    beside: files.filter((file) => !taken.includes(file)),
  };
}

/** What is there of the weights' files; a location may name folders, a chosen file has none. */
export const inFiles = (files: readonly File[]) => (location: string) =>
  Promise.resolve(files.find(({ name }) => name === location.split("/").at(-1)));
