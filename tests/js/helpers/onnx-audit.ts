// Exported models against their configs, and what an audit says of them.
import { pe } from "./library";
import { besides, fixtureBytes, openModel, type OnnxModel } from "./onnx-models";
import type { Finding } from "posenc/onnx";

/** Fields of a config with other positions than those of the fixtures. */
export const yarn = {
  max_position_embeddings: 256,
  rope_scaling: { rope_type: "yarn", factor: 4, original_max_position_embeddings: 64 },
};
export const llama3 = {
  rope_type: "llama3",
  factor: 8,
  low_freq_factor: 1,
  high_freq_factor: 4,
  original_max_position_embeddings: 64,
};

export type Json = Record<string, unknown>;
const configs = import.meta.glob<Json>("../../fixtures/onnx/*/config.json", { import: "default" });
export const configOf = async (name: string): Promise<Json> =>
  configs[`../../fixtures/onnx/${name.split("/")[0]}/config.json`]!();
const files = new Map<string, Promise<[Uint8Array<ArrayBuffer>, Record<string, Uint8Array<ArrayBuffer>>]>>();
export async function open(name: string): Promise<OnnxModel> {
  if (!files.has(name)) files.set(name, Promise.all([fixtureBytes(name), besides(name)]));
  const [bytes, externalData] = await files.get(name)!;
  return openModel(bytes, { externalData });
}

type ExpectedFinding = Pick<Finding, "severity" | "code">;
export const loud = <T extends ExpectedFinding>(findings: readonly T[]): T[] =>
  findings.filter(({ severity }) => severity !== "note");
export const codes = (findings: readonly ExpectedFinding[]): string[] =>
  loud(findings).map(({ severity, code }) => `${severity} ${code}`);

/** What is left when what a finding offers was done. */
export async function fixed(model: OnnxModel, { rewrite }: Finding, config: Json): Promise<string[]> {
  const changed = await model.rewrite(pe, rewrite!);
  const again = await openModel(await changed.bytes(), { externalData: changed.externalData });
  return codes(again.audit(pe, config));
}
