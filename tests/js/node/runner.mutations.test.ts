// Would the golden runner notice? Every golden case with one number changed: of what is expected, of an input, of a
// parameter. Only in Node: what the runner makes of a case is the same everywhere.
import { describe, expect, it } from "vitest";
import { mappingOf, runCase } from "../../golden/cases.mjs";
import { changedInputs, changedOutputs, changedParameters } from "../../golden/mutate.mjs";
import { goldenCases } from "../helpers/fixtures";
import { loosely, pe } from "../helpers/library";
import { Random } from "../helpers/random-spec";

/** Much of a config is not about positions (tests/js/config/ look at what is), nor what Transformers made of it. */
const notTried = /params\.(config|rope_parameters|rope_parameters_after_standardisation)\b/;

/** Changes nothing in the reference either, in all of the cases here; or is no part of the formula. */
const withoutEffect: [pattern: RegExp, why: string][] = [
  [/inputs\.linear_k\.bias/, "the same for all keys: the softmax takes it out"],
  [/^alibi .*\.(seq_length|max_seq_len)/, "how long the reference makes its table, of which some columns are stored"],
  [/^bias .*\.max_distance/, "of T5, whose short cases do not reach it; its lists of buckets do"],
  [/^grad .*\.max_distance/, "of T5, whose short cases do not reach it"],
  [/\.(rope_factor|original_seq_len|beta_fast|beta_slow)/, "DeepSeek's code scales only beyond the trained length"],
  [/\.(initial_context_length|ntk_alpha|ntk_beta)/, "a factor of 1 scales nothing"],
  [/^rope \d+ params\.max_position_embeddings/, "how long the reference makes its table"],
  [/\.(num_timescales|channels_per_axis)/, "follows from the width"],
  [/^grape \d+ params\.base/, "what frequencies began with, before they were changed"],
  [/\.hf_/, "what the reference was compared with"],
  [/^glm2d \d+ params\.layer_id/, "queries are divided by it, and scores multiplied back"],
  [/^logn \d+ inputs\.true_seq_len/, "Qwen's steps, of which a token less misses none here"],
  [/^remap \d+ params\.max_position_embeddings/, "of ChunkLlama, which scales only beyond it"],
  [/^remap \d+ params\.scale_base/, "of SelfExtend: none in its cases"],
  [/^ddalibi \d+ params\.bias_init/, "how a bias begins; the cases have one"],
  [/^path \d+ params\.chunk_size/, "how many tokens the reference takes at once"],
];

describe("the golden runner notices", () => {
  it("one wrong number in each output of each case", () => {
    const random = new Random(1);
    const unnoticed = [...goldenCases].flatMap(([name, json]) => {
      const report = runCase(
        pe,
        changedOutputs(loosely(json), () => random.between(0, 1)),
      );
      return report.outputs.filter(({ ok }) => ok).map((output) => `${name} ${output.name}`);
    });
    expect(unnoticed).toEqual([]);
  });

  it("another number in each input and parameter, in one case of each mapping at least", () => {
    const passes = (make: () => object): boolean => runCase(pe, make()).status === "pass";
    const open = new Set<string>();
    const noticed = new Set<string>();
    for (const json of goldenCases.values()) {
      const mapping = mappingOf(json);
      // The same draws, whatever other cases there are.
      const random = new Random(2);
      const inputs = changedInputs(loosely(json), () => random.between(0, 1), 12);
      for (const { what, tries } of [...inputs, ...changedParameters(loosely(json))]) {
        const key = `${mapping} ${what.replaceAll(/\[\d+\]/g, "[]")}`;
        if (noticed.has(key) || notTried.test(key)) continue;
        if (tries.every(passes)) open.add(key);
        else noticed.add(key);
      }
    }
    const unnoticed = [...open].filter((key) => !noticed.has(key));
    expect(unnoticed.filter((key) => !withoutEffect.some(([pattern]) => pattern.test(key)))).toEqual([]);
    // An excuse that nothing needs is none.
    const idle = withoutEffect.filter(([pattern]) => !unnoticed.some((key) => pattern.test(key)));
    expect(idle).toEqual([]);
  });
});
