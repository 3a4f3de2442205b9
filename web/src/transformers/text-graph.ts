// Files of a checkout that have the positions of the text; others embed tokens or encode images and sound.
import type { RewriteOptions } from "../onnx/options.js";

/** Whether a file has the positions of the text. */
export const isTextGraph = (file: string): boolean => /(^|[/\\])(decoder_)?model(_[^/\\]*)?\.onnx$/.test(file);

/** Returns the options for a file of a checkout: windows, remapped distances and temperatures are those of the text. */
export function optionsOf(file: string, options: RewriteOptions): RewriteOptions {
  const { window, remap, temperature, ...others } = options;
  void [window, remap, temperature];
  return isTextGraph(file) ? options : others;
}
