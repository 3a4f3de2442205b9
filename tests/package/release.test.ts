// A release: links of the packed README, addresses of the project, and what the dry run must report.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  addresses,
  deadLinks,
  linksIn,
  missingTargets,
  notesOf,
  publishedManifest,
  publishingFile,
  withAddresses,
} from "../../web/tasks/published.mjs";
import { inRoot } from "../../web/tasks/prepare.mjs";

const project = {
  repository: "https://example.org/owner/posenc",
  homepage: "https://example.org/posenc/",
  version: "1.2.3",
};
const text = (file: string) => readFileSync(inRoot(file), "utf8");

describe("the packed README", () => {
  const readme = withAddresses(text("README.md"), project);
  it("has only absolute links, to files of this version", () => {
    const links = linksIn(readme);
    expect(links.length).toBe(linksIn(text("README.md")).length);
    expect(links.length).toBeGreaterThan(50);
    for (const { target, isImage } of links) {
      expect(target).toMatch(/^(https:|#)/);
      const [, view, path] = /^https:\/\/example\.org\/owner\/posenc\/(\w+)\/v1\.2\.3\/(.*)$/.exec(target) ?? [];
      if (path === undefined) continue;
      expect(existsSync(inRoot(path.replace(/#.*/, ""))), target).toBe(true);
      expect(view).toBe(isImage ? "raw" : "blob");
    }
  });
  it("has no link that leads nowhere, into this version or the hosted pages", () => {
    expect(missingTargets(readme, project)).toEqual([]);
    const [file, site] = [`${project.repository}/blob/v1.2.3/nothing.md`, `${project.homepage}nowhere/index.html`];
    const wrong = `[a](${file}#b) [c](${site}) ![d](${project.repository}/raw/v1.2.3/LICENSE) [e](https://example.com/)`;
    expect(missingTargets(wrong, project)).toEqual([`${file}#b`, site]);
  });
  it("has the rest unchanged", () => {
    const plain = (markdown: string) => markdown.replaceAll(/\]\([^)\s]+\)/g, "]()");
    expect(plain(readme)).toBe(plain(text("README.md")));
  });
  it("leaves brackets in code alone", () => {
    const code = "`a[i](b)` and\n```js\nlist[0](call)\n```\n[x](y.md)";
    expect(withAddresses(code, project)).toBe(code.replace("(y.md)", `(${project.repository}/blob/v1.2.3/y.md)`));
  });
});

describe("the addresses of the project", () => {
  it("are in one file, and missing ones are named", () => {
    expect(Object.keys(JSON.parse(text(publishingFile)))).toEqual(["repository", "homepage", "space"]);
    expect(addresses({}).missing).toEqual(["repository", "homepage"]);
    const filled = { repository: "https://example.com/a/b/", homepage: "https://example.com/", space: "a/b" };
    expect(addresses(filled)).toEqual({ ...filled, repository: "https://example.com/a/b", missing: [] });
    expect(() => addresses({ repository: "example.com" })).toThrow(/repository must be an https address/);
  });
  it("are in the package's description, without what only a checkout needs", () => {
    const manifest = publishedManifest(JSON.parse(text("package.json")), project);
    expect(manifest).toMatchObject({
      repository: { type: "git", url: "git+https://example.org/owner/posenc.git" },
      homepage: project.homepage,
      bugs: { url: "https://example.org/owner/posenc/issues" },
    });
    expect(Object.keys(manifest)).toContain("exports");
    expect(Object.keys(manifest)).not.toContain("devDependencies");
    expect(Object.keys(manifest)).not.toContain("scripts");
  });
});

it("the notes are the changelog's section", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\n- c\n\n## 1.1.0 (2026-12-01)\n\n- b\n\n## 1.0.0\n\n- a\n";
  expect(notesOf("1.1.0", changelog)).toBe("- b");
  expect(notesOf("1.0.0", changelog)).toBe("- a");
  expect(notesOf("2.0.0", changelog)).toBeUndefined();
});

it("no file of the package names the folder that it was built in", () => {
  const files = readdirSync(inRoot("dist"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(js|wasm|d\.ts)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(100);
  const folder = Buffer.from(inRoot().replace(/\/$/, ""));
  expect(files.filter((name) => readFileSync(inRoot("dist", name)).includes(folder))).toEqual([]);
});

it("links to files that are not there are found", () => {
  expect(deadLinks("README.md")).toEqual([]);
  expect(deadLinks("tests/fixtures/dead-link.md")).toEqual(["nowhere.md"]);
});

describe("workflows", () => {
  const files = readdirSync(inRoot(".github", "workflows"));
  it.each(files)("%s: actions are pinned, permissions are least", (file) => {
    const workflow = text(`.github/workflows/${file}`);
    for (const [, action] of workflow.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/^\.\/|@[0-9a-f]{40}$/);
    expect(workflow).toMatch(/^permissions:\n {2}contents: read$/m);
  });
});
