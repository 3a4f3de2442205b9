// Minifies files of the package, and maps modules to their sources.
import { createHash } from "node:crypto";
import { minify } from "terser";
import { fingerprint, inRoot, readJson, writeWhole } from "./prepare.mjs";

/** Returns a map without what the build generates: code of the toolchain, and builds as text. */
function sources({ sources, sourcesContent, ...map }) {
  const isGenerated = (name) => name.includes("\0");
  return {
    ...map,
    sources: sources.map((name) => (isGenerated(name) ? name.replace(/^.*\0.*\//, "generated/") : name)),
    sourcesContent: sourcesContent.map((text, i) => (isGenerated(sources[i]) ? null : text)),
  };
}

/** Classes whose names appear in messages and consoles: they are not renamed. */
const publicClasses = (text) =>
  [...text.matchAll(/\b(?:class (\w+)|(\w+) = class\b)/g)]
    .map(([, declared, assigned]) => declared ?? assigned)
    .filter((name) =>
      /^(Posenc\w*|\w+(Encoding|Table|Bias|Relative|Tensor|Cache)|OnnxModel|ChangedModel|Gpu)$/.test(name),
    );

/** What Terser does to a file. */
function settings(text, isModule) {
  // Terser removes code that Emscripten's loader never reaches here, which bundlers do not detect.
  const compress = { passes: 3, unsafe_arrows: true, pure_getters: true, keep_fargs: false };
  // Users' bundlers may remove calls marked pure. Pages without a declared encoding must read the script, too.
  // Node prints the line of an uncaught error: a pipe would cut off the message after a line of 64 KB.
  const format = { preserve_annotations: true, ascii_only: !isModule, max_line_len: 4000 };
  const mangle = { reserved: publicClasses(text) };
  return { module: isModule, toplevel: isModule, ecma: 2022, compress, format, mangle };
}

/** Minified files of the last build, by a digest of their sources: most have not changed. */
const minifiedFile = inRoot("build", "minified.json");

/** Returns a function that minifies a file of a bundle, and one that stores what it did for the next build. */
export function minifier() {
  const [known, now, by] = [readJson(minifiedFile), {}, fingerprint([])];
  const minified = async ({ code, map, fileName }, isModule) => {
    const sourceMap = isModule && map && { content: sources(map), filename: fileName, url: `${fileName}.map` };
    const options = { ...settings(code, isModule), ...(sourceMap && { sourceMap }) };
    const digest = createHash("sha256").update(by).update(JSON.stringify(options)).update(code).digest("base64");
    return (now[digest] = known[digest]?.code ? known[digest] : await minify(code, options));
  };
  return { minified, store: () => writeWhole(minifiedFile, JSON.stringify(now)) };
}
