// A folder for the files of a run, outside the checkout; it is removed afterwards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    temporary: string;
  }
}

export default function setup({ provide }: TestProject): () => void {
  const path = mkdtempSync(join(tmpdir(), "posenc package "));
  provide("temporary", path);
  return () => rmSync(path, { recursive: true, force: true });
}
