// What a command works with: handed over by the program, so that commands know neither the terminal nor the entries above.
import type { OnnxModel, OpenOptions } from "../onnx/model.js";
import type { Library } from "../onnx/options.js";
import type { FileSource } from "../onnx/read/source.js";

export interface Tools {
  openModel(source: FileSource, options?: OpenOptions): Promise<OnnxModel>;
  /** The library, which is only loaded where it is needed. */
  library(): Promise<Library>;
  readonly version: string;
  /** Prints results; each is one line, whatever is in it. */
  print(lines: readonly string[]): void;
  /** Prints a remark or an error, one line. */
  say(line: string): void;
  /** Shows a line in place of the one that it showed before; "" takes it away. */
  status(line: string): void;
  /** Columns that there are for results. */
  readonly width: number;
  /** Does a person see what is said? */
  readonly isTerminal: boolean;
}
