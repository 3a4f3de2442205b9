// The interface of the element to the other entries of the package.
import type { OnnxModel, OpenOptions } from "../onnx/model.js";
import type { Library } from "../onnx/options.js";
import type { Spec } from "../base/specs.gen.js";
import type { FileSource } from "../base/source.js";

/** The methods of a posenc instance that the element calls. `init()` of posenc returns one. */
export interface InspectorLibrary extends Omit<Library, "load"> {
  /**
   * Loads parts of the library: `config`, and `relative` if an encoding is relative.
   *
   * @param parts Names of parts.
   * @throws {PosencError} `load-failed`.
   */
  load(...parts: readonly ("config" | "resize" | "relative")[]): Promise<void>;
  /**
   * Describes the encoding of a spec.
   *
   * @param spec Spec of any kind.
   * @returns An explanation; `summary` is one paragraph.
   * @throws {PosencError} `invalid-spec`, `load-failed` or `disposed`.
   */
  explain(spec: Spec): Promise<{ readonly summary: string }>;
}

export interface InspectorTools {
  openModel(source: FileSource, options: OpenOptions): Promise<OnnxModel>;
  /** Loads the library, only when it is needed. */
  library(): Promise<InspectorLibrary>;
}
