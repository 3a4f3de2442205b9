// Text as tokens, with the model's own tokenizer.json; without one, ids that the reader types, or random ones.
import { Tokenizer } from "@huggingface/tokenizers";
import { evenNumbers } from "../lib/random.ts";

export interface TokenizerFiles {
  /** tokenizer.json */
  tokenizer: File;
  /** tokenizer_config.json */
  config?: File;
}

export interface Words {
  encode(text: string): number[];
  decode(ids: readonly number[]): string;
}

export async function openTokenizer({ tokenizer, config }: TokenizerFiles): Promise<Words> {
  const parsed = JSON.parse(await tokenizer.text()) as { model?: object };
  if (!parsed?.model) throw new Error(`${tokenizer.name} is not a tokenizer.json: it has no model`);
  const made = new Tokenizer(parsed, config ? (JSON.parse(await config.text()) as object) : {});
  return {
    encode: (text) => made.encode(text).ids,
    decode: (ids) => made.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
  };
}

/** "3, 17 5" */
export function typedIds(text: string): number[] {
  const parts = text.split(/[\s,，;]+/).filter(Boolean);
  const wrong = parts.find((part) => !/^\d+$/.test(part));
  if (wrong !== undefined) throw new Error(`"${wrong.slice(0, 20)}" is not an id`);
  return parts.map(Number);
}

/** The same ones each time. */
export function randomIds(count: number, vocabulary: number): number[] {
  const random = evenNumbers(1);
  return Array.from({ length: count }, () => Math.floor(random() * vocabulary));
}
