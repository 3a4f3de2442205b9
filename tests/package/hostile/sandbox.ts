// A sandbox of files, models with harmful names, and the program as it is in dist.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { inRoot } from "../../../web/tasks/prepare.mjs";
import { external, floats, frequencies, modelOf, rotation, tensor } from "../../js/helpers/onnx-proto.ts";

/** Systems without FIFOs, links for everybody and signals. */
export const isPosix = process.platform !== "win32";

const home = mkdtempSync(join(inject("temporary"), "hostile-"));
export const folder = (): string => mkdtempSync(join(home, "f"));

export const program = inRoot("dist", "cli.js");
export function posenc(...words: string[]): { status: number | null; out: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { cwd: home, encoding: "utf8" });
  return { status, out: stdout, stderr: stderr };
}
/** The words of a rewrite; `more` come before the output. */
export const rewriting = (model: string, out: string, ...more: string[]) => [
  program,
  ...["rewrite", model, "--linear", "4", ...more, "-o", out],
];
export const rewrite = (model: string, out: string, ...more: string[]) =>
  posenc("rewrite", model, "--linear", "4", "-o", out, ...more);

export const weights = Float32Array.of(1, 2, 3, 4);
/** A model with a rotation, and weights in files of these names. */
export const modelWith = (...locations: string[]): Uint8Array =>
  modelOf({
    nodes: rotation,
    constants: [
      floats("inv", [4], frequencies),
      ...locations.map((location, i) => tensor(`w${i}`, 1, [4], external({ location, offset: "0", length: "16" }))),
    ],
    inputs: ["position_ids", "x"],
  });

/** A folder with m.onnx and these files; a string is a link. */
export function given(files: Record<string, Uint8Array | string>): string {
  const path = folder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    if (typeof content === "string") symlinkSync(content, join(path, name));
    else writeFileSync(join(path, name), content);
  }
  return path;
}

/** All files below a folder, with what they are. */
export function contentOf(path: string): Record<string, string> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        return [file.slice(path.length + 1), createHash("sha1").update(readFileSync(file)).digest("hex")];
      }),
  );
}

export const llama = {
  ...{ model_type: "llama", hidden_size: 64, num_attention_heads: 4, max_position_embeddings: 64 },
  rope_theta: 10000,
};
export const data = Buffer.from(weights.buffer);
export const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
