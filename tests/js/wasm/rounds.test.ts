// Does it last? A million rounds leave nothing behind.
import { describe, expect, it } from "vitest";
import { fresh } from "../helpers/fresh";

const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;

describe("a million rounds", () => {
  const kinds = ["rope", "sinusoidal", "alibi", "shaw"] as const;
  // Browsers run fewer: there an encoding takes longer to end, and the core is the same.
  const rounds = isNode ? 1_000_000 : 50_000;

  it("of create, apply and dispose leave liveBytes and the memory where they were", async () => {
    const { pe, memory } = await fresh();
    const once = (round: number) => {
      using q = pe.tensor([1, 1, 2, 4]);
      const kind = kinds[round % kinds.length]!;
      using encoding = pe.create(kind === "alibi" ? { kind, heads: 1 } : { kind, dim: 4 });
      if (encoding.family === "rotary") encoding.apply(q, { offset: round });
      if (encoding.family === "table") encoding.addTo(q, { offset: round });
      if (encoding.family === "bias") encoding.bias({ queries: 2, keys: 2 });
      if (encoding.family === "relative") encoding.logits(q, q);
    };
    for (let round = 0; round < 1000; round++) once(round);
    const [live, bytes] = [pe.liveBytes, memory()];
    for (let round = 0; round < rounds; round++) once(round);
    expect(pe.liveBytes).toBe(live);
    expect(memory()).toBe(bytes);
  }, 240_000);
});
