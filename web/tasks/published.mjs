// The package as it is published: README and package.json with the addresses of the project.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { inRoot, readJson } from "./prepare.mjs";

/** The one file that the owner fills: addresses of the repository and of the hosted pages; a Hugging Face Space, if wanted. */
export const publishingFile = "web/tasks/publishing.json";

/** Addresses of a dry run instead of missing ones: nothing is ever uploaded with them. */
const examples = { repository: "https://example.org/owner/posenc", homepage: "https://example.org/posenc/" };

/** Returns the addresses of the project, and the names of those that are missing. */
export function addresses(given = readJson(inRoot(publishingFile))) {
  const missing = Object.keys(examples).filter((name) => !given[name]);
  const wrong = Object.entries(given).find(
    ([name, value]) => value && name !== "space" && !/^https:\/\/\S+$/.test(value),
  );
  if (wrong) throw new Error(`${publishingFile}: ${wrong[0]} must be an https address, got ${wrong[1]}`);
  const filled = { space: "", ...examples, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)) };
  return { ...filled, repository: filled.repository.replace(/\/$/, ""), missing };
}

const markdownLink = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
/** Text without code, whose brackets are no links. */
const withoutCode = (text) => text.replaceAll(/```[^]*?```|`[^`\n]*`/g, (code) => " ".repeat(code.length));
const isAbsolute = (target) => /^(https?:|mailto:)/.test(target);

/** The targets of all links of a text. */
export const linksIn = (text) =>
  [...withoutCode(text).matchAll(markdownLink)].map(([, image, , target]) => ({ target, isImage: image === "!" }));

/** Returns the links of a file that lead nowhere: neither absolute, nor to a file of the project. */
export function deadLinks(file) {
  return linksIn(readFileSync(inRoot(file), "utf8"))
    .map(({ target }) => target)
    .filter((target) => !isAbsolute(target) && !target.startsWith("#"))
    .filter((target) => !existsSync(inRoot(posix.join(posix.dirname(file), target.replace(/#.*$/, "")))));
}

/** Returns a text whose links to files of the project are addresses of this version in the repository. */
export function withAddresses(text, { repository, version }) {
  const shown = withoutCode(text);
  let [result, last] = ["", 0];
  for (const match of shown.matchAll(markdownLink)) {
    const [whole, image, , target] = match;
    if (isAbsolute(target) || target.startsWith("#")) continue;
    const end = match.index + whole.length;
    const start = end - target.length - 1;
    result += `${text.slice(last, start)}${repository}/${image ? "raw" : "blob"}/v${version}/${target}`;
    last = end - 1;
  }
  return result + text.slice(last);
}

/** Returns package.json as users get it. */
export function publishedManifest({ devDependencies: _, scripts: __, ...manifest }, { repository, homepage }) {
  return {
    ...manifest,
    repository: { type: "git", url: `git+${repository}.git` },
    homepage,
    bugs: { url: `${repository}/issues` },
  };
}

/** Writes the package to a folder. */
export function stagePackage(folder, known = addresses()) {
  const manifest = readJson(inRoot("package.json"));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of [...manifest.files, "LICENSE"]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(inRoot(file), join(folder, file), { recursive: true });
  }
  const readme = readFileSync(inRoot("README.md"), "utf8");
  writeFileSync(join(folder, "README.md"), withAddresses(readme, { ...known, version: manifest.version }));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(publishedManifest(manifest, known), null, 2)}\n`);
  return manifest;
}

/** Writes the package of test vectors to a folder. Returns its manifest. */
export function stageVectors(folder, known = addresses()) {
  const manifest = readJson(inRoot("vectors", "package.json"));
  rmSync(folder, { recursive: true, force: true });
  cpSync(inRoot("vectors"), folder, {
    recursive: true,
    filter: (path) => !/(node_modules|__pycache__)$|engines\/package(-lock)?\.json$/.test(path),
  });
  cpSync(inRoot("LICENSE"), join(folder, "LICENSE"));
  const published = publishedManifest(manifest, known);
  published.repository.directory = "vectors";
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  return manifest;
}

/** Returns links of the packed README to this repository or its pages whose file does not exist. */
export function missingTargets(readme, { repository, homepage, version }) {
  const folders = [`${repository}/blob/v${version}/`, `${repository}/raw/v${version}/`];
  return linksIn(readme)
    .map(({ target }) => target)
    .filter((target) => {
      const path = target.replace(/#.*$/, "");
      const base = folders.find((folder) => path.startsWith(folder));
      if (base) return !existsSync(inRoot(path.slice(base.length)));
      return path.startsWith(homepage) && !existsSync(inRoot("dist-site", path.slice(homepage.length) || "index.html"));
    });
}

/** Returns the changelog's section of a version; undefined: it has none. */
export function notesOf(version, changelog = readFileSync(inRoot("CHANGELOG.md"), "utf8")) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(version));
  return section?.slice(section.indexOf("\n")).trim();
}
