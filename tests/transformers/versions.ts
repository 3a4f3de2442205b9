// Where the two versions of transformers.js are: the newest is installed with the examples, the one before for the tests.
const installed = (folder: string, build: string): string =>
  new URL(`../../${folder}/node_modules/@huggingface/transformers/dist/transformers.${build}`, import.meta.url).href;

export const transformers3 = installed("tests/transformers/version-3", "node.mjs");
export const transformers4 = installed("examples/transformers", "node.mjs");
/** Of the same, the builds for pages. */
export const forPages = {
  3: installed("tests/transformers/version-3", "web.js"),
  4: installed("examples/transformers", "web.js"),
};
