// Positions of video as recipes: VideoRoPE (Wei et al. 2025, arXiv:2502.05173) and HoPE (Li et al. 2025, arXiv:2505.20444). Both
// leave the slow pairs of a head to time and the fast ones to rows and columns, by turns; HoPE's slow ones have frequency 0.
// Frames stand on a diagonal: the middle of frame f at first + spacing · f on all three axes, so that text comes before and after
// it as it does around a word.
import { init } from "posenc";

const pe = await init({ parts: ["ids"] });
const [dim, base, timePairs] = [128, 1e6, 16];
const pairs = dim / 2;
const spatialPairs = pairs - timePairs;
// The axes: 0 is time, 1 rows, 2 columns.
const axisOfPair = Array.from({ length: pairs }, (_, pair) => (pair < spatialPairs ? 1 + (pair % 2) : 0));
const videoRope = pe.create({ kind: "rope", dim, base, axisOfPair });
// Pairs from rotaryDim / 2 on stand still, the others turn as in the whole head.
const hope = pe.create({ kind: "rope-proportional", dim, base, rotaryDim: 2 * spatialPairs, axisOfPair });
// Qwen2-VL's, to compare with: there time has the fast pairs.
const mrope = pe.create({ kind: "rope-mrope", dim, base, sections: [timePairs, 24, 24] });

/**
 * Positions [time, rows, columns] of { text: tokens } and { video: [frames, rows, columns], spacing } in turn, as the authors'
 * code counts them: ids are whole, so that of four rows the second is the middle, and text goes on a step behind the last frame.
 */
function videoPositions(segments) {
  const axes = Array.from({ length: 3 }, () => new Array());
  const put = (...coordinates) => coordinates.forEach((position, axis) => axes[axis].push(position));
  let next = 0;
  for (const { text = 0, video = [0, 0, 0], spacing = 1 } of segments) {
    for (let i = 0; i < text; i++, next++) put(next, next, next);
    const [frames, rows, columns] = video;
    const [midRow, midColumn] = [rows, columns].map((size) => Math.floor((size - 1) / 2));
    const first = next;
    for (let frame = 0; frame < frames; frame++) {
      const time = first + spacing * frame;
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++) put(time, time + row - midRow, time + column - midColumn);
      next = time + 1;
    }
  }
  return axes;
}

// Three words, four frames of 3 × 5 tokens, two words.
const [words, frames, rows, columns] = [3, 4, 3, 5];
const spaced = (spacing) => videoPositions([{ text: words }, { video: [frames, rows, columns], spacing }, { text: 2 }]);
const token = (frame, row, column) => words + (frame * rows + row) * columns + column;
const middle = (frame) => token(frame, (rows - 1) / 2, (columns - 1) / 2);
const [wordBefore, wordAfter] = [words - 1, words + frames * rows * columns];
const at = (axes, index) => axes.map((axis) => axis[index]);
const steps = (axes, from, to) => at(axes, to).map((position, axis) => position - at(axes, from)[axis]);
const around = (axes) => [steps(axes, wordBefore, middle(0)), steps(axes, middle(frames - 1), wordAfter)].join(" and ");

const positions = spaced(2);
console.log("middles of frames:", ...Array.from({ length: frames }, (_, frame) => at(positions, middle(frame)).join()));
console.log(
  "around a frame's middle:",
  at(positions, token(0, 0, 0)).join(),
  "to",
  at(positions, token(0, 2, 4)).join(),
);
console.log("from the words beside it:", around(positions));
const qwen = pe.mropePositionIds([{ text: words }, { video: [frames, rows, columns] }, { text: 2 }], { mergeSize: 1 });
console.log("in M-RoPE:", around(qwen.positions.axes));

// What is opposite each other in a frame is as far from its middle.
const isSymmetric = Array.from({ length: rows * columns }, (_, i) => i).every((i) => {
  const [one, other] = [steps(positions, middle(1), token(1, 0, i)), steps(positions, middle(1), token(2, 0, -1 - i))];
  return one.every((step, axis) => step === -other[axis]);
});
console.log("symmetric:", isSymmetric);

// HoPE trains with spacings drawn from these, and lets the user choose one afterwards: text moves with the length of the video.
for (const spacing of [0.5, 0.75, 1, 1.25, 1.5])
  console.log(
    `spacing ${spacing}: frames ${steps(spaced(spacing), middle(0), middle(1))[0]} apart, then`,
    at(spaced(spacing), wordAfter)[0],
  );

// Both turn pair i, which is features i and i + dim / 2, by θ_i times the position on its axis.
const tokens = positions[0].length;
const features = Float32Array.from({ length: tokens * dim }, (_, i) => Math.sin(1 + i * 12.9898));
const shaped = (data) => ({ data, dims: [1, 1, data.length / dim, dim] });
function isAsDefined(rope, slowPairsRotate) {
  const { data } = rope.apply(shaped(features.slice()), { positions });
  return features.every((x, i) => {
    const [row, pair] = [Math.floor(i / dim), i % pairs];
    const angle =
      pair < spatialPairs || slowPairsRotate ? positions[axisOfPair[pair]][row] * base ** (-pair / pairs) : 0;
    const isFirst = i % dim < pairs;
    const partner = features[isFirst ? i + pairs : i - pairs];
    return Math.abs(data[i] - x * Math.cos(angle) + (isFirst ? 1 : -1) * partner * Math.sin(angle)) < 1e-6;
  });
}
console.log("VideoRoPE turned as defined:", isAsDefined(videoRope, true), "HoPE:", isAsDefined(hope, false));

// The score of a query with a key like it, so many frames before it, on the pairs of time alone: 1 at first.
function overTime(rope, isTime) {
  const row = Float32Array.from({ length: dim }, (_, i) => (isTime(i % pairs) ? 1 / Math.sqrt(2 * timePairs) : 0));
  const times = Array.from({ length: 2000 }, (_, frame) => frame);
  const keys = Float32Array.from({ length: times.length * dim }, (_, i) => row[i % dim]);
  const { data } = rope.apply(shaped(keys), { positions: [times, times, times] });
  return times.map((frame) => row.reduce((sum, x, i) => sum + x * data[frame * dim + i], 0));
}
const isSlow = (pair) => pair >= spatialPairs;
const isFast = (pair) => pair < timePairs;
const rises = (scores) => scores.filter((score, i) => i > 0 && score > scores[i - 1] + 1e-6).length;
const [slow, fast] = [overTime(videoRope, isSlow), overTime(mrope, isFast)];
console.log("VideoRoPE's falls with each frame:", rises(slow) === 0, "M-RoPE's also rises:", rises(fast) > 100);
const isKept = overTime(hope, isSlow).every((score) => Math.abs(score - 1) < 1e-6);
console.log("HoPE's stays at any distance:", isKept);
