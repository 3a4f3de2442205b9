// The table of graphs in web/docs/onnx.md says what the library does: node tests/fixtures/onnx-matrix.mjs writes it anew.
import { expect, it } from "vitest";
import { matrix, written } from "../fixtures/onnx-matrix.mjs";

it("tells what is found, judged and changed in each graph of the tests", async () => {
  expect(written()).toBe(await matrix());
});
