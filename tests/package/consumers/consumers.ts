// Who uses the package, as data. A project is a folder beside this file; several consumers may share one.

export interface Consumer {
  name: string;
  project: "node" | "page" | "single" | "modules" | "script" | "next";
  /** A command that makes the folder `dist`. */
  build?: string;
  /** A command that prints the results. */
  print?: string;
  /** The folder whose index.html shows the results, opened under a strict Content-Security-Policy or from the disk. */
  page?: "." | "dist";
  fromDisk?: boolean;
  /** A command that serves such a page itself. */
  serve?: string;
}

const module = 'type="module" src="./main.js"';

/** The attributes of the script elements of a project's page. */
export const scripts: Partial<Record<Consumer["project"], string[]>> = {
  page: [module],
  modules: [module],
  single: ['src="./main.js"'],
  script: ['src="./node_modules/posenc/dist/posenc.iife.js"', 'src="./check.js"', 'src="./main.js"'],
};

export const consumers: Consumer[] = [
  { name: "Node, import", project: "node", print: "node main.mjs" },
  { name: "Node, require", project: "node", print: "node main.cjs" },
  { name: "Deno", project: "node", print: "deno run --no-lock main.mjs" },
  { name: "Bun", project: "node", print: "bun run main.mjs" },
  { name: "Next.js, server and client", project: "next", build: "next build", serve: "next start --port PORT" },
  { name: "Vite, dev", project: "page", serve: "vite --port PORT --strictPort" },
  { name: "Vite, build", project: "page", build: "vite build", page: "dist" },
  { name: "webpack", project: "page", build: "webpack", page: "dist" },
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
export const answers: Record<string, number[]> = {
  frequencies: [1, 0.1, 0.01, 0.001],
  table: sinusoids,
  added: sinusoids,
  // Halves: the pairs are (1, 0) and (0, 1), turned by 1 and by 0.01.
  turned: [Math.cos(1), -Math.sin(0.01), Math.sin(1), Math.cos(0.01)],
  slopes: [1 / 4, 1 / 16, 1 / 64, 1 / 256],
  // Equal scores: the mean of the values.
  attended: [2, 3],
};

export const texts: Record<string, string> = {
  refusal: "true invalid-spec factor",
  model: "rope-llama3",
  scalar: "scalar",
};
