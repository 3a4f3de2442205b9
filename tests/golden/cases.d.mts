export interface OutputReport {
  name: string;
  against: "truth" | "reference";
  error: number;
  tolerance: number;
  ok: boolean;
  reason?: string;
  /** Of an output that could not be made: what that means for the case. */
  verdict?: Pick<CaseReport, "status" | "reason" | "cause">;
}

export interface CaseReport {
  name: string;
  group: string;
  status: "pass" | "fail" | "unsupported";
  reason?: string;
  outputs: OutputReport[];
  cause?: unknown;
}

export interface StoredArray {
  dtype: "float32" | "float64" | "int64" | "int32" | "uint8";
  dims: number[];
  data: Float32Array | Float64Array | BigInt64Array | Int32Array | Uint8Array;
}

export interface ParsedCase {
  name: string;
  group: string;
  params: Record<string, unknown>;
  notes: string;
  inputs: Record<string, StoredArray>;
  targets: Record<string, { array: StoredArray; tolerance: number; against: "truth" | "reference" }>;
}

/** Checks the JSON of a case and decodes its arrays; throws when the case is broken. */
export function parseCase(json: unknown): ParsedCase;

/** The name of the mapping that runs a case: cases of the same one are run in the same way. */
export function mappingOf(json: unknown): string;

/** Runs one case through the public API. Never throws. */
export function runCase(pe: unknown, json: unknown, label?: string): CaseReport;
