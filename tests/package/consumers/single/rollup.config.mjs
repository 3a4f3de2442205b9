import resolve from "@rollup/plugin-node-resolve";

export default {
  input: "main.js",
  // A script is one file: what posenc loads later comes with the rest.
  output: { file: "dist/main.js", format: "iife", inlineDynamicImports: true },
  plugins: [resolve({ browser: true })],
};
