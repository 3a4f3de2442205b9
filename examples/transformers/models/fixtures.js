// The exported models that the tests are run with: tiny, with random weights, as the tools of others wrote them.
import { readFile } from "node:fs/promises";

/** The bytes of `model/file`. */
export const fixture = (name) => readFile(new URL(`../../../tests/fixtures/onnx/${name}`, import.meta.url));
