import { existsSync, readFileSync, realpathSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { downloadPackages, findDebianMirror, isDebianLike, unpackPackages } from "./debian-packages.mjs";
import { identifyInstalledEmcc, inspectInstalledEmcc, minimumVersion } from "./installed-emscripten.mjs";
import {
  checkEmscripten,
  configureEmscripten,
  describeEmscripten,
  privateLibraryArguments,
  privatePaths,
} from "./private-emscripten.mjs";
import { findOnPath } from "./processes.mjs";
import { withLock } from "./lock.mjs";

// Raise it whenever the layout of the folder or its packages change: older set-ups are then made anew.
const stamp = "trixie-1";

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(checkout, ".toolchain");
const cacheFile = join(folder, "toolchain.json");
const unpackedMarker = join(privatePaths(folder).packages, "complete");

const emsdkAdvice = `install emsdk, then run: ./emsdk install ${minimumVersion} && ./emsdk activate ${minimumVersion} && source ./emsdk_env.sh`;

function readCache(installedEmcc) {
  let cached;
  try {
    cached = JSON.parse(readFileSync(cacheFile, "utf8"));
  } catch {
    return null;
  }
  const same = cached.stamp === stamp && cached.folder === folder && cached.installedEmcc === installedEmcc;
  // The private Emscripten calls the node it was set up with by its path.
  if (!same || !existsSync(cached.node)) return null;
  const { toolchain } = cached;
  const argumentPaths = toolchain.cmakeArguments.map((argument) => argument.slice(argument.indexOf("=") + 1));
  const files = [
    toolchain.emcc,
    toolchain.emxx,
    toolchain.cmakeToolchainFile,
    ...Object.values(toolchain.env),
    ...argumentPaths,
  ];
  return files.every((file) => existsSync(file)) ? toolchain : null;
}

async function writeCache(installedEmcc, toolchain) {
  const temporary = `${cacheFile}.${process.pid}`;
  const content = { stamp, folder, installedEmcc, node: process.execPath, toolchain };
  await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`);
  await rename(temporary, cacheFile);
}

async function makeFolder() {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, ".gitignore"), "*\n");
    // Emscripten's own scripts are CommonJS; the project above says "module".
    await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }\n');
  } catch (error) {
    throw new Error(
      `cannot write to ${folder} (${error.code}): the toolchain is set up inside the checkout, so this user needs write access to it`,
    );
  }
}

async function removeLeftovers() {
  const leftovers = (await readdir(folder)).filter((name) => name.startsWith("packages.unpacking-"));
  for (const name of leftovers) await rm(join(folder, name), { recursive: true, force: true });
}

function packagesAreUnpacked() {
  return existsSync(unpackedMarker) && readFileSync(unpackedMarker, "utf8") === stamp;
}

async function fetchPackages({ log, mirror, aptFolder }) {
  log(
    `toolchain: downloading Emscripten ${minimumVersion}, xsimd and Catch2 from this machine's Debian mirror (about 350 MB, once)`,
  );
  await downloadPackages({ aptFolder, mirror });
  log("toolchain: unpacking (1.3 GB)");
  await unpackPackages({ aptFolder, target: privatePaths(folder).packages, stamp });
}

async function setUpPrivately({ log, mirror }) {
  const started = Date.now();
  await rm(cacheFile, { force: true });
  await removeLeftovers();
  const aptFolder = join(folder, "apt");
  if (!packagesAreUnpacked()) await fetchPackages({ log, mirror, aptFolder });
  await rm(aptFolder, { recursive: true, force: true });
  log("toolchain: compiling a test program");
  await configureEmscripten(folder);
  await checkEmscripten(folder);
  log(`toolchain: ready in ${((Date.now() - started) / 1000).toFixed(0)} s (${folder})`);
  return describeEmscripten(folder);
}

async function findMirrorFor(problem) {
  const mirror = isDebianLike() ? await findDebianMirror() : null;
  if (!mirror) throw new Error(`${problem}: ${emsdkAdvice}`);
  if (!findOnPath("python3")) throw new Error("Emscripten needs python3: install it, then start again");
  return mirror;
}

/** Finds an Emscripten on this machine, or sets one up inside the checkout; see README.md beside this file. */
export async function setUpToolchain({ log = () => {} } = {}) {
  const installedEmcc = identifyInstalledEmcc();
  const cached = readCache(installedEmcc);
  if (cached) return cached;
  const { usable, problem } = await inspectInstalledEmcc();
  if (usable) {
    const { version, ...toolchain } = { ...usable, cmakeArguments: privateLibraryArguments(folder) };
    log(`toolchain: using ${toolchain.emcc} (${version})`);
    // The cache only saves the next call some time; a checkout that cannot be written to is no obstacle here.
    await makeFolder()
      .then(() => writeCache(installedEmcc, toolchain))
      .catch(() => {});
    return toolchain;
  }
  const mirror = await findMirrorFor(problem);
  await makeFolder();
  return withLock({ file: join(folder, "lock"), log }, async () => {
    // Another process may have finished the work while this one waited.
    const finished = readCache(installedEmcc);
    if (finished) return finished;
    const toolchain = await setUpPrivately({ log, mirror }).catch((error) => {
      throw new Error(`${error.message}\nStarting again goes on from here. Another way: ${emsdkAdvice}`);
    });
    await writeCache(installedEmcc, toolchain);
    return toolchain;
  });
}

const isMainProgram = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isMainProgram) {
  try {
    console.log(JSON.stringify(await setUpToolchain({ log: (line) => console.error(line) }), null, 2));
  } catch (error) {
    console.error(`toolchain: ${error.message}`);
    process.exitCode = 1;
  }
}
