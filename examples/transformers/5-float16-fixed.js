// A Llama that was converted to float16 as a whole, as transformers.js' scripts do: positions times frequencies are float16,
// too, and the longer a text is, the less its angles are right. The audit says so; the file is fixed, its weights stay.
import { InferenceSession, Tensor } from "onnxruntime-node";
import { init } from "posenc";
import { openModel } from "posenc/onnx";
import { fixture } from "./models/fixtures.js";

const pe = await init();
const half = await fixture("llama-tjs/model_fp16.onnx");
const config = JSON.parse(await fixture("llama-tjs/config.json"));

const model = await openModel(half);
const [finding] = model.audit(pe, config);
console.log(`${finding.severity} ${finding.code}: ${finding.message}`);
const changed = await model.rewrite(pe, finding.rewrite);
for (const { name, what } of changed.changes) console.log(name, what);
const fixed = await changed.bytes();
console.log(`findings in the fixed file: ${(await openModel(fixed)).audit(pe, config).length}`);

/** Logits of a text of `length` tokens. */
async function logitsOf(bytes, length) {
  const session = await InferenceSession.create(bytes, { logSeverityLevel: 3 });
  const int64 = (at) =>
    new Tensor(
      "int64",
      BigInt64Array.from({ length }, (_, i) => BigInt(at(i))),
      [1, length],
    );
  const feeds = {
    input_ids: int64((i) => (i * i * 31 + 7 * i) % config.vocab_size),
    attention_mask: int64(() => 1),
    position_ids: int64((i) => i),
  };
  for (const { name, type } of session.inputMetadata)
    if (name.startsWith("past"))
      feeds[name] = new Tensor(type, type === "float16" ? new Uint16Array() : new Float32Array(), [1, 2, 0, 16]);
  const { logits } = await session.run(feeds);
  return pe.toFloat32(logits).data;
}

const full = await fixture("llama/model.onnx");
for (const length of [48, 192, 2048]) {
  const wanted = await logitsOf(full, length);
  const off = async (bytes) => {
    const got = await logitsOf(bytes, length);
    return wanted.reduce((most, logit, i) => Math.max(most, Math.abs(logit - got[i])), 0).toFixed(2);
  };
  console.log(`${length} tokens: logits are off by ${await off(half)} as converted, by ${await off(fixed)} fixed`);
}
