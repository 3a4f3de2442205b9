// node --import: programs get the main entry of the package, as pages do, in place of the one for Node.
import { register } from "node:module";

const entry = new URL("../../dist/index.js", import.meta.url).href;
const hook = `export const resolve = (specifier, context, next) =>
  specifier === "posenc" ? { url: ${JSON.stringify(entry)}, shortCircuit: true } : next(specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
