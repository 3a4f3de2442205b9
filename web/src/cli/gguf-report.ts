// The positions in the header of a GGUF file.
import { PosencError } from "../base/errors.js";
import { isAboutConfig } from "../config/unreadable.js";
import { readGguf as readMetadata, type GgufOptions } from "../config/gguf.js";
import type { GgufHeader } from "./gguf.js";
import type { GgufReport } from "./report.js";

/** Kinds of layers that may differ. */
const layerTypes = ["full_attention", "sliding_attention"];
const optionOfTensor: Readonly<Record<string, keyof GgufOptions>> = {
  "rope_freqs.weight": "ropeFreqs",
  "rope_factors_short.weight": "shortFactors",
  "rope_factors_long.weight": "longFactors",
};

type Positions = Pick<GgufReport, "positions" | "findings" | "ignored">;

/** Reports keys without effect as a field and as a finding, as for a config. */
function aboutIgnored(ignored: readonly string[]): Omit<Positions, "positions"> {
  if (ignored.length === 0) return { findings: [] };
  const message = `Header keys without effect: ${ignored.join(", ")}.`;
  return { ignored, findings: [{ severity: "note", code: "config-ignored", message }] };
}

function positionsOf({ metadata, factors }: GgufHeader): Positions {
  const known = Object.entries(factors).filter(([name]) => Object.hasOwn(optionOfTensor, name));
  const tensors = Object.fromEntries(known.map(([name, values]) => [optionOfTensor[name], values]));
  try {
    const { spec, ignored } = readMetadata(metadata, tensors);
    return { positions: [{ spec }], ...aboutIgnored(ignored) };
  } catch (error) {
    if (!(error instanceof PosencError) || error.field !== "layerType") throw error;
    const readings = layerTypes.map((layerType) => ({
      layerType,
      ...readMetadata(metadata, { ...tensors, layerType }),
    }));
    const positions = readings.map(({ layerType, spec }) => ({ layerType, spec }));
    const [first, ...others] = readings.map(({ ignored }) => ignored);
    return { positions, ...aboutIgnored(first!.filter((key) => others.every((ignored) => ignored.includes(key)))) };
  }
}

export function ggufReport(header: GgufHeader): Omit<GgufReport, "file" | "bytes"> {
  const head = { format: "gguf", ...header } as const;
  try {
    return { ...head, ...positionsOf(header) };
  } catch (error) {
    if (!isAboutConfig(error)) throw error;
    const message = `The header describes no encoding: ${error.message}.`;
    return { ...head, positions: [], findings: [{ severity: "note", code: "config-unread", message }] };
  }
}
