// The interface of commands to the program, so that they depend neither on the terminal nor on other entries.
import type { OnnxModel, OpenOptions } from "../onnx/model.js";
import type { Library } from "../onnx/options.js";
import type { FileSource } from "../base/source.js";

export interface Tools {
  openModel(source: FileSource, options?: OpenOptions): Promise<OnnxModel>;
  /** Loads the library, only when it is needed. */
  library(): Promise<Library>;
  readonly version: string;
  /** Prints results; each stays one line, whatever characters it has. */
  print(lines: readonly string[]): void;
  /** Prints a note or an error, one line. */
  log(line: string): void;
  /** Replaces the status line; "" clears it. */
  status(line: string): void;
  /** Number of columns for results. */
  readonly width: number;
  /** Whether messages go to a terminal. */
  readonly isTerminal: boolean;
}
