// "dog bites man" = "man bites dog", until positions are added: with the feature-extraction pipeline of transformers.js.
import { pipeline } from "@huggingface/transformers";
import { init } from "posenc";
import { useLocalModels } from "./local.js";
import { compareOrders } from "./order-of-words.js";

useLocalModels();
const pe = await init({ parts: ["attention"] });
const extractor = await pipeline("feature-extraction", "word-vectors", { dtype: "fp32" });

const sentences = ["dog bites man", "man bites dog"];
console.log(sentences.map((text) => `"${text}"`).join(" and "));
for (const [what, likeness] of await compareOrders(pe, extractor, sentences))
  console.log(`${what}: ${likeness > 0.999999 ? "the same" : `different (likeness ${likeness.toFixed(3)})`}`);
