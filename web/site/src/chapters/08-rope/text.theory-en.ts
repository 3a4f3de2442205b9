// The derivation of RoPE, its base, and models that use it: English.

export const derive = {
  heading: "The derivation: solve for the rotation",
  paragraphs: [
    "Su Jianlin and his colleagues did not guess the rotation; they solved for it (RoFormer, section 3.4.1; in Chinese on Su’s blog, Scientific Spaces). Wanted is a function $f$ that puts a position into a query or a key, so that their dot product depends on the difference of the positions only, and that leaves position 0 as it is:",
    "$$\\langle f(q, m),\\, f(k, n) \\rangle = g(q, k, m - n)$$",
    "$$f(q, 0) = q$$",
    "<em>Two numbers first.</em> Read them as one complex number: then $\\langle a, b \\rangle = \\mathrm{Re}(a\\,b^{*})$, with $b^{*}$ for the conjugate. Ask a little more, that $f(q, m)\\,f(k, n)^{*}$ itself depends on $m - n$ only, and write everything as modulus and phase, $f = r\\,e^{i\\phi}$ and $g = R\\,e^{i\\Phi}$:",
    "$$\\begin{aligned} r(q, m)\\; r(k, n) &= R(q, k, m - n) \\\\ \\phi(q, m) - \\phi(k, n) &= \\Phi(q, k, m - n) \\end{aligned}$$",
    "<em>The modulus.</em> Put $n = m$: the right side is what it is at position 0, so $r(q, m)\\,r(k, m) = |q|\\,|k|$. With $k = q$: $r(q, m) = |q|$. No position changes a length.",
    "<em>The phase.</em> Put $n = m$ again, and sort by words:",
    "$$\\begin{aligned} \\phi(q, m) - \\phi(k, m) &= \\arg q - \\arg k \\\\ \\phi(q, m) - \\arg q &= \\phi(k, m) - \\arg k \\end{aligned}$$",
    "Whatever the word is, both sides of the second line are the same: call it $\\psi(m)$, what the position adds. Now put $n = m - 1$:",
    "$$\\begin{aligned} \\psi(m) - \\psi(m - 1) &= \\Phi(q, k, 1) \\\\ &\\quad + \\arg k - \\arg q \\end{aligned}$$",
    "Nothing on the right depends on $m$. So $\\psi$ grows by the same step each time, and as $\\psi(0) = 0$, it is $\\psi(m) = m\\theta$:",
    "$$f(q, m) = q\\,e^{i m \\theta}$$",
    "<em>As a matrix.</em> To multiply by $e^{im\\theta}$ is to turn the two numbers:",
    "$$f(q, m) = \\begin{pmatrix} \\cos m\\theta & -\\sin m\\theta \\\\ \\sin m\\theta & \\cos m\\theta \\end{pmatrix} \\begin{pmatrix} q_0 \\\\ q_1 \\end{pmatrix}$$",
    "<em>Then $d$ numbers.</em> The dot product of $d$ numbers is the sum of the dot products of their pairs. If every pair is turned by an angle of its own, each term depends on $m - n$ only, and so does the sum. The whole turn is a matrix with such blocks along its diagonal:",
    "$$R_m = \\begin{pmatrix} R(m\\theta_0) & & \\\\ & \\ddots & \\\\ & & R(m\\theta_{d/2-1}) \\end{pmatrix}$$",
    "$$R_m^{\\top} R_n = R_{n-m}$$",
    "<em>In code</em> no matrix is built, as nearly all of it would be zeros. Each number is multiplied by a cosine, its partner by a sine (here for the interleaved layout, with $c_i = \\cos m\\theta_i$, $s_i = \\sin m\\theta_i$, and $\\odot$ for number by number):",
    "$$R_m\\,q = \\begin{pmatrix} q_0 \\\\ q_1 \\\\ q_2 \\\\ q_3 \\\\ \\vdots \\end{pmatrix} \\odot \\begin{pmatrix} c_0 \\\\ c_0 \\\\ c_1 \\\\ c_1 \\\\ \\vdots \\end{pmatrix} + \\begin{pmatrix} -q_1 \\\\ q_0 \\\\ -q_3 \\\\ q_2 \\\\ \\vdots \\end{pmatrix} \\odot \\begin{pmatrix} s_0 \\\\ s_0 \\\\ s_1 \\\\ s_1 \\\\ \\vdots \\end{pmatrix}$$",
    "What the derivation leaves open are the speeds $\\theta_i$. RoFormer takes those of the sinusoidal encoding, $\\theta_i = b^{-2i/d}$ with $b = 10\\,000$.",
  ],
};

