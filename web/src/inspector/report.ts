// The reports of the element: plain data.
import type { GgufReport, OnnxReport } from "../cli/report.js";
import type { LayerSpec } from "../config/layers.js";
import type { Finding } from "../onnx/audit/finding.js";

/** Layers of a config.json with the same positions. */
export interface LayerGroup extends Omit<LayerSpec, "layer"> {
  /** Indices of the layers in their part, from 0; empty if the config has no number of layers. */
  readonly layers: readonly number[];
}

/** The encodings of a config.json. */
export interface ConfigReport {
  /** Always "config". */
  readonly format: "config";
  /** Name of the file. */
  readonly file: string;
  /** Size of the file in bytes. */
  readonly bytes: number;
  /** Groups of layers, in the order of their first layers. */
  readonly layers: readonly LayerGroup[];
  /** Notes on assumed and ignored fields. */
  readonly findings: readonly Pick<Finding, "severity" | "code" | "message">[];
  /** Bytes of cached keys and values for the longest text of the config. */
  readonly cache?: OnnxReport["cache"];
}

/** The report about a file: `format` is "onnx", "gguf" or "config". The first two are those of `npx posenc inspect --json`. */
export type InspectorReport = (OnnxReport | GgufReport | ConfigReport) & {
  /** One paragraph about each encoding of a config.json or a GGUF header, in the order of `layers` or `positions`; "": none. */
  readonly explanations?: readonly string[];
  /** Reason why the report has no findings or no explanations: the library could not be loaded. */
  readonly unchecked?: string;
};
