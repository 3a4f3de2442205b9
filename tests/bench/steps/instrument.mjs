// Makes a WebAssembly module count the instructions that it executes, in the exported global "steps". Unlike time the count
// is the same in each run and on each machine.
import openWabt from "wabt";

/** Instructions behind which execution may go on elsewhere: the next one begins a segment. */
const ends = /^(loop|if|else|end|br|br_if|br_table|return|unreachable)$/;
/** Instructions that do nothing at run time. */
const free = /^(block|loop|else|end)$/;

/** The parenthesis that closes a function: all others on its line have an opening one. */
const endOfFunction = /(?<=^[^()]*(\([^()]*\)[^()]*)*)\)$/;

const add = (amount) => ["global.get $steps", ...amount, "i64.add", "global.set $steps"];
/** A step for each 16 bytes that are copied or filled. The size is on the stack. */
const bytes = ["global.set $size", ...add(["global.get $size", "i64.extend_i32_u", "i64.const 4", "i64.shr_u"])];
const bulk = (instruction) => [...bytes, "global.get $size", instruction];

/** Adds a counter to each segment of a function: instructions that are executed one after the other. */
function countedBody(lines) {
  const counted = [];
  let segment = [];
  let steps = 0;
  const flush = () => {
    if (steps > 0) counted.push(...add([`i64.const ${steps}`]));
    counted.push(...segment);
    [segment, steps] = [[], 0];
  };
  for (const line of lines) {
    const [instruction] = line.trim().split(/[ )]/);
    if (!free.test(instruction)) steps++;
    segment.push(...(/^memory\.(copy|fill)$/.test(instruction) ? bulk(line) : [line]));
    if (ends.test(instruction)) flush();
  }
  flush();
  return counted;
}

/** The bytes of the module with counters. */
export async function withSteps(module) {
  const wabt = await openWabt();
  const features = { relaxed_simd: true, threads: true };
  const text = wabt.readWasm(module, features).toText({ foldExprs: false });
  const lines = text.replaceAll(/ \(;@\d+;\)/g, "").split("\n");
  const counted = [];
  let body;
  for (const line of lines) {
    if (/^ {2}\(func /.test(line)) body = [];
    if (!body || !/^ {4,}[a-z]/.test(line)) counted.push(line);
    else body.push(line.replace(endOfFunction, ""));
    if (!body || !endOfFunction.test(line)) continue;
    counted.push(...countedBody(body), ")");
    body = undefined;
  }
  const globals = [
    '(global $steps (export "steps") (mut i64) (i64.const 0))',
    "(global $size (mut i32) (i32.const 0))",
  ];
  counted.splice(counted.findIndex((line) => /^ {2}\(global /.test(line)) + 1, 0, ...globals);
  const { buffer } = wabt.parseWat("steps.wat", counted.join("\n"), features).toBinary({});
  return buffer;
}