export const base = {
  heading: "How large must the base be?",
  paragraphs: [
    "A key that is like the query should score higher than a key that is not, however far away it stands. For made-up vectors with independent numbers of variance $\\sigma^2$ the difference is, on average,",
    "$$2\\sigma^2 \\sum_{i=0}^{d/2-1} \\cos(m\\,\\theta_i), \\qquad \\theta_i = \\link{base}{b}^{-2i/d}$$",
    "Where this sum is negative, a like key scores <em>lower</em> than a random one. Men and others (2024) ask for a sum that stays at or above zero up to the context length; that bounds the base from below. Here is the sum, divided by $d/2$, for heads of $d = 128$.",
  ],
  points: [
    "With $b = 10\\,000$ the sum falls below zero before distance 2000. The bounds that Men and others give are about 27 000 for 4096 tokens and 84 000 for 8192. The fast pairs make the sum jitter, so the first zero jumps as you move the base; on the whole it moves out.",
    "A bound is not a cliff. Llama 2 was trained on 4096 tokens with $b = 10\\,000$. But in the experiments of Men and others, models with a base below the bound kept a low perplexity and no longer found what stood far back.",
    "A larger base makes the slow pairs slower: Llama 3 uses 500 000, Qwen2.5 a million. How trained models are stretched, and why fast pairs should be left alone (high frequencies extrapolate, low ones are interpolated), is the subject of <a href='./long-context.html'>chapter 10</a>.",
  ],
  figure: {
    title: "Where the sum of cosines turns negative",
    shows:
      "A slider for the base, the first distance at which the sum of the cosines of all pairs is negative, and the mean of the cosines by distance on a logarithmic axis.",
    base: "Base b",
    first: "First negative at distance {first}",
    never: "Not negative up to distance {farthest}",
    chart: "Mean of the cosines of 64 pairs, by distance",
    distance: "distance",
    mean: "mean of cosines",
    read: "distance {distance}: {mean}",
    bound: "The first distance with a negative sum",
    reach: "first negative",
  },
};

export const shipped = {
  heading: "RoPE as it was shipped",
  paragraphs: [
    "<em>RoFormer</em> (2021) is the model of the paper, from Zhuiyi Technology: an encoder like BERT, trained on Chinese text. GPT-J and GPT-NeoX brought RoPE into English language models, Llama made it the rule.",
    "<em>ChatGLM-6B</em> turns by two positions: half of the pairs count the prompt and stop at its end, the other half count the answer.",
    "<em>Baichuan</em> took both roads: the 7B model of Baichuan 2 turns, the 13B model uses ALiBi. The report says that the choice made little difference to the results.",
    "<em>Qwen</em> began with a base of 10 000, and raised it for long inputs while running; Qwen2.5 trains with 1 000 000, and reaches 131 072 tokens with YaRN.",
    "<em>DeepSeek</em> V2 and V3 compress keys and values into one short vector per token, and restore them by a matrix (multi-head latent attention, MLA). That matrix can be multiplied into the query’s in advance, as long as no turn stands between the two. So position gets numbers of its own: of each head’s 192, 128 do not turn, and 64 do. The turned part of the key is shared by all heads. The report calls it <em>decoupled RoPE</em>.",
    "These and more, with their numbers, stand in <a href='./models.html'>chapter 12</a>.",
  ],
};
