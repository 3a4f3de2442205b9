// The apps in examples/apps and the notebook, as readers get them: with the packed package, built, and used in Chromium.
import { cpSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inRoot } from "../../../web/tasks/prepare.mjs";
import { contentSecurityPolicy, serve } from "../../../web/tasks/serve.mjs";
import { chromiumOptions } from "../../js/chromium.mjs";
import { install, run, watchedPage, workspace } from "./workspace.ts";

type Check = (page: Page, tools: { expect: typeof expect; fixture: (path: string) => string }) => Promise<void>;

const apps = readdirSync(inRoot("examples", "apps"));
const fixture = (path: string): string => inRoot("tests", "fixtures", ...path.split("/"));

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(chromiumOptions());
});
afterAll(async () => browser?.close());

/** Copies sources, without files that npm and builds have left in their folder. */
function copySources(from: string, to: string): void {
  const leftovers = ["node_modules", "dist", "public", "package.json", "package-lock.json"];
  cpSync(from, to, { recursive: true, filter: (path) => path === from || !leftovers.includes(basename(path)) });
}

/** Serves a folder, opens its page and runs `check`. Errors and warnings of the console are failures. */
async function open(folder: string, check: Check, policy?: string): Promise<void> {
  const server = await serve(folder, 0, policy);
  const { page, complaints } = await watchedPage(browser);
  try {
    await page.goto(server.url);
    try {
      await check(page, { expect, fixture });
    } catch (error) {
      // They often are the cause.
      throw complaints.length > 0 ? new Error(`${String(error)}\nconsole: ${complaints.join("\n")}`) : error;
    }
    expect(complaints).toEqual([]);
  } finally {
    await page.close();
    server.close();
  }
}

describe("the apps", () => {
  it.each(apps)("%s needs only installed packages", (app) => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(inRoot("examples", "apps", app, "package.json"), "utf8"),
    );
    const isInstalled = (name: string): boolean =>
      [workspace, inRoot()].some((folder) => existsSync(join(folder, "node_modules", name, "package.json")));
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== "posenc");
    expect(dependencies.posenc).toMatch(/^\^\d/);
    expect(names.filter((name) => !isInstalled(name))).toEqual([]);
  });
  it.each(apps)("%s", { timeout: 600_000 }, async (app) => {
    const source = inRoot("examples", "apps", app);
    const { scripts } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    const folder = await install(`apps-${app}`, undefined, { scripts });
    copySources(source, folder);
    cpSync(inRoot("examples", "transformers", "models", "bible"), join(folder, "public", "models", "bible"), {
      recursive: true,
    });
    await run("npm run build", folder);
    const { default: check }: { default: Check } = await import(pathToFileURL(join(source, "check.mjs")).href);
    await open(join(folder, "dist"), check);
  });
});

describe("the notebook", () => {
  it("runs all its cells, and a changed one", async () => {
    const folder = await install("notebook");
    copySources(inRoot("examples", "notebook"), folder);
    const check: Check = async (page) => {
      const cells = page.locator("section");
      await page.getByRole("button", { name: "Run all" }).click();
      await page.locator("body[data-ran]").waitFor();
      expect(await cells.count()).toBe(10);
      expect(await page.locator('[role="alert"]').allTextContents()).toEqual([]);
      for (const output of await page.locator(".output").all())
        expect((await output.textContent())!.length + (await output.locator("canvas").count())).toBeGreaterThan(0);
      await cells.nth(0).locator("textarea").fill('pe.create({ kind: "ropes" });');
      await cells.nth(0).getByRole("button", { name: "Run" }).click();
      const alert = cells.nth(0).locator('[role="alert"]');
      await alert.waitFor();
      expect(await alert.textContent()).toContain("PosencError");
    };
    await open(folder, check, `${contentSecurityPolicy} blob:`);
  });
});
