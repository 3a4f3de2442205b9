// What the header of a GGUF file says of positions.
import { PosencError } from "../base/errors.js";
import { specFromGguf, type GgufOptions } from "../config/gguf.js";
import type { GgufHeader } from "./gguf.js";
import type { GgufReport } from "./report.js";

/** Where layers differ. */
const layerTypes = ["full_attention", "sliding_attention"];
const optionOfTensor: Readonly<Record<string, keyof GgufOptions>> = {
  "rope_freqs.weight": "ropeFreqs",
  "rope_factors_short.weight": "shortFactors",
  "rope_factors_long.weight": "longFactors",
};

type Positions = Pick<GgufReport, "positions" | "findings">;

function positionsOf({ metadata, factors }: GgufHeader): Positions {
  const known = Object.entries(factors).filter(([name]) => Object.hasOwn(optionOfTensor, name));
  const tensors = Object.fromEntries(known.map(([name, numbers]) => [optionOfTensor[name], numbers]));
  try {
    return { positions: [{ spec: specFromGguf(metadata, tensors) }], findings: [] };
  } catch (error) {
    if (!(error instanceof PosencError) || error.field !== "layerType") throw error;
    const positions = layerTypes.map((layerType) => ({
      layerType,
      spec: specFromGguf(metadata, { ...tensors, layerType }),
    }));
    return { positions, findings: [] };
  }
}

export function ggufReport(header: GgufHeader): Omit<GgufReport, "file" | "bytes"> {
  const head = { format: "gguf", ...header } as const;
  try {
    return { ...head, ...positionsOf(header) };
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    const message = `The header describes no encoding: ${error.message}.`;
    return { ...head, positions: [], findings: [{ severity: "note", code: "config-unread", message }] };
  }
}
