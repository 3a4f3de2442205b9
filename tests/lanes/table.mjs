// The lanes of npm test: names, tests and requirements. All other lists are derived from this one.
import { browserEngines, format, fuzzers, generated, golden, steps, types } from "./others.mjs";
import { installed, native } from "./cpp.mjs";
import { vitest } from "./vitest.mjs";

/**
 * Returns a lane of test files for vitest, in `folder`; `only`: limits it to some files. The quick tier runs one of the
 * configuration's projects, without `notQuick`.
 */
const files = (folder, config, { title = folder, only, quickProject, notQuick = [] } = {}) => ({
  folder,
  quickWords: [
    ...["--config", config],
    ...(quickProject ? ["--project", quickProject] : []),
    ...notQuick.map((pattern) => `--exclude=${pattern}`),
  ],
  run(report, { files: chosen = [], quick, bail }) {
    const words = quick ? this.quickWords : ["--config", config, ...(only ? ["--project", quickProject] : [])];
    return vitest(report, title, words, { files: chosen.length > 0 ? chosen : (only ?? []), bail, quiet: quick });
  },
});

const core = ["CMakeLists.txt", "CMakePresets.json", "cpp"];

/**
 * The lanes in the order in which they run. `quick`: part of the quick tier, which may run a part of a lane and skips
 * lanes that have passed with the same `inputs`. `partOf`: a named subset of another lane's files.
 */
export const table = [
  {
    name: "generated",
    what: "files that the build writes are committed as it writes them",
    quick: true,
    needs: [],
    run: generated,
  },
  {
    name: "format",
    what: "formatting of all sources",
    quick: true,
    needs: ["formatter"],
    // They include generated files.
    quickNeeds: ["formatter", "library"],
    run: format,
  },
  {
    name: "types",
    what: "types of the site, of the command line and of the tests",
    quick: true,
    needs: ["library", "examples"],
    run: types,
  },
  {
    name: "cpp",
    what: "the core with AddressSanitizer and UBSan, and the C++ examples",
    needs: ["native-debug"],
    takesFilters: true,
    run: (report, { files: filters }) => native(report, "native-debug", filters),
  },
  {
    name: "release",
    what: "the core as it is compiled for speed, and the installed library",
    quick: true,
    needs: ["native-release"],
    inputs: [...core, "tests/cpp", "tests/fixtures", "examples"],
    takesFilters: true,
    run: async (report, { quick, files: filters = [] }) => {
      await native(report, "native-release", filters);
      if (!quick && filters.length === 0) await installed(report, "native-release");
    },
  },
  {
    name: "golden",
    what: "golden cases through the builds scalar, simd and relaxed",
    quick: true,
    needs: ["library"],
    inputs: ["dist", "tests/golden", "tests/fixtures"],
    run: (report, { quick }) => golden(report, quick ? ["simd"] : ["scalar", "simd", "relaxed"]),
  },
  { name: "steps", what: "WebAssembly instructions of each call, ±2 %", needs: ["library"], run: steps },
  { name: "fuzz", what: "the corpus, and both fuzzers for half a minute", needs: [], run: fuzzers },
  {
    name: "js",
    what: "the JavaScript API in Node and Chromium; quick: in Node",
    quick: true,
    needs: ["library", "chromium"],
    inputs: ["dist", "web/src", "tests/js", "tests/fixtures", "tests/golden", "tests/fuzz", "vectors"],
    ...files("tests/js", "tests/js/vitest.config.ts", {
      title: "JavaScript in Node and Chromium",
      quickProject: "node*",
      // The slowest tests, which find little that others miss: a million rounds, counting of statements, all gradients
      // by differences, random specs, precision, comparison of builds, all models with all options, damaged models and
      // builds, all overlapping tensors, the runner of golden cases.
      notQuick: [
        "**/rounds.test.ts",
        "**/onnx-growth.test.ts",
        "**/encodings/gradients.test.ts",
        "**/properties.random.test.ts",
        "**/attention/accuracy.test.ts",
        "**/variants.test.ts",
        "**/onnx/wild.test.ts",
        "**/onnx/fuzz.test.ts",
        "**/onnx/damaged.test.ts",
        "**/node/damaged.test.ts",
        "**/attention/overlap.test.ts",
        "**/node/runner*.test.ts",
      ],
    }),
  },
  {
    name: "onnx",
    what: "posenc/onnx in Node",
    partOf: "js",
    needs: ["library", "chromium"],
    ...files("tests/js/onnx", "tests/js/vitest.config.ts", {
      title: "posenc/onnx in Node",
      only: ["tests/js/onnx", "tests/js/node/onnx"],
      quickProject: "node*",
    }),
  },
  {
    name: "webgpu",
    what: "posenc/webgpu on a software adapter; quick: after changes of it",
    quick: true,
    needs: ["library", "chromium"],
    inputs: ["web/src/webgpu", "web/src/webgpu.ts", "tests/webgpu"],
    ...files("tests/webgpu", "tests/webgpu/vitest.config.ts", { title: "WebGPU on a software adapter" }),
  },
  {
    name: "engines",
    what: "golden cases and test files in Firefox, WebKitGTK and Chromium's workers",
    needs: ["library", "chromium", "engines"],
    run: (report, { files: [only] = [] }) => browserEngines(report, only),
    takesFilters: true,
  },
  {
    name: "package",
    what: "the package as a whole, its examples and documents",
    quick: true,
    needs: ["site", "chromium"],
    quickNeeds: ["library"],
    ...files("tests/package", "tests/package/vitest.config.ts", {
      title: "package and examples",
      // These need the whole site or are slow.
      notQuick: ["docs", "start", "bench", "kinds", "lock", "onnx-matrix", "hostile/*"].map(
        (name) => `**/package/${name}.test.ts`,
      ),
    }),
  },
  {
    name: "site",
    what: "the tutorial in Chromium",
    needs: ["site", "chromium", "examples"],
    ...files("tests/site", "tests/site/vitest.config.ts", { title: "tutorial" }),
  },
  {
    name: "consumers",
    what: "the packed package in bundlers, engines and pages",
    needs: ["site", "chromium", "examples"],
    ...files("tests/package/consumers", "tests/package/consumers/vitest.config.mts", {
      title: "consumers of the package",
    }),
  },
  {
    name: "transformers",
    what: "transformers.js and onnxruntime",
    needs: ["library", "chromium", "examples", "transformers-3"],
    ...files("tests/transformers", "tests/transformers/vitest.config.ts", { title: "transformers.js and onnxruntime" }),
  },
];
