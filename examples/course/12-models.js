// What published models use, what a config.json says, and where to begin.
import { init } from "posenc";
import { compare, explain } from "posenc/explain";
import { models, recommend } from "posenc/models";

const id = "llama-3.1-8b";
const task = "long-generation";

const pe = await init({ parts: ["config"] });

const { name, year, config, contextLength } = models[id];
console.log(`${name} (${year}), ${contextLength} positions`);
//> Llama 3.1 8B (2024), 131072 positions

// What its config.json says about positions, read and explained.
const encoding = pe.fromConfig(config, { family: "rotary" });
const { pairs, rotations } = explain(pe, encoding, { contextLength });
const full = rotations?.filter((count) => count >= 1).length;
console.log(encoding.kind, `${rotations?.length} pairs, ${full} turn at least once`);
for (const { first, last, change } of pairs) {
  console.log(`pairs ${first} to ${last}: ${change}`);
}
//> rope-llama3 64 pairs, 39 turn at least once
//> pairs 0 to 28: unchanged
//> pairs 29 to 34: blended
//> pairs 35 to 63: slowed

// Could its predecessor's encoding stand in for it?
const older = models["llama-3-8b"].config;
const { interchangeable, differences } = compare(pe, config, older);
console.log(interchangeable, ...differences.map(({ field }) => field));
//> no kind factor lowFrequencyFactor highFrequencyFactor originalLength frequencies

const { kind, alternatives, reason } = recommend(task);
console.log(`${task}: ${kind}, or ${alternatives.join(", ")}`);
//> long-generation: rope, or alibi, rope-yarn, rope-llama3
console.log(reason);
//> Scores depend on distances, nothing is learned, cached keys stay valid, and scaling rules extend the context.
