// The small language models as the site runs them, against PyTorch's logits of the same texts.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LanguageModel } from "../../web/site/src/lab/language-model.ts";
import { place, type Rule, type TrainedWith } from "../../web/site/src/lab/positions.ts";
import { idsOf } from "../../web/site/src/lab/read-along.ts";
import { pe } from "./library.ts";

const here = (path: string) => new URL(path, import.meta.url);
const lab = here("../../web/site/lab/");
const read = (path: string) => JSON.parse(readFileSync(new URL(path, lab), "utf8"));
const models = read("models.json") as Record<string, { encoding: TrainedWith }>;
/** For each language held-out ids, and the losses that PyTorch's float32 logits give for every one but the first. */
const expected = JSON.parse(readFileSync(here("../fixtures/lab/losses.json"), "utf8")) as Record<
  string,
  { ids: number[]; losses: Record<string, number[]> }
>;

const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

function open(id: string): LanguageModel {
  const bytes = readFileSync(new URL(`models/${id}.safetensors`, lab));
  return new LanguageModel(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
}

function lossesOf(id: string, ids: ArrayLike<number>, rule: Rule): Float32Array {
  const model = open(id);
  const placement = place(pe, models[id]!.encoding, rule, (name) => model.weight(name), ids.length);
  try {
    return model.losses(pe, ids, placement);
  } finally {
    placement.dispose();
  }
}

describe.each(
  Object.entries(expected).flatMap(([language, { losses }]) => Object.keys(losses).map((id) => [id, language])),
)("%s", (id, language) => {
  it("expects what PyTorch expects, its weights being float16", () => {
    const { ids, losses } = expected[language!]!;
    // Tuned with YaRN × 4, and read so.
    const rule: Rule = id!.includes("yarn4") ? { name: "yarn", value: 4 } : { name: "default" };
    const found = lossesOf(id!, ids, rule);
    const wanted = losses[id!]!;
    expect(found.length).toBe(wanted.length);
    expect(Math.abs(mean(found) / mean(wanted) - 1)).toBeLessThan(0.002);
    found.forEach((loss, index) => expect(Math.abs(loss - wanted[index]!), `character ${index}`).toBeLessThan(0.06));
  });
});

describe("a text of 1024 characters, four times what was trained", () => {
  const text = readFileSync(new URL("text.en.txt", lab), "utf8");
  const ids = idsOf(text, read("vocabulary.en.json")).subarray(0, 1024);
  const late = (id: string, rule: Rule) => mean(lossesOf(id, ids, rule).subarray(512));

  it("is read by rules switched on after training, and not by rotations without one", () => {
    const limits: [string, Rule, number, number][] = [
      ["en-rope", { name: "default" }, 3, 6],
      ["en-rope", { name: "yarn", value: 4 }, 1, 1.6],
      ["en-rope", { name: "ntk", value: 16 }, 1, 1.6],
      ["en-rope", { name: "window", value: 256 }, 0.8, 1.3],
      ["en-rope", { name: "rerope", value: 192 }, 0.8, 1.3],
      ["en-rope", { name: "selfextend", group: 8, window: 64 }, 0.8, 1.3],
      ["en-alibi", { name: "default" }, 0.8, 1.3],
      ["en-learned", { name: "interp" }, 2, 6],
    ];
    for (const [id, rule, least, most] of limits) {
      const found = late(id, rule);
      expect(found, `${id} ${rule.name}`).toBeGreaterThan(least);
      expect(found, `${id} ${rule.name}`).toBeLessThan(most);
    }
  });

  it("costs as much by one rule against another as was measured on the whole held-out text", () => {
    // Passages are more or less hard; how two rules compare on the same ones varies by a hundredth.
    const measured = read("measured.json")["en-rope"] as Record<string, { loss: [number, number][] }>;
    const stored = (rule: string) => measured[rule]!.loss.find(([length]) => length === 1024)![1];
    const all = idsOf(text, read("vocabulary.en.json"));
    const live = (rule: Rule) =>
      mean([0, 1024].map((from) => mean(lossesOf("en-rope", all.subarray(from, from + 1025), rule))));
    const window = live({ name: "window", value: 256 });
    for (const [key, rule] of [
      ["rerope-192", { name: "rerope", value: 192 }],
      ["selfextend-32-128", { name: "selfextend", group: 32, window: 128 }],
    ] as [string, Rule][])
      expect(Math.abs(live(rule) / window / (stored(key) / stored("window-256")) - 1), key).toBeLessThan(0.03);
  });

  it("leaves no memory behind", () => {
    const before = pe.liveBytes;
    lossesOf("en-t5", ids.subarray(0, 64), { name: "default" });
    lossesOf("en-learned", ids.subarray(0, 300), { name: "interp" });
    expect(pe.liveBytes).toBe(before);
  });
});

it("characters outside of the vocabulary are marked, not dropped", () => {
  expect([...idsOf("a€𠮷b", ["<pad>", "<unk>", "a", "b"])]).toEqual([2, 1, 1, 3]);
});
