// What a command works with: handed over by the program, so that commands know neither the terminal nor the entries above.
import type { OnnxModel, OpenOptions } from "../onnx/model.js";
import type { Library } from "../onnx/options.js";
import type { FileSource } from "../onnx/source.js";

export interface Tools {
  openModel(source: FileSource, options?: OpenOptions): Promise<OnnxModel>;
  /** The library, which is only loaded where it is needed. */
  library(): Promise<Library>;
  readonly version: string;
  /** Results, a line or several. */
  print(text: string): void;
  /** What is said beside them, as it is. */
  say(text: string): void;
  /** Columns that there are for results. */
  readonly width: number;
  /** Does a person see what is said? */
  readonly isTerminal: boolean;
}
