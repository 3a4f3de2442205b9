// The chapter on long contexts, angles that a GPU computes: English.

export const shaderEn = {
  heading: "Angles as your GPU computes them",
  paragraphs: [
    "Models run on the GPU, and many programs compute the angles there, too. The page has that done: a shader multiplies position and frequency and takes the cosine and the sine, once in float32 and once in float16. The chart says how far its hands point from the exact ones, in turns.",
    "WebGPU promises a cosine only for angles between $-\\pi$ and $\\pi$, and there to $2^{-11}$ in float32 and to $2^{-7}$ in float16. What a GPU makes of larger angles is its maker’s business.",
  ],
  points: [
    "<em>Half a turn is the end</em>: no hand can be farther off, and one that is says nothing any more.",
    "<em>float16 is lost first.</em> From 2048 on it has no odd numbers: the worst pair is off by a good part of a turn there, and soon by half of one. Positions beyond 65 504 it does not have at all; there its lines end.",
    "<em>float32 is lost around</em> $2^{24}$: the angles of the fastest pairs are so large there that rounding the product alone moves them by a good part of a turn. Near the start a GPU’s lines may lie above a processor’s: there it is the cosine itself that is coarse.",
    "<em>posenc computes no angle on the GPU.</em> Its <code>posenc/webgpu</code> sends cosines and sines that are exact at any position, and the GPU multiplies and adds.",
  ],
  figure: {
    title: "Errors of angles, float16 and float32",
    shows:
      "A chart with two logarithmic axes: how far angles computed in float16 and in float32 are from exact ones, in turns, by position up to two thousand million.",
    asking: "The browser is asked for a GPU; until it answers, these numbers are the processor’s.",
    none: "This browser has no WebGPU here. The numbers are the processor’s, with the same roundings.",
    software: "A software adapter ({name}): a program on the processor that does what a GPU would.",
    card: "Computed by this GPU: {name}.",
    withoutHalf: "It has no float16: those numbers are the processor’s, with the same roundings.",
    pair: "Pair",
    worst: "{width}, worst pair",
    one: "{width}, pair {pair}",
    label: "Error of angles by position, in turns, both axes logarithmic",
    position: "position",
    error: "turns",
    read: "around position {position}: {values}",
    entry: "{name}: {value}",
    zero: "no error",
    table: "Error of angles in turns, by position",
    from: "positions from",
  },
};
