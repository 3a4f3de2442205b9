// The encoding classes of posenc/core: tables, rotations and biases.
import { BiasEncoding } from "./bias.js";
import { AlibiBias, BucketBias, WindowBias } from "./biases.js";
import type { Classes } from "./create.js";
import { NoEncoding } from "./none.js";
import { RotaryEncoding } from "./rotary.js";
import { TableEncoding } from "./table.js";
import { LearnedTable, SinusoidalTable } from "./tables.js";

export const coreClasses = {
  families: { table: TableEncoding, rotary: RotaryEncoding, bias: BiasEncoding },
  special: {
    shift: SinusoidalTable,
    weights: LearnedTable,
    slopes: AlibiBias,
    buckets: BucketBias,
    resize: WindowBias,
    addTo: NoEncoding,
  },
} satisfies Classes;
