// How fast is it here: English. `$…$` is TeX, made into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "This course computes nearly every figure while you move a slider: how fast is that on <strong>your</strong> machine, and why?",
  idea: [
    "A position is a row of clocks, and somebody has to set them. A text of 4096 words with 64 clocks each has a quarter of a million of them, and a model turns all its queries and keys by them, in every layer. Press the button: posenc, the library behind this course, and plain JavaScript do the same work, and the bars say how many times as fast as plain JavaScript each is.",
    "Three ideas make it fast and exact, and each fits into a sentence. <em>Fewer sines</em>: nearly all hands are put together from a few. <em>Exact angles</em>: those few are computed with many digits and rounded last. <em>Four lanes</em>: one instruction works on four numbers at once.",
  ],
  race: {
    heading: "The race",
    paragraphs: [
      "It runs in the background: a few seconds on an idle machine, more on a busy one; with all contenders it takes several times as long. Every contender’s numbers are compared with the library’s first: who computes something else is not timed.",
    ],
    points: [
      "<em>The ratio travels better than the time.</em> Start it twice: milliseconds change with the machine’s temperature, its battery and what else is open. Ratios change much less, because the contenders took turns.",
      "<em>Not all work gains alike.</em> Where there is much to compute, as in attention, expect posenc far ahead. Where numbers only have to be written down, as ALiBi’s, plain JavaScript nearly keeps up: copying is what browsers do best.",
    ],
    why: [
      {
        title: "How is it measured?",
        paragraphs: [
          "Browsers first interpret JavaScript and compile it later, so that each contender runs until it gets no quicker before the clock counts. Then all take turns, forwards and backwards, so that a busy moment of your machine hits all of them. The bar is the median of the rounds; the thin line spans the middle half of them. Where it is long, the machine was busy with something else: race again.",
          "The GPU runs after the others, alone: a call returns before the GPU has done it, so the clock waits until it has done all calls of a round. Its numbers are there already and stay there. Some browsers have a program in place of a GPU, a software adapter: its numbers are compared, but its times would say nothing.",
          "“Largest difference” in the table of numbers compares with the build in use, relative to numbers above 1. The three builds agree to the last bit in every encoding; only attention’s long sums may round differently.",
        ],
      },
      {
        title: "Who are “all contenders”?",
        paragraphs: [
          "posenc comes in three builds of the same source: <em>scalar</em> (one number at a time), <em>SIMD</em> (four) and <em>relaxed SIMD</em> (four, and a product and a sum in one step where the processor can). The page takes the fastest one that your browser runs. “Limit” is what no program can beat here: the memory’s speed, or the arithmetic alone.",
          "“Arrays in and out” is the same build on ordinary arrays (<code>Float32Array</code>), which are copied into the library’s memory and back. For attention that is nothing, for one rotation it is most of the time. <code>pe.tensor</code> keeps data inside.",
          "Plain JavaScript is written as well as we could. For RoPE and for the sinusoids that are added, its tables are ready before the clock starts; posenc makes them anew in every call.",
        ],
      },
    ],
    figure: {
      title: "posenc and plain JavaScript on this machine",
      shows:
        "For each of five pieces of work, bars for plain JavaScript, for the scalar, SIMD and relaxed SIMD builds of posenc, for posenc on copied arrays and on the GPU, and for the limit of the machine.",
      start: "Start the race",
      again: "Race again",
      running: "Measuring",
      size: "Size of the work",
      sizes: { usual: "usual", small: "small", tiny: "tiny" },
      view: "Bars show",
      views: { ratio: "times as fast as plain JavaScript", time: "milliseconds a call" },
      all: "All contenders",
      ours: "posenc",
      waiting: "not measured yet",
      notStarted: "Nothing has been measured yet.",
      cancelled: "Stopped. What was finished is shown.",
      cases: {
        rope: "RoPE, in place",
        tables: "Cosines and sines",
        sinusoidal: "Sinusoidal, added",
        alibi: "ALiBi bias",
        attention: "Causal attention",
      },
      plainly: {
        rope: "turn the queries of a layer by their positions",
        tables: "the clock hands of every position",
        sinusoidal: "add to every word its position",
        alibi: "a price for every pair of words",
        attention: "every word weighs all words before it",
      },
      notes: {
        rope: "q [{size}], tables ready for JavaScript",
        tables: "[{size}], made anew",
        sinusoidal: "x [{size}] += table",
        alibi: "[{size}], made anew",
        attention: "heads × words × width [{size}]",
      },
      ways: {
        plain: "plain JavaScript",
        sums: "… by angle sums",
        scalar: "posenc scalar",
        simd: "posenc SIMD",
        relaxed: "posenc relaxed",
        arrays: "… arrays in and out",
        webgpu: "posenc on the GPU",
        limit: "limit",
      },
      limits: {
        multiply: "limit: multiply in place",
        fill: "limit: fill the memory",
        peak: "limit: arithmetic alone",
      },
      refused: "cannot run here",
      refusedNote: "This browser cannot run the {variants} build: its engine does not know the instructions.",
      noGpu: "no WebGPU here",
      softwareGpu: "software GPU: not timed",
      wrong: "other numbers: not timed",
      nothing: "nothing to compare",
      machine: "Your browser says",
      processors: "processors",
      variant: "build in use",
      clock: "clock step",
      memory: "memory (at least)",
      gpu: "GPU",
      clockValue: "{step} ms",
      memoryValue: "{memory} GB",
      unknown: "not told",
      table: "{name}, [{size}]",
      way: "contender",
      median: "median, ms",
      low: "quarter below, ms",
      high: "quarter above, ms",
      ratio: "× plain",
      rate: "rate, {unit}",
      difference: "largest difference",
      units: { "GB/s": "GB/s", ns: "ns a number", "GFLOP/s": "GFLOP/s" },
    },
  },
  sums: {
    heading: "Fewer sines, exact angles",
    paragraphs: [
      "A hand is a cosine and a sine, and those are slow to compute. But turns add up: a clock that has gone on by 2000 and then by 500 stands where one stands that has gone on by 2500. posenc writes a position with digits, as we write hundreds, tens and ones, but in base 32: $m = 1024\\,h + 32\\,t + u$. Real sines are computed for digits only.",
    ],
    predict: {
      question: "A table has rows for 4096 positions. For how many rows are sines really computed?",
      options: ["4096", "1024", "68"],
      answer: 2,
      reveal:
        "There are 32 ones, 32 tens and 4 hundreds, so to speak: 32 + 32 + 4 = 68. All other rows are put together from those, with four multiplications for each hand. Make the table longer in the figure and see how the share shrinks.",
    },
    figure: {
      title: "A position in digits, a turn in parts",
      shows:
        "Three dials for the digits of a position and a fourth one for all of them together, with the cosines and sines, and how many rows of real sines a table needs.",
      position: "Position m",
      pair: "Pair k of 32",
      length: "Rows of the table",
      hundreds: "1024 · {digit}",
      tens: "32 · {digit}",
      ones: "{digit}",
      together: "position {position}",
      hand: "cos {cos}, sin {sin}",
      compare:
        "Put together: cos {cos}, sin {sin}. From the table: cos {exactCos}, sin {exactSin}. Difference: {difference}.",
      rows: "A table of {length} rows needs {exact} rows of real sines and cosines: {share} of all.",
      table: "Turns of pair {pair}",
      part: "part",
      cos: "cos",
      sin: "sin",
      summed: "put together",
      direct: "from the table",
    },
    points: [
      "<em>Three dials, one hand each</em>: the parts of the position. The fourth is all of them together.",
      "<em>Put together and from the table</em> agree to about seven digits, all that a 32-bit number has. The digits’ angles have twice as many, and rounding comes last. Angles that are rounded first are wrong far out in a text: “A million tokens and 32 bits” in <a href='./long-context.html#precision'>Long context</a> shows where.",
    ],
    why: [
      {
        title: "How do two turns become one?",
        paragraphs: [
          "Whoever knows the turn by $a$ and the turn by $b$ knows the turn by $a + b$, from four multiplications:",
          "$$\\begin{aligned} \\cos(a + b) &= \\link{coarse}{\\cos a}\\,\\link{fine}{\\cos b} - \\link{coarse}{\\sin a}\\,\\link{fine}{\\sin b} \\\\ \\sin(a + b) &= \\link{coarse}{\\sin a}\\,\\link{fine}{\\cos b} + \\link{coarse}{\\cos a}\\,\\link{fine}{\\sin b} \\end{aligned}$$",
          "The result is the float32 number nearest to the truth, or its neighbour. In the race, “by angle sums” is plain JavaScript with the same idea. The better method gains about as much as SIMD does: first the idea, then the instructions.",
        ],
      },
      {
        title: "Why is a sine slow?",
        paragraphs: [
          "WebAssembly has no instruction for $\\sin$. A library takes whole turns off the angle, with more digits than the angle itself has, and puts the rest into a polynomial: some ten nanoseconds a number in plain JavaScript. A table of $4096 \\times 128$ numbers has half a million of them.",
        ],
      },
    ],
  },
  lanes: {
    heading: "Four numbers in one instruction",
    paragraphs: [
      "Plain JavaScript handles one number at a time. Practically every processor of the last fifteen years can do more: four numbers stand side by side, and one instruction multiplies all four (<em>SIMD</em>, single instruction, multiple data). WebAssembly may use that. Here eight clocks are set, one at a time and four at a time. Step through it.",
    ],
    predict: {
      question: "Four numbers in one instruction: does all work become four times as fast?",
      options: ["yes", "no"],
      answer: 1,
      reveal:
        "Only where arithmetic decides. Where memory decides, the lanes wait for the numbers to come: ALiBi’s bias gains hardly anything. “The road to memory”, below, measures that.",
    },
    figure: {
      title: "One clock at a time, four clocks at a time",
      guide: "A column is a pair: x₁ and x₂, turned by its cos and sin, become y₁ and y₂.",
      shows:
        "Eight pairs of numbers with their cosines and sines, and the results that each build has after a number of steps. The scalar build finishes one pair a step, SIMD four.",
      step: "Steps done",
      position: "Position m",
      scalar: "Scalar: one pair a step",
      simd: "SIMD: four pairs a step",
      done: "{done} of {all} pairs done, {instructions} instructions",
      rows: { first: "x₁", second: "x₂", cosine: "cos", sine: "sin", low: "y₁", high: "y₂" },
      pair: "pair",
      table: "Eight pairs at position {position}",
      one: "one step",
      restart: "from the start",
    },
    points: [
      "After two steps SIMD is done; one at a time takes eight. Both come to the same numbers, bit for bit: a lane does exactly what the single instruction does.",
    ],
    why: [
      {
        title: "Which six instructions are these?",
        paragraphs: [
          "RoPE turns each pair by an angle of its own:",
          "$$\\begin{aligned} y_1 &= \\link{first}{x_1}\\,\\link{cosine}{c} - \\link{second}{x_2}\\,\\link{sine}{s} \\\\ y_2 &= \\link{first}{x_1}\\,\\link{sine}{s} + \\link{second}{x_2}\\,\\link{cosine}{c} \\end{aligned}$$",
          "Four multiplications, one subtraction, one addition. With the “half” layout the four <span data-link='first'>$x_1$</span> lie side by side in memory, and so do the four <span data-link='second'>$x_2$</span>, <span data-link='cosine'>cosines</span> and <span data-link='sine'>sines</span>.",
        ],
      },
      {
        title: "What is relaxed about relaxed SIMD?",
        paragraphs: [
          "It adds an instruction that multiplies and adds at once. It may round once instead of twice, depending on the processor, so results can differ in the last bit from one machine to another. posenc uses it for the dot products of attention only; encodings stay identical everywhere.",
        ],
      },
    ],
  },
  memory: {
    heading: "The road to memory",
    paragraphs: [
      "Rotating in place reads every number once and writes it once. However clever the arithmetic, it cannot be done before all $V$ bytes have passed, at $B$ bytes a second:",
      "$$t \\;\\ge\\; \\frac{\\link{bytes}{V}}{\\link{bandwidth}{B}}$$",
      "How large is <span data-link='bandwidth'>$B$</span>? The figure multiplies a buffer in place by a number next to 1, four numbers at a time: the least work that touches everything. It copies one half of the buffer to the other, the way browsers copy. And it lets posenc rotate a buffer of the same size, <span data-link='bytes'>with the same $V$</span>. Of several rounds the best one counts here: nothing makes memory faster than it is, while many things make it slower.",
    ],
    points: [
      "The curve has <em>steps</em>. A small buffer stays in the caches beside the processor’s core; a large one has to come from main memory, which is several times slower. Where the steps are is a portrait of your processor.",
      "Where posenc’s line comes near the multiplication, the rotation is as good as free: its six operations hide behind the wait for memory. At the left end the call itself shows, about a microsecond.",
      "Plain JavaScript is a nearly flat line far below. One number at a time, it hardly ever gets to the point where memory is the limit.",
    ],
    figure: {
      title: "Gigabytes per second by the size of the buffer",
      shows:
        "Bytes read and written per second against the size of the buffer, for multiplying in place with SIMD, copying, posenc’s rotation, and multiplying in plain JavaScript.",
      start: "Measure the memory",
      again: "Measure again",
      running: "Measuring",
      size: "Largest buffer",
      sizes: { usual: "64 MB", small: "8 MB", tiny: "64 KB" },
      xLabel: "bytes of the buffer",
      yLabel: "GB/s",
      streams: {
        multiply: "multiply in place, SIMD",
        copy: "copy",
        rope: "posenc: RoPE in place",
        plain: "multiply in place, plain JavaScript",
      },
      chart: "Gigabytes per second against the bytes of the buffer",
      read: "{size}: {values}",
      notStarted: "Nothing has been measured yet.",
      notYet: "not measured yet",
      notHere: "needs SIMD",
      noSimd: "This browser has no SIMD: the machine’s own limit cannot be measured.",
      table: "GB/s, read and written",
      buffer: "buffer",
    },
  },
  code: {
    paragraphs: [
      "The same rotation on numbers inside the library’s memory and on an ordinary array: equal results, fewer copies. The times go to the error stream, as they differ from run to run: measure several times and take the median.",
    ],
  },
  quiz: [
    {
      question: "SIMD handles four numbers with one instruction. Why is the ALiBi bias hardly faster with it?",
      options: [
        {
          text: "ALiBi needs numbers that SIMD cannot represent.",
          why: "Its biases are ordinary 32-bit numbers, four to a register.",
        },
        {
          text: "Writing the bias to memory takes longer than computing it.",
          why: "One multiplication a number is nothing; megabytes have to be written. Compare with the limit bar: filling the memory with one constant takes a good part of that time.",
        },
        {
          text: "The browser turns SIMD off for large arrays.",
          why: "There is no such rule. The instructions run, and wait for memory.",
        },
      ],
      answer: 1,
    },
    {
      question: "You run the race twice and posenc’s time goes from 0.5 to 0.8 ms. What do you conclude?",
      options: [
        {
          text: "The second run is wrong.",
          why: "Both are right: the machine was in another state. Clock speeds, other programs and heat change from second to second.",
        },
        {
          text: "posenc has got slower.",
          why: "Not from this number alone. Look at plain JavaScript in the same run: most likely it has slowed down, too.",
        },
        {
          text: "Compare the ratios to plain JavaScript, which took turns with it in the same run.",
          why: "What slows the machine slows both. The ratio of one run says much more than times of two.",
        },
      ],
      answer: 2,
    },
    {
      question: "Why does a race check the numbers before it takes the time?",
      options: [
        {
          text: "Because fast code that computes something else is no opponent.",
          why: "A loop that skips the last row, or rotates the wrong pairs, may well be faster. It must not win.",
        },
        {
          text: "To warm up the engine.",
          why: "That happens, too, but there are separate warm-up runs for it.",
        },
        {
          text: "Because SIMD gives other numbers.",
          why: "For encodings it gives the very same bits; the check would find it if it did not.",
        },
      ],
      answer: 0,
    },
  ],
  sources: [
    {
      cite: "WebAssembly Community Group, Fixed-width SIMD proposal (128-bit vectors)",
      url: "https://github.com/WebAssembly/simd/blob/main/proposals/simd/SIMD.md",
      note: "The instructions of the SIMD build; part of WebAssembly 2.0.",
    },
    {
      cite: "WebAssembly Community Group, Relaxed SIMD proposal",
      url: "https://github.com/WebAssembly/relaxed-simd/blob/main/proposals/relaxed-simd/Overview.md",
      note: "Multiply-add with one rounding or two, as the processor has it; part of WebAssembly 3.0.",
    },
    {
      cite: "Williams, Waterman, Patterson, Roofline: an insightful visual performance model for multicore architectures, 2009, Communications of the ACM 52(4)",
      url: "https://doi.org/10.1145/1498765.1498785",
      note: "Arithmetic or bandwidth: which of the two limits a piece of work.",
    },
    {
      cite: "Payne, Hanek, Radian reduction for trigonometric functions, 1983, ACM SIGNUM Newsletter 18(1)",
      url: "https://doi.org/10.1145/1057600.1057602",
      note: "How whole turns are taken off an angle without losing its digits.",
    },
    {
      cite: "Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding, 2021, arXiv:2104.09864, section 3.4.2",
      url: "https://arxiv.org/abs/2104.09864",
      note: "The rotation as products with two vectors of cosines and sines instead of a matrix (equation 34).",
    },
    {
      cite: "Dao et al., FlashAttention, 2022, arXiv:2205.14135",
      url: "https://arxiv.org/abs/2205.14135",
      note: "Attention by tiles, without a matrix of all scores in memory: what posenc’s attention does, too.",
    },
    {
      cite: "W3C, High Resolution Time, “Clock resolution”",
      url: "https://www.w3.org/TR/hr-time-3/#clock-resolution",
      note: "Why browsers’ clocks tick coarsely, and samples have to be long.",
    },
  ],
} satisfies ChapterText;
