// Addresses of <posenc-inspector>: ranges instead of whole files, weights only from the model's folder, abort.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openModel } from "posenc/onnx";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openGiven } from "../../../web/src/inspector/sources";
import { besides, fixtureBytes } from "../helpers/onnx-models";
import { caught } from "../helpers/refusals";

let files: Record<string, Uint8Array>;
let server: Server;
let requested: string[] = [];
/** Whether requests get no response. */
let isSilent = false;
const { document: earlier } = globalThis;

beforeAll(async () => {
  files = {
    "/models/model.onnx": await fixtureBytes("llama-ext/model.onnx"),
    "/models/model.onnx_data": (await besides("llama-ext/model.onnx"))["model.onnx_data"]!,
    "/secret.bin": new Uint8Array(8),
    "/config.json": new TextEncoder().encode('{"model_type":"llama"}'),
  };
  server = createServer(({ url, headers }, response) => {
    requested.push(url!);
    if (isSilent) return;
    const file = files[url!];
    if (!file) return void response.writeHead(404).end();
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "")!;
    const end = Math.min(Number(to) + 1, file.length);
    response.writeHead(206, { "Content-Range": `bytes ${from}-${end - 1}/${file.length}` });
    response.end(file.subarray(Number(from), end));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const baseURI = `http://localhost:${(server.address() as AddressInfo).port}/`;
  globalThis.document = { baseURI } as Document;
});
afterAll(() => {
  globalThis.document = earlier;
  server.closeAllConnections();
  server.close();
});

const never = new AbortController().signal;

it("a relative address is opened with its config and its weights", async () => {
  const { name, source, config, external } = await openGiven("models/model.onnx", "config.json", never);
  expect([name, config]).toEqual(["model.onnx", { name: "config.json", json: { model_type: "llama" } }]);
  expect(source.size).toBe(files["/models/model.onnx"]!.length);
  const model = await openModel(source, { externalData: external });
  expect(model.externalLocations).toEqual(["model.onnx_data"]);
  expect(model.positions).toMatchObject([{ family: "rotary" }]);
});

it.each(["../secret.bin", "/secret.bin", "//localhost/secret.bin", "http://localhost:1/x", "%2e%2e/secret.bin"])(
  "weights at %s are not requested",
  async (location) => {
    const { external } = await openGiven("/models/model.onnx", undefined, never);
    requested = [];
    expect(await external(location)).toBeUndefined();
    expect(requested).toEqual([]);
  },
);

it("weights that are missing are undefined, and a missing model is an error", async () => {
  const { external } = await openGiven("/models/model.onnx", undefined, never);
  expect(await external("other.bin")).toBeUndefined();
  const error = await caught(() => openGiven("/models/other.onnx", undefined, never));
  expect(error).toMatchObject({ code: "load-failed", message: expect.stringMatching(/status 404/) });
  expect(await caught(() => openGiven("http://", undefined, never))).toMatchObject({ code: "invalid-argument" });
});

it("a signal ends a request that gets no response", async () => {
  isSilent = true;
  const controller = new AbortController();
  const opening = caught(() => openGiven("/models/model.onnx", undefined, controller.signal));
  setTimeout(() => controller.abort(new Error("enough")), 50);
  expect(await opening).toMatchObject({ message: "enough" });
  isSilent = false;
});
