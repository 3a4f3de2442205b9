// Opening, auditing and rewriting take as long as the file is: twice the nodes are twice the work.
import { beforeAll, expect, it } from "vitest";
import { countWork } from "../helpers/count-work";
import { pe } from "../helpers/library";
import { graphs, sized } from "../helpers/onnx-graphs";
import { openModel, PosencError, type OnnxModel } from "../helpers/onnx-models";
import { caught } from "../helpers/refusals";
import type { RewriteOptions } from "posenc/onnx";

const config = {
  model_type: "llama",
  hidden_size: 64,
  num_attention_heads: 8,
  num_hidden_layers: 2,
  max_position_embeddings: 128,
  rope_theta: 500,
};
const changes: RewriteOptions[] = [
  { attention: true },
  { rotary: { kind: "rope-yarn", factor: 4, originalLength: 64 } },
  { bias: { kind: "alibi" } },
  { length: 100, resize: "linear" },
  { angles: "float32" },
  { tables: "inputs" },
  { grid: [5, 5] },
];

/** A call that is refused has its work, too. */
async function quietly(call: () => unknown): Promise<void> {
  const error = await caught(async () => call());
  if (error && !(error instanceof PosencError)) throw error;
}

async function worksOf(file: Uint8Array): Promise<number[]> {
  let model: OnnxModel | undefined;
  const opening = await countWork(async () => (model = await openModel(file)));
  const works = [opening, await countWork(() => model!.audit(pe, config))];
  for (const change of changes) works.push(await countWork(() => quietly(() => model!.rewrite(pe, change))));
  return works;
}

const few = 640;
const names = ["open", "audit", ...changes.map((change) => Object.keys(change).join())];

// What is loaded when it is first needed is there.
beforeAll(async () => void (await worksOf(sized(graphs["layers with a rotation each"]!(few)))));

it.each(Object.entries(graphs))("%s", async (_, build) => {
  const small = await worksOf(sized(build(few)));
  const large = await worksOf(sized(build(2 * few)));
  // Of a graph with fewer nodes, ways of a bounded number of steps would reach that number in the larger one only.
  // What all calls do is not held against those that do little else.
  const most = Math.max(...small.map((work, i) => large[i]! / (work + 20 * few)));
  const counts = names.map((name, i) => `${name} ${small[i]} ${large[i]}`).join(", ");
  expect(most, counts).toBeLessThan(2.7);
});
