// node web/tasks/release.mjs [--dry-run]: makes everything of a release in build/release, checks it, and uploads nothing.
// With --dry-run a tree with changes, missing addresses and a changelog without this version are reported; else they are errors.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { isComplete, inRoot, log, root, run, runTask } from "./prepare.mjs";
import {
  addresses,
  deadLinks,
  linksIn,
  missingTargets,
  notesOf,
  publishingFile,
  stagePackage,
  stageVectors,
} from "./published.mjs";

const folder = inRoot("build", "release");
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const digest = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
const output = (program, words, options = {}) =>
  execFileSync(program, words, { encoding: "utf8", shell: process.platform === "win32", ...options });

/** Packs a package; the same files give the same bytes. */
function pack(stage, known) {
  const staged = join(folder, "package");
  const { name, version } = stage(staged, known);
  output(npm, ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder], { cwd: staged });
  return { version, staged, tarball: join(folder, `${name}-${version}.tgz`) };
}

/** Throws if two packings differ. */
function packTwice(stage, known) {
  const first = pack(stage, known);
  const sum = digest(first.tarball);
  pack(stage, known);
  if (digest(first.tarball) !== sum) throw new Error(`two packings of ${basename(first.tarball)} differ`);
  log(`packed ${basename(first.tarball)} twice with the same bytes: ${sum}`);
  return { ...first, sum };
}

/** Installs the tarball in an empty folder, without network, and runs the README's program and the command line. */
function tryInstalled(tarball) {
  const home = mkdtempSync(join(tmpdir(), "posenc-release-"));
  try {
    writeFileSync(join(home, "package.json"), '{ "type": "module" }');
    output(npm, ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball], { cwd: home });
    const readme = readFileSync(join(home, "node_modules", "posenc", "README.md"), "utf8");
    const expected = /^```text\n([^]*?)^```/m.exec(readme)[1];
    const program = readFileSync(inRoot("examples", "00-quick-start.js"), "utf8");
    if (!readme.includes(program)) throw new Error("the README's quick start is not examples/00-quick-start.js");
    writeFileSync(join(home, "quick-start.js"), program);
    const printed = output(process.execPath, ["quick-start.js"], { cwd: home });
    if (printed !== expected) throw new Error(`the README's program prints\n${printed}`);
    output(process.execPath, [join("node_modules", "posenc", "dist", "cli.js"), "--help"], { cwd: home });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Returns what a release must not have. */
function faults(known, version) {
  const found = known.missing.map((name) => `${publishingFile} has no ${name}`);
  if (output("git", ["status", "--porcelain"], { cwd: root }))
    found.push("the tree has changes that are not committed");
  if (!notesOf(version)) found.push(`CHANGELOG.md has no section ${version}`);
  return found;
}

const documents = () => [
  ...[
    "README.md",
    "README.zh-CN.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    "THIRD_PARTY.md",
    "vectors/README.md",
  ],
  ...["web/docs", "web/docs/zh-CN"].flatMap((path) =>
    // The first page of the API reference links to a page that the build makes.
    readdirSync(inRoot(path)).flatMap((name) => (name.endsWith(".md") && name !== "home.md" ? `${path}/${name}` : [])),
  ),
];

/** Throws if a link of a document leads nowhere, or one of the packed README is not absolute. */
function checkLinks(staged, known) {
  const dead = documents().flatMap((file) => deadLinks(file).map((target) => `${file}: ${target}`));
  if (dead.length > 0) throw new Error(`links lead nowhere: ${dead.join(", ")}`);
  const readme = readFileSync(join(staged, "README.md"), "utf8");
  const relative = linksIn(readme).filter(({ target }) => !/^(https:|#)/.test(target));
  if (relative.length > 0) throw new Error(`the packed README has relative links: ${relative[0].target}`);
  const missing = missingTargets(readme, known);
  if (missing.length > 0) throw new Error(`links of the packed README lead nowhere: ${missing.join(", ")}`);
}

/** The card of a Hugging Face Space, whose headers turn threads on. */
function spaceCard({ homepage }) {
  return `---
title: posenc
emoji: 🧭
colorFrom: blue
colorTo: green
sdk: static
pinned: false
license: mit
short_description: Positional encodings, exact, in your browser
custom_headers:
  cross-origin-embedder-policy: require-corp
  cross-origin-opener-policy: same-origin
  cross-origin-resource-policy: cross-origin
---

A course on positional encodings in English and Chinese; every figure is computed in your browser. Home: ${homepage}
`;
}

await runTask(async () => {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
  const known = addresses();
  if (!isComplete()) run(npm, ["run", "build"], { shell: process.platform === "win32" });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const vectors = packTwice(stageVectors, known);
  const { version, staged, tarball, sum } = packTwice(stagePackage, known);
  tryInstalled(tarball);
  log("installed without network: the README's program prints the documented output, and posenc --help runs");
  checkLinks(staged, { ...known, version });
  log("all links lead somewhere; those of the packed README are absolute");
  const sums = [
    [sum, tarball],
    [vectors.sum, vectors.tarball],
  ].map(([hash, file]) => `${hash}  ${basename(file)}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  writeFileSync(
    join(folder, "sbom.spdx.json"),
    output(npm, ["sbom", "--sbom-format=spdx", "--omit=dev"], { cwd: root }),
  );
  writeFileSync(join(folder, "notes.md"), `${notesOf(version) ?? notesOf("Unreleased") ?? ""}\n`);
  writeFileSync(join(folder, "space-card.md"), spaceCard(known));
  const found = faults(known, version);
  for (const fault of found) log(`not ready: ${fault}`);
  if (found.length > 0 && !values["dry-run"]) throw new Error("this is not ready to be released");
  log(
    `${found.length === 0 ? "ready: " : ""}build/release has the packages, their checksums, the SBOM, the notes and a Space's card`,
  );
});
