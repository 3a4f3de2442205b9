// Who uses the package, as data. A project is a folder beside this file; several consumers may share one.
import { contentSecurityPolicy } from "../../../web/tasks/serve.mjs";

export interface Consumer {
  name: string;
  project:
    | "node"
    | "vue"
    | "jest"
    | "page"
    | "parcel"
    | "inline-worker"
    | "single"
    | "address"
    | "modules"
    | "script"
    | "next";
  /** A command that makes the folder `dist`. */
  build?: string;
  /** A command that prints the results. */
  print?: string;
  /** The folder whose index.html shows the results, opened under a strict Content-Security-Policy or from the disk. */
  page?: "." | "dist";
  fromDisk?: boolean;
  /** A command that serves such a page itself. */
  serve?: string;
  /** The page's Content-Security-Policy, where the strict one does not do. */
  policy?: string;
  /** What its package.json has of its own. */
  settings?: object;
  /** How many results there are, if it is not one. */
  results?: number;
  /** It is given the one build: `init(address)`. */
  oneBuild?: true;
}

const module = 'type="module" src="./main.js"';

/** The attributes of the script elements of a project's page. */
export const scripts: Partial<Record<Consumer["project"], string[]>> = {
  page: [module],
  parcel: [module],
  modules: [module],
  "inline-worker": [module],
  address: ['src="./dist/main.js"'],
  single: ['src="./main.js"'],
  script: ['src="./node_modules/posenc/dist/posenc.iife.js"', 'src="./check.js"', 'src="./main.js"'],
};

/** Parcel writes an import map into the page. */
const parcels = contentSecurityPolicy.replace("script-src", "script-src 'unsafe-inline'");

/** The oldest Node that the documents promise. Its npm package is for one kind of machine; on others no test has its name. */
const oldestNode: Consumer[] =
  process.platform === "linux" && process.arch === "x64"
    ? [
        { name: "Node 20.19.0, import", project: "node", print: "node-20.19.0 main.mjs" },
        { name: "Node 20.19.0, require", project: "node", print: "node-20.19.0 main.cjs" },
      ]
    : [];

export const consumers: Consumer[] = [
  { name: "Node, import", project: "node", print: "node main.mjs" },
  { name: "Node, require", project: "node", print: "node main.cjs" },
  ...oldestNode,
  { name: "Deno", project: "node", print: "deno run --no-lock main.mjs" },
  { name: "Bun", project: "node", print: "bun run main.mjs" },
  { name: "Node, the state of a Vue component", project: "vue", print: "node main.mjs" },
  { name: "Jest, CommonJS, Node and jsdom", project: "jest", build: "jest", print: "node results.mjs", results: 2 },
  {
    name: "Next.js, server, edge and client",
    project: "next",
    build: "next build",
    serve: "next start --port PORT",
    results: 3,
  },
  { name: "Vite, dev", project: "page", serve: "vite --port PORT --strictPort" },
  { name: "Vite, build", project: "page", build: "vite build", page: "dist" },
  {
    name: "Vite, workers without files",
    project: "inline-worker",
    build: "vite build",
    page: "dist",
    policy: `${contentSecurityPolicy}; worker-src blob:`,
  },
  { name: "webpack", project: "page", build: "webpack", page: "dist" },
  { name: "Parcel", project: "parcel", build: "parcel build index.html --no-cache", page: "dist", policy: parcels },
  {
    name: "Parcel with packageExports",
    project: "page",
    build: "parcel build index.html --no-cache",
    page: "dist",
    policy: parcels,
    settings: {
      "@parcel/resolver-default": { packageExports: true },
      // It loads what a worker shares with others too late.
      "@parcel/bundler-default": { minBundleSize: 10_000_000 },
    },
  },
  {
    name: "esbuild, a script with an address",
    project: "address",
    build: "esbuild main.js --bundle --outfile=dist/main.js --log-level=error",
    page: ".",
    oneBuild: true,
  },
  { name: "Rollup, posenc/inline", project: "single", build: "rollup --config --silent", page: "dist" },
  {
    name: "esbuild, posenc/inline, from disk",
    project: "single",
    build: "esbuild main.js --bundle --outfile=dist/main.js --log-level=warning",
    page: "dist",
    fromDisk: true,
  },
  { name: "modules and a worker, strict CSP", project: "modules", page: "." },
  { name: "a script element, strict CSP", project: "script", page: "." },
  { name: "a script element, from disk", project: "script", page: ".", fromDisk: true },
];

const sinusoids = [0, 1, 0, 1, Math.sin(1), Math.cos(1), Math.sin(0.01), Math.cos(0.01)];

/** The right answers, from the definitions. */
export const expectedResults: Record<string, number[]> = {
  frequencies: [1, 0.1, 0.01, 0.001],
  table: sinusoids,
  added: sinusoids,
  // Halves: the pairs are (1, 0) and (0, 1), turned by 1 and by 0.01.
  rotated: [Math.cos(1), -Math.sin(0.01), Math.sin(1), Math.cos(0.01)],
  slopes: [1 / 4, 1 / 16, 1 / 64, 1 / 256],
  // Equal scores: the mean of the values.
  attended: [2, 3],
};

export const texts: Record<string, string> = {
  refusal: "true invalid-spec factor",
  model: "rope-llama3",
  scalar: "scalar",
};
