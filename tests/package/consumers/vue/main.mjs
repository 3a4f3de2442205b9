import * as posenc from "posenc";
import { reactive } from "vue";
import { check } from "./check.mjs";

// The library, an encoding and tensors as the state of a component.
const state = reactive({
  pe: await posenc.init(),
  rope: null,
  query: { data: Float32Array.of(1, 0, 0, 1), dims: [1, 1, 1, 4] },
  at: { offset: 1 },
  keys: { data: new Float32Array(4), dims: [1, 1, 2, 2] },
  values: null,
});
state.rope = state.pe.create({ kind: "rope", dim: 4 });
state.values = state.pe.tensor(Float32Array.of(1, 2, 3, 4), state.keys.dims);
const query = { data: new Float32Array(2), dims: [1, 1, 1, 2] };

const result = await check(posenc);
result.rotated = [...state.rope.apply(state.query, state.at).data];
result.attended = [...state.pe.attention(reactive(query), state.keys, state.values).data];
state.values.dispose();
if (state.pe.liveBytes !== 0) throw new Error("another instance, or another tensor");
console.log(JSON.stringify(result));
