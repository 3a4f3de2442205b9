import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/**
 * Files of the built site that the reader keeps: all but builds of the library that no browser with service workers runs, pictures for
 * other sites, and weights of models and what runs them, which are kept once somebody has asked for them.
 */
function keptFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter(
      (name) =>
        !name.startsWith("api/") &&
        !name.startsWith("previews/") &&
        !name.includes("scalar") &&
        !/\.(safetensors|onnx|bin)$/.test(name) &&
        !name.endsWith("sw.js"),
    )
    .sort();
}

/** Writes sw.js, which keeps the whole tutorial after the first visit; its version is a digest of the files. */
export function offline(root: string, outDir: string): Plugin {
  return {
    name: "posenc-site:offline",
    apply: "build",
    closeBundle() {
      const files = keptFiles(outDir);
      const digest = createHash("sha256");
      for (const name of files) digest.update(name).update(readFileSync(join(outDir, name)));
      const script = readFileSync(join(root, "src", "service-worker.js"), "utf8")
        .replace('"VERSION"', JSON.stringify(digest.digest("hex").slice(0, 16)))
        .replace('["FILES"]', JSON.stringify(files));
      writeFileSync(join(outDir, "sw.js"), script);
    },
  };
}
