// Serves the built site from a sub-path with the strict policy, once for all test files; or takes the address of a running one.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { serve } from "../../web/tasks/serve.mjs";

declare module "vitest" {
  interface ProvidedContext {
    siteUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const running = process.env["POSENC_SITE_URL"];
  if (running) {
    project.provide("siteUrl", running.replace(/\/?$/, "/"));
    return () => undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "posenc-site-"));
  cpSync(fileURLToPath(new URL("../../dist-site", import.meta.url)), join(folder, "some", "path"), { recursive: true });
  const server = await serve(folder);
  project.provide("siteUrl", `${server.url}some/path/`);
  return () => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
