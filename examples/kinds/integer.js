// The position itself as a feature: a shift is plain to see, but numbers grow with the text.
import { init } from "posenc";

const pe = await init();
const encoding = pe.create({ kind: "integer" });

// Two words of two features each, the third and fourth of a text; their places are set beside them.
const words = { data: Float32Array.of(0.3, -0.5, 0.1, 0.9), dims: [1, 2, 2] };
const joined = encoding.concatTo(words, { offset: 2 });
console.log("dims", joined.dims.join(" × "));
for (const word of [0, 1])
  console.log(
    `word ${word + 2}:`,
    Array.from(joined.data.slice(3 * word, 3 * word + 3), (x) => x.toFixed(1)).join("  "),
  );
