// M-RoPE (Qwen2-VL, Qwen3-VL): each pair turns by the time, the height or the width of its token.
import { init } from "posenc";

const pe = await init({ parts: ["ids"] });
const shape = { dim: 128, base: 1e6, sections: [16, 24, 24] };
const rope = pe.create({ kind: "rope-mrope", ...shape });

// Three words, an image of 4 x 4 patches that are merged 2 by 2, two words.
const segments = [{ text: 3 }, { image: [1, 4, 4] }, { text: 2 }];
const positions = pe.mropePositionIds(segments, { mergeSize: 2 }).positions.axes;
const q = pe.tensor([1, 28, positions[0].length, 128]);
rope.apply(q, { positions });
["time:  ", "height:", "width: "].forEach((name, axis) => console.log(name, positions[axis].join(" ")));

// Later tokens are text: one position stands for all three axes.
const next = pe.tensor([1, 28, 1, 128]);
rope.apply(next, { offset: 7 });

// Scaling rules take sections, too; interleavedSections is Qwen3-VL's order.
const yarn = pe.create({ kind: "rope-yarn", ...shape, factor: 4, originalLength: 32768 });
console.log("magnitude under YaRN:", yarn.attentionFactor.toFixed(4));
q.dispose();
next.dispose();
