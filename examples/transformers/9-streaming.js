// A text without end by a model of 256 characters. Its cache keeps the first four tokens, which its attention leans on, and the
// last 252. Positions count inside it, so that the model never meets a distance it was not trained for, and memory stays as it
// is. node 9-streaming.js --characters 20000 writes on.
import { parseArgs } from "node:util";
import { DynamicCache, pipeline, random } from "@huggingface/transformers";
import { init } from "posenc";
import { withRollingCache } from "posenc/transformers";
import { useLocalModels } from "./local.js";

const { values } = parseArgs({ options: { characters: { type: "string", default: "5000" } } });

useLocalModels();
const pe = await init({ parts: ["config"] });
const writer = await pipeline("text-generation", "bible", { dtype: "fp16" });
const rope = pe.fromConfig(writer.model.config, { family: "rotary" });
// One leaves when one comes: the text is that of a model which sees the same characters anew each time.
withRollingCache(writer.model, rope, { sinks: 4, window: 252, evict: 1 });

random.seed(7);
const cache = new DynamicCache();
const [{ generated_text: text }] = await writer("1 In the beginning", {
  ...{ max_new_tokens: Number(values.characters), return_full_text: false },
  ...{ do_sample: true, temperature: 0.8, top_k: 0 },
  past_key_values: cache,
});
console.log(text);
const [, , length] = cache["past_key_values.0.key"].dims;
console.log(`${length} of ${cache.get_seq_length()} characters are in the cache`);
