// Requirements of lanes: each is set up once, when the first lane needs it.
import { compile } from "../../web/tasks/compile.mjs";
import { findChromium, findEngines, findFormatter, inRoot, installDependencies } from "../../web/tasks/prepare.mjs";

const makers = {
  dependencies: () => installDependencies(),
  chromium: async () => void findChromium(),
  formatter: async () => void findFormatter(),
  engines: async () => void findEngines(),
  library: async () => (await import("../../web/tasks/build.mjs")).buildLibrary(),
  "quick library": async () => {
    const hasAll = await (await import("../../web/tasks/build.mjs")).buildQuickly();
    // Tests of other builds are then skipped.
    if (!hasAll) process.env.POSENC_BUILDS = "one";
  },
  site: async () => (await import("../../web/tasks/build.mjs")).buildAll(),
  "native-debug": () => compile("native-debug"),
  "native-release": () =>
    compile("native-release", process.arch === "x64" ? ["-DPOSENC_ARCHITECTURE=-mavx2 -mfma"] : []),
  // The pages of the documentation are compiled against these, too.
  examples: () => installDependencies(inRoot("examples", "transformers")),
  "transformers-3": () => installDependencies(inRoot("tests", "transformers", "version-3")),
};
const made = new Map();

function make(need) {
  if (!made.has(need)) made.set(need, makers[need]());
  return made.get(need);
}

/** Sets up the requirements of a lane, in this order; `quick`: with a library that builds faster. */
export async function setUp(needs, { quick = false } = {}) {
  for (const need of ["dependencies", ...needs]) await make(quick && need === "library" ? "quick library" : need);
}

/** Starts a set-up in the background; it fails for the lane that needs it. */
export const setUpInBackground = (need) => void make(need).catch(() => undefined);
