// A tokenizer of whole words, in Hugging Face's file formats.
export const padding = "[PAD]";
export const unknown = "[UNK]";

/** All words of a model, the two special ones first; a word's place is its id. */
export const vocabularyOf = (words) => [padding, unknown, ...words];

/** tokenizer.json and tokenizer_config.json. */
export function tokenizerFiles(words) {
  const vocabulary = vocabularyOf(words);
  const special = [padding, unknown].map((content, id) => ({
    ...{ id, content, special: true },
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  }));
  return {
    "tokenizer.json": {
      version: "1.0",
      truncation: null,
      padding: null,
      added_tokens: special,
      normalizer: null,
      pre_tokenizer: { type: "WhitespaceSplit" },
      post_processor: null,
      decoder: { type: "WordPiece", prefix: "##", cleanup: false },
      model: {
        type: "WordPiece",
        unk_token: unknown,
        continuing_subword_prefix: "##",
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
      },
    },
    "tokenizer_config.json": {
      tokenizer_class: "PreTrainedTokenizerFast",
      pad_token: padding,
      unk_token: unknown,
      padding_side: "left",
      clean_up_tokenization_spaces: false,
      model_max_length: 100000,
    },
  };
}
