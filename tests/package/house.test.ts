// Which folder may import from which, without cycles. ARCHITECTURE.md has the plan.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";

interface House {
  /** Where its files are, each folder with the names that lead into it. */
  roots: string[];
  suffixes: RegExp;
  /** What a line of a file imports. */
  imports: RegExp;
  /** The file that is meant, from the root on. */
  resolve: (path: string, file: string, files: ReadonlySet<string>) => string | undefined;
  /**
   * From the top down: a file looks into its own folder and those below. Files beside the folders stand above them all, but
   * for one with a folder's name, which is the way into it.
   */
  folders: string[];
  /** Are files outside all folders above them, by whatever name? */
  entriesOnly: boolean;
}

const houses: Record<string, House> = {
  "web/src": {
    roots: ["web/src"],
    suffixes: /\.ts$/,
    imports: /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g,
    resolve: (path, file, files) => {
      const name = posix.join(posix.dirname(file), path).replace(/\.js$/, "");
      return [`${name}.ts`, `${name}.d.ts`].find((candidate) => files.has(candidate));
    },
    folders: [
      "inspector",
      "cli",
      "worker",
      "cache-file",
      "transformers",
      "onnx",
      "webgpu",
      "parts",
      "explain",
      "attention",
      "encodings",
      "positions",
      "tensors",
      "models",
      "config",
      "ids",
      "wasm",
      "base",
    ],
    entriesOnly: true,
  },
  cpp: {
    // Public headers say "posenc/core/field.hpp", those of the sources "core/resolved_mask.hpp": one house.
    roots: ["cpp/include/posenc", "cpp/src"],
    suffixes: /\.[ch]pp$/,
    imports: /^#include "([^"]+)"/gm,
    resolve: (path, _, files) => [`cpp/include/${path}`, `cpp/src/${path}`].find((candidate) => files.has(candidate)),
    folders: ["training", "attention", "table", "relative", "bias", "rotary", "kernels", "core", "math"],
    entriesOnly: false,
  },
};

const filesOf = ({ roots, suffixes }: House): Set<string> =>
  new Set(
    roots.flatMap((root) =>
      readdirSync(inRoot(root), { recursive: true })
        .map((name) => posix.join(root, String(name).replaceAll("\\", "/")))
        .filter((name) => suffixes.test(name)),
    ),
  );

/** The files that each file imports; what leads nowhere is an error. */
function importsOf(house: House): Map<string, string[]> {
  const files = filesOf(house);
  return new Map(
    [...files].map((file) => {
      const text = readFileSync(inRoot(file), "utf8");
      const found = [...text.matchAll(house.imports)].map(([, path]) => {
        const target = house.resolve(path!, file, files);
        if (!target) throw new Error(`${file} imports ${path}, which is not there`);
        return target;
      });
      return [file, found];
    }),
  );
}

/** How far down a file is: 0 above all folders. */
function level({ roots, folders, entriesOnly }: House, file: string): number {
  const root = roots.find((candidate) => file.startsWith(`${candidate}/`))!;
  const path = file.slice(root.length + 1);
  if (entriesOnly && !path.includes("/")) return 0;
  const index = folders.indexOf(path.replace(/[/.].*$/, ""));
  if (index < 0 && path.includes("/")) throw new Error(`${file}: no such room in the plan`);
  return index + 1;
}

/** The files of each ring, the shortest way round. */
function rings(graph: Map<string, string[]>): string[] {
  const found = new Set<string>();
  for (const start of graph.keys()) {
    const before = new Map<string, string>();
    const queue = [start];
    for (let file; (file = queue.shift());)
      for (const next of graph.get(file)!) {
        if (before.has(next)) continue;
        before.set(next, file);
        queue.push(next);
      }
    if (!before.has(start)) continue;
    const ring = [start];
    for (let at = before.get(start)!; at !== start; at = before.get(at)!) ring.unshift(at);
    found.add(ring.sort().join(", "));
  }
  return [...found];
}

describe.each(Object.entries(houses))("%s", (_, house) => {
  const graph = importsOf(house);

  it("has the rooms of the plan", () => {
    for (const folder of house.folders)
      expect(
        house.roots.some((root) => existsSync(inRoot(root, folder))),
        folder,
      ).toBe(true);
    expect([...graph.values()].flat().length).toBeGreaterThan(100);
  });
  it("looks downwards only", () => {
    const upwards = [...graph].flatMap(([file, targets]) =>
      targets.filter((target) => level(house, target) < level(house, file)).map((target) => `${file} → ${target}`),
    );
    expect(upwards).toEqual([]);
  });
  it("has no ring of files", () => {
    expect(rings(graph)).toEqual([]);
  });
});

describe("what stands alone", () => {
  const includes = (folder: string, header: RegExp): string[] =>
    readdirSync(inRoot("cpp", folder), { recursive: true })
      .map((name) => posix.join("cpp", folder, String(name).replaceAll("\\", "/")))
      .filter((name) => /\.[ch]pp$/.test(name) && header.test(readFileSync(inRoot(name), "utf8")));

  it("xsimd is known to the kernels alone", () => {
    const files = [...includes("include", /#include <xsimd/), ...includes("src", /#include <xsimd/)];
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((name) => !name.startsWith("cpp/src/kernels/"))).toEqual([]);
  });
  it("Emscripten is known to the bindings alone", () => {
    expect(includes("bindings", /#include <emscripten/).length).toBeGreaterThan(0);
    expect([...includes("include", /#include <emscripten/), ...includes("src", /#include <emscripten/)]).toEqual([]);
  });
  it("Node is known to tests that run in it alone", () => {
    const everywhere = readdirSync(inRoot("tests/js"), { recursive: true, encoding: "utf8" })
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => name.endsWith(".test.ts") && !name.startsWith("node/"));
    expect(everywhere.length).toBeGreaterThan(100);
    const ofNode = /\bBuffer\b|\bfrom "node:/;
    expect(everywhere.filter((name) => ofNode.test(readFileSync(inRoot("tests/js", name), "utf8")))).toEqual([]);
  });
});
