// Takes a build apart: the base, which loads first, and parts that load when they are asked for. wasm-split moves
// functions to modules over the same memory and table; this file decides which, by what calls them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CallGraph } from "./call-graph.mjs";
import { inOrder, orderOf } from "./function-order.mjs";
import { dataOfParts, withData, withoutData } from "./part-data.mjs";
import { toolchain } from "./prepare.mjs";

/** Functions that only a part calls although the base refers to them: virtual ones, and calls outside the list. */
const callers = [
  [/::(scatter\w*|learn|begin_learning|finish_learning|\w*backward\w*)\(/, "training"],
  [/KeyValueCache::~|default_delete<posenc::KeyValueCache/, "cache"],
  [/^posenc::bindings::attends_rightly\(/, "attention"],
];
/** Shorter functions, in lines of text, may stand for equal ones of other classes: whatever calls them has them. */
const longEnough = 12;

/** Returns the functions from which each part can be entered, by the core's lists of calls and kinds. */
function rootsOf(graph, { encodings, calls }) {
  const roots = new Map(calls.parts.map(([part]) => [part, []]));
  const runners = graph.constant(/8kRunnersE$/);
  const methods = graph.constant(/_17MethodsI.*4listE$/);
  graph.noteListed([runners, methods]);
  let at = runners.at;
  for (const [part, count] of calls.parts) {
    roots.get(part).push(...graph.functionsAt(at, 4 * count));
    at += 4 * count;
  }
  const bytes = methods.size / encodings.length;
  for (const [row, { family }] of encodings.entries())
    roots.get(family === "relative" ? family : "base").push(...graph.functionsAt(methods.at + bytes * row, bytes));
  roots.get("base").push(...graph.exported.filter((name) => graph.functions.has(name)));
  return roots;
}

/**
 * Returns the functions of the base, and of each part. What several parts need is in attention; what training calls of
 * relative encodings is with these.
 */
function place(graph, core) {
  const names = [...graph.functions.keys()];
  const callerOf = (name) =>
    graph.functions.get(name).lines > longEnough
      ? callers.find(([pattern]) => pattern.test(graph.title(name)))?.[1]
      : undefined;
  const roots = rootsOf(graph, core);
  const called = names.filter(callerOf);
  const ofBase = graph.reach(roots.get("base"));
  for (const name of called) if (ofBase.has(name)) roots.get(callerOf(name)).push(name);
  const parts = [...roots.keys()].filter((part) => part !== "base");
  const reached = new Map(parts.map((part) => [part, graph.reach(roots.get(part))]));
  const reachedAtAll = graph.reach([...called, ...roots.values()].flat());
  const base = graph.reach(roots.get("base"), callerOf);
  const placed = new Map([["base", []], ...parts.map((part) => [part, []])]);
  const partOf = (name) => {
    if (base.has(name) || !reachedAtAll.has(name)) return "base";
    const users = parts.filter((part) => reached.get(part).has(name));
    return callerOf(name) ?? (users.length === 0 ? "training" : users.length === 1 ? users[0] : "attention");
  };
  for (const name of names) placed.get(partOf(name)).push(name);
  return placed;
}

/**
 * Returns the text of a part for any engine: empty entries in the list of a table need a newer WebAssembly. The table that
 * it imports grew when later parts were split off.
 */
function portable(text) {
  const anySize = text.replace(/(\(import "" "\w+" \(table \S+) \d+ \d+ funcref/, "$1 0 funcref");
  return anySize.replace(/^ \(elem \$\S+ \(table \$\S+\) \(i32\.const (\d+)\) funcref (.*)\)$/gm, (_, from, list) => {
    const runs = [];
    const items = [...list.matchAll(/\(item \(ref\.(?:func (\S+)|null \w+)\)\)/g)].map(([, name]) => name);
    for (const [i, name] of items.entries())
      if (name !== undefined) (items[i - 1] === undefined ? runs[runs.push([i]) - 1] : runs.at(-1)).push(name);
    return runs.map(([i, ...names]) => ` (elem (i32.const ${Number(from) + i}) ${names.join(" ")})`).join("\n");
  });
}

const features = ["simd", "relaxed-simd", "bulk-memory", "nontrapping-float-to-int", "sign-ext", "mutable-globals"];
const enabled = features.map((feature) => `--enable-${feature}`);
const nullable = [...enabled, "--enable-reference-types"];

/** Runs programs of Binaryen in a folder of their own. */
async function binaryen(work) {
  const { emxx, env } = await toolchain();
  const config = join(dirname(emxx), process.platform === "win32" ? "em-config.bat" : "em-config");
  const options = { env: { ...process.env, ...env }, encoding: "utf8", shell: process.platform === "win32" };
  const root = execFileSync(config, ["BINARYEN_ROOT"], options).trim();
  const folder = mkdtempSync(join(tmpdir(), "posenc-parts-"));
  const tool = (name, ...given) =>
    execFileSync(join(root, "bin", name), given, { cwd: folder, maxBuffer: 2 ** 28, encoding: "utf8" });
  try {
    return work(tool, (name) => join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the modules of a build by the names of their parts. `core` is what the core says of itself; `orders` keeps the
 * order of each part's functions, for builds that differ little from the first.
 */
export const splitBuild = (wasmFile, mapFile, core, orders) =>
  binaryen((tool, path) => {
    const text = tool("wasm-dis", wasmFile, ...enabled, "-o", "-");
    const graph = new CallGraph(text, readFileSync(mapFile, "utf8"));
    const placed = place(graph, core);
    const data = dataOfParts(graph, placed);
    const manifest = [...placed]
      .slice(1)
      .map(([part, names]) => [part, ...names].join("\n"))
      .join("\n\n");
    writeFileSync(path("manifest"), `${manifest}\n`);
    tool(
      "wasm-split",
      wasmFile,
      "--multi-split",
      "-g",
      "--manifest=manifest",
      "--out-prefix=./",
      "--output=base.wasm",
      ...enabled,
    );
    const finished = (part) => {
      tool("wasm-opt", `${part}.wasm`, ...nullable, "-Oz", "--converge", "-g", "-o", `${part}.wasm`);
      const whole = portable(tool("wasm-dis", `${part}.wasm`, ...nullable, "-o", "-"));
      const text =
        part === "base" ? withoutData(whole, graph, [...data.values()].flat()) : withData(whole, graph, data.get(part));
      if (!orders.has(part)) orders.set(part, orderOf(text, readFileSync(path(`${part}.wasm`))));
      writeFileSync(path(`${part}.wat`), inOrder(text, orders.get(part)));
      tool("wasm-as", `${part}.wat`, ...enabled, "-o", `${part}.wasm`);
      return readFileSync(path(`${part}.wasm`));
    };
    return new Map([...placed.keys()].map((part) => [part, finished(part)]));
  });
