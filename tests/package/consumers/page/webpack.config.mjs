import { fileURLToPath } from "node:url";

export default {
  mode: "production",
  context: fileURLToPath(new URL(".", import.meta.url)),
  entry: "./main.js",
  performance: { hints: false },
};
