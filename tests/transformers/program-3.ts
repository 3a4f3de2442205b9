// What users of version 3 of transformers.js write: types.test.ts compiles it.
import { env, pipeline } from "@huggingface/transformers";
import { init } from "posenc";
import { usePositions, withRotaryTables } from "posenc/transformers";

const pe = await init();
using undo = usePositions(env, pe, { "org/model": { rotary: { kind: "rope-linear", factor: 4 }, length: 8192 } });
const generator = await pipeline("text-generation", "org/model");
undo();
using undoTables = withRotaryTables(generator.model, pe.create({ kind: "rope", dim: 8 }));
undoTables();
