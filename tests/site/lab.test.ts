// The small language models as the site runs them, against PyTorch's losses of the same texts.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { entrants, isLive, runnerOf, type Entrant, type LabLanguage } from "../../web/site/src/lab/arena.ts";
import { LanguageModel } from "../../web/site/src/lab/language-model.ts";
import { place, type Rule, type TrainedWith } from "../../web/site/src/lab/positions.ts";
import { idsOf, readAlong } from "../../web/site/src/lab/read-along.ts";
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
  const placement = place(pe, models[id]!.encoding, rule, (name) => model.weight(name), ids.length - 1);
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

/** By language, model and rule: pairs of a length and the mean loss, by the code that measured all that the arena shows. */
const rules = JSON.parse(readFileSync(here("../fixtures/lab/rules.json"), "utf8")) as Record<
  LabLanguage,
  Record<string, [number, number][]>
>;

/** Of each kind one factor; read are the first 512 characters, twice what was trained. */
const compared: [LabLanguage, Entrant[], number][] = [
  ["en", [...entrants], 4],
  ["zh", ["rope", "yarn", "self-extend"], 2],
];

describe.each(
  compared.flatMap(([language, all, factor]) =>
    all.flatMap((entrant) => {
      const runner = runnerOf(entrant, language, factor);
      return runner && isLive(runner) ? [[language, runner] as const] : [];
    }),
  ),
)("%s, $entrant in the arena", (language, { entrant, model, key, trained, rule }) => {
  it("reads as it was measured, at each length", async () => {
    const expectedLosses = rules[language][`${model} ${key}`]!.filter(([length]) => length <= 512);
    expect(expectedLosses.length).toBeGreaterThan(0);
    const address = URL.createObjectURL(new Blob([readFileSync(new URL(`models/${model}.safetensors`, lab))]));
    const readings = await readAlong(
      pe,
      {
        readers: [{ name: entrant, address, bytes: 1, trained, rule }],
        vocabulary: read(`vocabulary.${language}.json`) as string[],
        text: readFileSync(new URL(`text.${language}.txt`, lab), "utf8"),
        lengths: [256, 512],
      },
      () => undefined,
    );
    URL.revokeObjectURL(address);
    expect(readings[entrant]!.map(([length]) => length)).toEqual(expectedLosses.map(([length]) => length));
    readings[entrant]!.forEach(([length, nats], index) =>
      expect(Math.abs(nats / expectedLosses[index]![1] - 1), `${length} characters`).toBeLessThan(0.001),
    );
  });
});

it("models leave no memory behind", () => {
  const before = pe.liveBytes;
  const { ids } = expected["en"]!;
  lossesOf("en-t5", ids.slice(0, 64), { name: "default" });
  lossesOf("en-learned", [...ids, ...ids].slice(0, 300), { name: "interp" });
  expect(pe.liveBytes).toBe(before);
});

it("characters outside of the vocabulary are marked, not dropped", () => {
  expect([...idsOf("a€𠮷b", ["<pad>", "<unk>", "a", "b"])]).toEqual([2, 1, 1, 3]);
});
