// Shape rules of convolutions, pooling and resizing.
import type { At, Rule } from "./at.js";
import { differ, fixed, isFixed, numberOf, over, times, type Dim } from "./sizes.js";

interface Window {
  readonly kernel: readonly (number | undefined)[];
  readonly rank: number;
}

/** Returns the length of an axis after a convolution or a pool. */
function moved(at: At, { kernel, rank }: Window, axis: number): Dim {
  const length = numberOf(at.dims(0)![axis + 2]);
  const size = kernel[axis];
  const padding = at.text("auto_pad", at.pass.pieces) ?? "NOTSET";
  const stride = at.list("strides")?.[axis] ?? 1;
  const dilation = at.list("dilations")?.[axis] ?? 1;
  if (length === undefined || size === undefined || !(stride > 0)) return at.unknown(axis + 2);
  if (padding.startsWith("SAME")) return at.fixed(Math.ceil(length / stride), axis + 2);
  const pads = padding === "VALID" ? [] : (at.list("pads") ?? []);
  const span = length + (pads[axis] ?? 0) + (pads[axis + rank] ?? 0) - dilation * (size - 1) - 1;
  const count = (at.integer("ceil_mode", 0) ? Math.ceil(span / stride) : Math.floor(span / stride)) + 1;
  if (count < 1) at.fail(`has a window of ${size}, longer than ${length}`);
  return at.fixed(count, axis + 2);
}

export const conv: Rule = (at) => {
  const [dims, weights] = [at.dims(0), at.dims(1)];
  if (!dims || !weights || dims.length !== weights.length || dims.length < 3) return [];
  const channels = times(weights[1]!.size, fixed(at.integer("group", 1)));
  if (channels && differ(channels, dims[1]!.size)) at.fail(`cannot combine ${at.shapes()}`);
  const window = { kernel: weights.slice(2).map(numberOf), rank: dims.length - 2 };
  return [{ dims: [dims[0]!, weights[0]!, ...window.kernel.map((_, axis) => moved(at, window, axis))] }];
};

export const pool: Rule = (at) => {
  const dims = at.dims(0);
  const kernel = at.list("kernel_shape");
  if (!dims || !kernel || kernel.length !== dims.length - 2) return [];
  const made = [dims[0]!, dims[1]!, ...kernel.map((_, axis) => moved(at, { kernel, rank: kernel.length }, axis))];
  return at.step.outs.map(() => ({ dims: made }));
};

export const globalPool: Rule = (at) => {
  const dims = at.dims(0);
  return dims ? [{ dims: dims.map((dim, i) => (i < 2 ? dim : at.fixed(1, i))) }] : [];
};

/** The rule of Resize: sizes are the last input, scales the one before; the oldest operators have only scales. */
export const resize: Rule = (at) => {
  const dims = at.dims(0);
  if (!dims) return [];
  const isOld = at.step.ins.length < 3;
  if (at.has(3)) return [{ dims: dims.map((_, axis) => sizeOf(at, axis)) }];
  const scales = at.pass.numbersOf(at.step.ins[isOld ? 1 : 2]);
  return [
    {
      dims: dims.map((dim, axis) => {
        const [length, scale] = [numberOf(dim), scales?.[axis]];
        if (scale === 1) return dim;
        return at.fixed(Math.floor((length ?? NaN) * (scale ?? NaN)), axis);
      }),
    },
  ];
};

/** Scales a fixed output size with the input. */
function sizeOf(at: At, axis: number): Dim {
  const wanted = at.elements(3)?.[axis];
  const [old, now] = [at.oldDims(0)?.[axis], at.dims(0)![axis]!];
  const made = at.pass.before && at.pass.before.of(at.step.outs[0]!).dims?.[axis];
  const [was, is, number] = [numberOf(old), numberOf(now), numberOf(wanted)];
  if (!wanted || wanted.size.factor < 0) return at.unknown(axis);
  const isUntouched = was === undefined || is === undefined || was === is || number === undefined;
  if (isUntouched || number !== numberOf(made)) return wanted;
  const next = number % was === 0 ? (number / was) * is : at.pass.plan!.image.sides.get(number)?.[axis % 2];
  const words = (): string => `makes ${number} of ${was}, which are ${is} now`;
  return next === undefined ? at.fail(words()) : at.follow(wanted, next, words);
}

export const depthToSpace: Rule = (at) => blocks(at, (size, block) => times(size, fixed(block)), -1);
export const spaceToDepth: Rule = (at) => blocks(at, (size, block) => over(size, fixed(block)), 1);

function blocks(at: At, along: (size: Dim["size"], block: number) => Dim["size"] | undefined, sign: 1 | -1) {
  const dims = at.dims(0);
  const block = at.integer("blocksize", 1);
  if (dims?.length !== 4 || !(block > 0)) return [];
  const area = fixed(block * block);
  const [batch, channels, ...sides] = dims;
  const deep = sign > 0 ? times(channels!.size, area) : over(channels!.size, area);
  const made = sides.map((dim, i) => {
    const size = along(dim.size, block);
    if (!size && isFixed(dim.size)) at.fail(`cannot combine ${at.shapes()}`);
    return at.sized(size, i + 2);
  });
  return [{ dims: [batch!, at.sized(deep, 1), ...made] }];
}
