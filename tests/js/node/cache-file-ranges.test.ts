// Cache files on a server: of one that sends ranges, only those that are needed are fetched.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openCache, restoreCache, saveCache } from "posenc/cache-file";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRotary, pe } from "../helpers/library";
import { range } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";
import { bytesOf, cacheOf, same } from "../helpers/saved-caches";

const rope = createRotary({ kind: "rope", dim: 8 });
const encoding = same(rope);
const shape = { layers: 2, tokens: 1000, dim: 8 };
const cache = cacheOf(shape, () => rope, [range(1000)]);
let file: Uint8Array;
let server: Server;
let sent = 0;
const address = (path: string) => new URL(`http://localhost:${(server.address() as AddressInfo).port}/${path}`);

beforeAll(async () => {
  file = await bytesOf(await saveCache(pe, cache, { encoding }));
  server = createServer(({ url, headers }, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    if (url === "/missing") return response.writeHead(404).end();
    const isPart = url !== "/whole" && from !== undefined;
    const body = isPart ? file.subarray(Number(from), Number(to) + 1) : file;
    const part = url === "/short" && body.length > 8 ? body.subarray(1) : body;
    sent += part.length;
    const size = url === "/unsized" ? "*" : file.length;
    if (isPart) response.writeHead(206, { "Content-Range": `bytes ${from}-${to}/${size}` });
    return response.end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
});
afterAll(() => void server.close());

it.each(["parts", "whole", "unsized"])("%s", async (path) => {
  sent = 0;
  const opened = await openCache(address(path));
  const restored: any = await restoreCache(pe, opened, { encoding });
  for (const [name, { data }] of Object.entries(cache)) expect(restored[name].data).toEqual(data);
  expect(sent).toBeLessThan(1.1 * file.length);
});

it("of some tokens only their blocks are fetched", async () => {
  const opened = await openCache(address("parts"));
  sent = 0;
  await restoreCache(pe, { file: opened, from: 300, to: 310 }, { encoding });
  // The first bytes of the file are there already.
  expect(sent).toBeLessThanOrEqual(4 * 256 * 2 * 8 * 4);
  expect(sent).toBeGreaterThan(3 * 256 * 2 * 8 * 4);
});

it("a read that failed can be repeated", async () => {
  let isBroken = false;
  const source = {
    size: file.length,
    read: (offset: number, length: number) => {
      if (isBroken) throw new Error("no connection");
      return file.slice(offset, offset + length);
    },
  };
  const opened = await openCache(source);
  isBroken = true;
  expect(await caught(() => restoreCache(pe, opened, { encoding }))).toMatchObject({ message: "no connection" });
  isBroken = false;
  const restored: any = await restoreCache(pe, opened, { encoding });
  for (const [name, { data }] of Object.entries(cache)) expect(restored[name].data).toEqual(data);
});

it("says what fails", async () => {
  for (const path of ["missing", "short"])
    expectError(await caught(() => openCache(address(path))), "load-failed", "source");
  const unreachable = new URL("http://localhost:1/contract.cache");
  expectError(await caught(() => openCache(unreachable)), "load-failed", "source");
});
