// Swin and BEiT: a learned number for each displacement on two axes inside a window of patches.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
// In a checkpoint: relative_position_bias_table [(2h - 1)(2w - 1), heads].
const weights = Float32Array.from({ length: 3 * 5 }, (_, i) => i / 10);
const swin = pe.create({ kind: "swin", heads: 1, windowHeight: 2, windowWidth: 3, weights });
const window = { queries: 6, keys: 6 };
console.log("relative_position_index, first row:", swin.buckets(window).data.slice(0, 6).join(" "));
console.log("bias of the first place:", Array.from(swin.bias(window).data.slice(0, 6), (b) => b.toFixed(1)).join(" "));

// Windows are the batch of attention.
const x = { data: new Float32Array(8 * 6 * 4).fill(0.5), dims: [8, 1, 6, 4] };
console.log("attention:", pe.attention(x, x, x, { encoding: swin }).dims.join(" x "));
