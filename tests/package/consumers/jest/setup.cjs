const { DecompressionStream } = require("node:stream/web");
const { TextDecoder, TextEncoder } = require("node:util");

for (const [name, value] of Object.entries({ DecompressionStream, TextDecoder, TextEncoder }))
  globalThis[name] ??= value;
