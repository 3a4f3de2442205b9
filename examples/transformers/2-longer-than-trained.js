// A Llama-type model at four times the length it was trained for: plain RoPE forgets, YaRN tables swapped in at run time
// bring the answer back. The text-generation pipeline, its KV cache and the graph stay as they are.
import { pipeline } from "@huggingface/transformers";
import { init } from "posenc";
import { withRotaryTables } from "posenc/transformers";
import { useLocalModels } from "./local.js";

useLocalModels();
const pe = await init({ parts: ["config"] });
const generator = await pipeline("text-generation", "recaller", { dtype: "fp32" });

// What config.json says, and the same with YaRN.
const { config } = generator.model;
const trained = config.max_position_embeddings;
const rope = pe.fromConfig(config);
const yarn = pe.fromConfig({
  ...config,
  rope_scaling: { rope_type: "yarn", factor: 4, original_max_position_embeddings: trained },
});

async function ask(length) {
  const prompt = `remember gold ${"hum ".repeat(length - 3)}colour`;
  const [{ generated_text: text }] = await generator(prompt, { max_new_tokens: 1, return_full_text: false });
  return text.trim();
}

for (const [name, encoding] of [
  ["RoPE", rope],
  ["YaRN", yarn],
]) {
  const undo = withRotaryTables(generator.model, encoding);
  for (const length of [trained - 1, 4 * trained - 1])
    console.log(`${name}: "remember gold …" and ${length - 2} words later "colour" -> ${await ask(length)}`);
  undo();
}
