/** One case: see schema.json. */
export interface Vector {
  name: string;
  topic: string;
  title: string;
  operation: string;
  tags: string[];
  caught: { fault: string; reports: string[] }[];
  parameters: Record<string, unknown>;
  inputs: Record<string, StoredArray>;
  outputs: Record<string, StoredArray>;
  tolerance: Partial<Record<Level, Tolerance>>;
}

export interface StoredArray {
  shape: number[];
  dtype: "float64" | "int64";
  /** Row-major; null: any value. */
  values: (number | null)[];
}

export interface Tolerance {
  absolute: number;
  relative: number;
  reason: string;
}

export type Level = "strict" | "float32" | "float16" | "bfloat16";

export interface VectorArray {
  dims: readonly number[];
  data: ArrayLike<number>;
}

type Arrays = Record<string, VectorArray>;

/** A function per operation. Operations that are missing are reported as not offered. */
export type Engine = Record<string, (inputs: Arrays, parameters: any) => Arrays | Promise<Arrays>>;

export interface VectorResult {
  status: "passed" | "failed" | "not offered";
  /** Empty if the case passed. */
  reason: string;
}

/** Thrown by an engine for a call that it does not have. */
export class NotOffered extends Error {}

export function runCase(engine: Engine, vector: Vector, options?: { level?: Level }): Promise<VectorResult>;
export function runCases(
  engine: Engine,
  vectors: Vector[],
  options?: { level?: Level },
): Promise<(VectorResult & { vector: Vector })[]>;
