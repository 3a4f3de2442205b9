import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findOnPath, run, runPipe } from "./processes.mjs";

const suite = "trixie";

const keyringCandidates = [
  "/usr/share/keyrings/debian-archive-keyring.gpg",
  "/usr/share/keyrings/debian-archive-trixie-automatic.gpg",
  "/usr/share/keyrings/debian-archive-trixie-stable.gpg",
  "/etc/apt/trusted.gpg.d/debian-archive-trixie-automatic.asc",
  "/etc/apt/trusted.gpg.d/debian-archive-trixie-stable.asc",
];

// apt believes these are installed, so it leaves out what the wasm build does not use or takes from the machine.
const pretendedPackages = [
  "nodejs",
  "python3",
  "ccache",
  "binutils",
  "libc6-dev",
  "libstdc++-14-dev",
  "libgcc-14-dev",
  "libobjc-14-dev",
  "libcurl4t64",
  "libpfm4",
  "node-xtend",
];

// Almost half of the unpacked size: the system libraries' variants for dynamic linking, and manuals.
const unneededFiles = [
  "*/wasm32-emscripten/pic",
  "*/wasm32-emscripten/lto-pic",
  "./usr/share/doc",
  "./usr/share/man",
  "./usr/share/locale",
  "./usr/share/lintian",
  "./usr/share/info",
];

const machineSettingsToKeep = /^Acquire::(http|https|ftp|socks|Retries|ForceIPv|Check-Date|Check-Valid-Until|Max-)/i;

/** Whether this machine has the programs the private set-up is made with. */
export function isDebianLike() {
  const programs = ["apt-get", "apt-config", "dpkg-deb", "tar"];
  return process.platform === "linux" && process.arch === "x64" && programs.every(findOnPath);
}

/** The Debian mirror this machine's own apt uses, or null. */
export async function findDebianMirror() {
  const output = await run("apt-get", ["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]);
  const addresses = output.split("\n").map((line) => line.trim());
  return addresses.find((address) => /\/debian(\.list)?\/*$/.test(address))?.replace(/\/+$/, "") ?? null;
}

function pretendInstalled(name) {
  return [
    `Package: ${name}`,
    "Status: install ok installed",
    "Architecture: amd64",
    "Multi-Arch: allowed",
    "Version: 99",
    "Maintainer: nobody <nobody@localhost>",
    "Description: provided by the machine",
    "",
    "",
  ].join("\n");
}

async function aptConfiguration(aptFolder) {
  const machineSettings = (await run("apt-config", ["dump"]))
    .split("\n")
    .filter((line) => machineSettingsToKeep.test(line));
  const ownSettings = {
    // The machine's own configuration may hold hooks that act outside this folder.
    "Dir::Etc::main": "/dev/null",
    "Dir::Etc::parts": "/dev/null",
    "Dir::Etc::sourcelist": join(aptFolder, "sources.list"),
    "Dir::Etc::sourceparts": "/dev/null",
    "Dir::Etc::preferences": "/dev/null",
    "Dir::Etc::preferencesparts": "/dev/null",
    "Dir::State": join(aptFolder, "state"),
    "Dir::State::status": join(aptFolder, "status"),
    "Dir::Cache": join(aptFolder, "cache"),
    "Dir::Log": join(aptFolder, "log"),
    "APT::Architecture": "amd64",
    "APT::Architectures": "amd64",
    "APT::Install-Recommends": "false",
    "APT::Update::Error-Mode": "any",
    "Acquire::Languages": "none",
    "Acquire::AllowInsecureRepositories": "false",
    // apt's unprivileged download user has no access to the checkout.
    ...(process.getuid() === 0 ? { "APT::Sandbox::User": "root" } : {}),
  };
  const lines = Object.entries(ownSettings).map(([key, value]) => `${key} "${value}";`);
  if (!machineSettings.some((line) => line.startsWith("Acquire::Retries"))) lines.push('Acquire::Retries "3";');
  return [...machineSettings, ...lines, ""].join("\n");
}

async function prepareApt(aptFolder, mirror) {
  const keyrings = keyringCandidates.filter((file) => existsSync(file));
  if (keyrings.length === 0) throw new Error("the Debian archive keyring is missing: install debian-archive-keyring");
  const source = `[arch=amd64 signed-by=${keyrings.join(",")}] ${mirror} ${suite} main`;
  for (const folder of ["state/lists/partial", "cache/archives/partial", "log"]) {
    await mkdir(join(aptFolder, folder), { recursive: true });
  }
  await writeFile(join(aptFolder, "sources.list"), `deb ${source}\ndeb-src ${source}\n`);
  await writeFile(join(aptFolder, "status"), pretendedPackages.map(pretendInstalled).join(""));
  await writeFile(join(aptFolder, "apt.conf"), await aptConfiguration(aptFolder));
}

/** Downloads the packages into `aptFolder`; apt checks every signature, and continues what an earlier run left. */
export async function downloadPackages({ aptFolder, mirror }) {
  await prepareApt(aptFolder, mirror);
  const options = {
    cwd: aptFolder,
    env: { APT_CONFIG: join(aptFolder, "apt.conf"), DEBIAN_FRONTEND: "noninteractive" },
  };
  await run("apt-get", ["update"], options);
  await run("apt-get", ["install", "--yes", "--download-only", "emscripten", "libxsimd-dev"], options);
  await run("apt-get", ["source", "--download-only", "catch2"], options);
}

async function unpackPackage(file, folder) {
  const excluded = unneededFiles.map((pattern) => `--exclude=${pattern}`);
  await runPipe(["dpkg-deb", "--fsys-tarfile", file], ["tar", "-x", "-C", folder, "--no-same-owner", ...excluded]);
}

async function unpackInto(folder, aptFolder) {
  const archives = join(aptFolder, "cache/archives");
  const packages = (await readdir(archives)).filter((name) => name.endsWith(".deb"));
  const catch2Archive = (await readdir(aptFolder)).find((name) => /^catch2_.*\.orig\.tar\.\w+$/.test(name));
  if (!catch2Archive) throw new Error("the source package of catch2 holds no archive");
  const headerPackage = /^(libxsimd-dev|xtl-dev)_/;
  for (const part of ["system", "headers", "catch2"]) await mkdir(join(folder, part), { recursive: true });
  const unpackAll = async (names) => {
    for (const name of names) {
      await unpackPackage(join(archives, name), join(folder, headerPackage.test(name) ? "headers" : "system"));
    }
  };
  const largest = packages.filter((name) => name.startsWith("emscripten_"));
  await Promise.all([
    unpackAll(largest),
    unpackAll(packages.filter((name) => !largest.includes(name))),
    run("tar", [
      "-xf",
      join(aptFolder, catch2Archive),
      "-C",
      join(folder, "catch2"),
      "--strip-components=1",
      "--no-same-owner",
    ]),
  ]);
}

/**
 * Unpacks the downloaded packages as `target`/system, `target`/headers (xsimd, xtl) and `target`/catch2.
 * The headers stay apart because as an include path `system` would put glibc's headers before Emscripten's own.
 * The file `target`/complete holds `stamp`, and is there only when everything else is.
 */
export async function unpackPackages({ aptFolder, target, stamp }) {
  const staging = `${target}.unpacking-${process.pid}`;
  await unpackInto(staging, aptFolder);
  await writeFile(join(staging, "complete"), stamp);
  await rm(target, { recursive: true, force: true });
  await rename(staging, target);
}
