// Common mistakes: English.
import type { MistakeName } from "./checks.ts";

export interface Entry {
  /** As it is often met. */
  claim: string;
  why: string[];
  /** Over the two columns, where they are not those of the page. */
  heads?: string[];
  /** What is compared, row by row. */
  rows?: string[];
}

export interface MistakesText {
  title: string;
  lead: string;
  contents: string;
  heads: string[];
  /** Where the library throws an error. */
  refused: string;
  more: string;
  entries: Record<MistakeName, Entry>;
}

export const en: MistakesText = {
  title: "Common mistakes",
  lead: "What articles, answers and code often say about positions and what is so. The numbers are computed by the library as you read; losses of trained models were measured before.",
  contents: "The mistakes",
  heads: ["often written", "computed here"],
  refused: "error: out of range",
  more: "Explained in “{chapter}”",
  entries: {
    slow: {
      claim: "For d = 512 the second pair is sin(0.0001), cos(0.0001)",
      why: [
        "The exponent of pair $i$ is $2i/d$. For $i = 1$ and $d = 512$ that is 1/256, and $10000^{1/256}$ is 1.0366: the second pair turns almost as fast as the first. Only the last pairs are as slow as 0.0001.",
        "The same worked example often ends with cos(0.9999) in column 511. There the angle is 0.0001, and its cosine is almost 1.",
      ],
      rows: ["angle of pair 1 at position 1", "column 2 at position 1", "column 511 at position 1"],
    },
    tenth: {
      claim: "For d = 4 the second angle is t/10",
      why: [
        "$10000^{2/4}$ is 100, so the second pair of position $t$ has the angle $t/100$. The base got lost: somebody computed with 10 or 100 in its place. The numbers that circulate have sine and cosine exchanged as well.",
      ],
      rows: ["column 2 (a sine) at position 1", "column 3 (a cosine) at position 1"],
    },
    column: {
      claim: "The number of the column goes into 2i/d",
      why: [
        "In $10000^{2i/d}$ the letter $i$ counts pairs: columns $2i$ and $2i+1$ share one frequency. Whoever puts the column in doubles the exponent, and frequencies fall towards 1/100 000 000 instead of 1/10 000. If odd columns get an exponent of their own, sine and cosine no longer belong to one angle, and a shift is no longer a rotation.",
      ],
      rows: ["frequency of column 10, d = 128", "longest wavelength, d = 128"],
    },
    cosine: {
      claim: "There is a sine encoding and a cosine encoding",
      why: [
        "It is one encoding that needs both. With sines alone the dot product of two positions depends on where they stand; with both, on their distance alone, because",
        "$$\\cos a \\cos b + \\sin a \\sin b = \\cos(a - b)$$",
      ],
      heads: ["sines alone", "sines and cosines"],
      rows: ["positions 0 and 10, d = 128", "positions 50 and 60, d = 128"],
    },
    absolute: {
      claim: "Absolute encodings know nothing of distances",
      why: [
        "Sinusoids are absolute, yet the dot product of two rows is a function of the distance, and one matrix moves any row by $k$ steps. What is true: a score contains this term among three others, and the model has to find it.",
      ],
      heads: ["positions 0, 10", "positions 500, 510"],
      rows: ["dot product of the rows, d = 128"],
    },
    sign: {
      claim: "A sign more or less in the rotation makes no difference",
      why: [
        "If queries and keys both turn the other way, scores mirror the distance: harmless when training from scratch, wrong for weights that exist. If one of the two turns the other way, the score depends on the sum of the positions. Then a text that starts 100 places later reads differently.",
        "The slip comes from two ways of writing the pair: for (cos, sin) the minus stands at the top right, for (sin, cos) at the bottom left.",
      ],
      heads: ["key turned the other way", "as it should be"],
      rows: ["query at 5, key at 3", "query at 105, key at 103"],
    },
    sentence: {
      claim: "The encoder turns the sentence into one vector",
      why: [
        "Older networks did. A Transformer’s encoder gives one vector for each token, and the decoder attends to all of them. Positions matter for that reason: each of these vectors stands somewhere.",
      ],
      rows: ["vectors for “I love you”"],
    },
    dates: {
      claim: "Relative positions came in 2020 to 2022",
      why: [
        'Shaw, Uszkoreit and Vaswani published them <a href="https://arxiv.org/abs/1803.02155" rel="external">in March 2018</a>, nine months after the Transformer. <a href="https://arxiv.org/abs/1901.02860" rel="external">Transformer-XL</a> and <a href="https://arxiv.org/abs/1910.10683" rel="external">T5</a> are of 2019; <a href="https://arxiv.org/abs/2104.09864" rel="external">RoPE</a> and <a href="https://arxiv.org/abs/2108.12409" rel="external">ALiBi</a> of 2021. Learned tables are older than the Transformer: <a href="https://arxiv.org/abs/1705.03122" rel="external">convolutional sequence models</a> had them in May 2017.',
      ],
    },
    limit: {
      claim: "RoPE and sinusoids have no length limit",
      why: [
        "The formulas give numbers for any position. A model that was trained on 256 characters has never seen most of them: slow pairs reach new angles, and its predictions break. Lower is better in the first two rows; they were measured with small models, one of each kind.",
        'The Transformer paper hoped that sinusoids would carry further. <a href="https://arxiv.org/abs/2108.12409" rel="external">Press et al. 2021</a> measured that they hardly do.',
      ],
      heads: ["at 256", "at 1024"],
      rows: [
        "loss, RoPE, trained at 256",
        "loss, sinusoids, trained at 256",
        "of 64 pairs (d = 128), those short of a full turn",
      ],
    },
    flat: {
      claim: "ALiBi reads texts of any length, as its loss stays flat",
      why: [
        "A flat loss says that the text nearby is still used well. The penalty for distance hides what is far: a password that stood 2048 characters earlier is not found any more. Measured with one small model that was trained at 256 characters.",
      ],
      heads: ["at 256", "at 2048"],
      rows: ["loss, ALiBi (lower is better)", "share of a password hidden so far back that is found"],
    },
    falcon: {
      claim: "Falcon uses ALiBi",
      why: [
        "Its small research models, Falcon RW, do. Falcon 7B and 40B rotate. The config decides: <code>alibi: false</code>.",
      ],
      rows: ["positions of Falcon 7B"],
    },
    embedding: {
      claim: "nn.Embedding(2 · max_len) takes any distance",
      why: [
        "Distances are negative for keys before the query, and an embedding has no negative rows: PyTorch raises an error, NumPy silently takes rows from the end. Add the largest distance $K$ first, after clipping; that needs $2K + 1$ rows, one for distance 0. Past the last row there is nothing either.",
      ],
      rows: [
        "row of distance −3, K = 4",
        "rows needed, K = 4",
        "row −1 of a table of 512",
        "row 512 of a table of 512",
      ],
    },
    buckets: {
      claim: "T5’s buckets are symmetric, so the direction does not matter",
      why: [
        "In the encoder the lower half of the buckets is for keys before the query, the upper half for those after it; distance is key minus query. With the difference taken the wrong way round every word looks into the mirror, and trained weights no longer fit.",
      ],
      heads: ["query − key", "key − query"],
      rows: ["bucket of a key 3 places after the query", "bucket of a key 3 places before the query"],
    },
    slopes: {
      claim: "ALiBi’s slopes are 2^(−8h/n) for any number of heads n",
      why: [
        "That is the rule for powers of two. For 12 heads the authors’ code takes the 8 slopes of 8 heads, and then every other slope of 16 heads, from the first on. Published models such as BLOOM (112 heads) have these.",
      ],
      rows: ["head 1 of 12", "head 9 of 12"],
    },
    layout: {
      claim: "Which dimensions make a pair is a matter of taste",
      why: [
        "Before training, yes. After it, queries and keys were learned for one layout: half (<code>rotate_half</code>) pairs $k$ with $k + d/2$, interleaved pairs neighbours. With the other one a model does not crash; it gets worse with distance, as the scores show: equal at distance 0, different beyond.",
      ],
      heads: ["interleaved", "half"],
      rows: ["score at distance 0", "score at distance 3", "score at distance 20"],
    },
    values: {
      claim: "RoPE is applied to queries, keys and values",
      why: [
        "Only to queries and keys. Turned values are summed as they stand, and the output then tells at which absolute position a word stood: move the whole text by 100, and it changes. (Some newer models turn values on purpose, and turn the output back.)",
      ],
      heads: ["values turned, too", "queries and keys"],
      rows: ["change of outputs, text moved by 100"],
    },
    base: {
      claim: "The base is 10000",
      why: [
        "In the Transformer and in Llama 1 and 2. Llama 3 has 500\u202F000, Code Llama 1\u202F000\u202F000, and a loader that overlooks <code>rope_theta</code> runs without an error and reads badly.",
      ],
      heads: ["base 10000", "Llama 3"],
      rows: ["tokens for one turn of the slowest pair", "pairs of 64 that do not finish a turn in 8192 tokens"],
    },
    factor: {
      claim: "YaRN is only another set of frequencies",
      why: [
        'It also makes queries and keys longer, by $0.1 \\ln s + 1$ each, so that scores grow by the square (<a href="https://arxiv.org/abs/2309.00071" rel="external">Peng et al. 2023</a>, section 3.4). Code that replaces the frequencies alone leaves attention too blurred for long texts.',
      ],
      rows: ["factor on queries and keys, s = 4", "factor on scores, s = 4"],
    },
    precision: {
      claim: "Positions can be kept in the type of the model",
      why: [
        "bfloat16 has 8 bits for the digits: above 256 it skips odd numbers, so that neighbouring tokens share a position. float16 does so above 2048, float32 above 16 million. Angles lose precision earlier. Compute positions and angles in float32 or better, and round cosines and sines at the end.",
      ],
      heads: ["position", "what is kept"],
      rows: ["in bfloat16", "in float16", "in float32"],
    },
    padding: {
      claim: "Left padding needs only a mask",
      why: [
        "A mask hides the filler, but positions still count it: the first word of a padded text stands at 2, not at 0. Learned tables and sinusoids then give other vectors than in training. RoPE alone bears it, as all words move together, unless a rule depends on the length. Count positions over the mask.",
      ],
      rows: ["position of the first word after two fillers", "column 0 of its sinusoid"],
    },
    cache: {
      claim: "With a KV cache the new token is at position 0",
      why: [
        "The call has one token, and code that counts from 0 turns its query as if it were first; cached keys were turned by their own positions. The distance then has the wrong size and the wrong sign. The position is the number of tokens in the cache.",
      ],
      rows: ["score of the tenth token with the fifth"],
    },
  },
};
