// The sinusoidal chapter: English. `$…$` is TeX, turned into MathML when the site is built.

export const en = {
  title: "Sinusoidal positional encoding",
  lead: "Self-attention sees a bag of words. The first Transformer gave each word a place by adding a vector made of <strong>waves</strong>: quick ones that tell neighbours apart, slow ones that tell the beginning from the end.",
  table: {
    heading: "A ruler made of waves",
    paragraphs: [
      "Position $m$ gets a vector of $d$ numbers. They come in pairs: pair $i$ holds the sine and the cosine of the same angle, and every pair turns more slowly than the one before it.",
      "$$\\begin{aligned} \\mathrm{PE}(m, 2i) &= \\sin\\!\\left(\\frac{m}{b^{\\,2i/d}}\\right) \\\\ \\mathrm{PE}(m, 2i+1) &= \\cos\\!\\left(\\frac{m}{b^{\\,2i/d}}\\right) \\end{aligned}$$",
      "Here is the whole table. Every row is the vector of one position, every column one dimension. $b$ is the <em>base</em>, 10 000 in the paper.",
    ],
    label: "Heat map of the encoding: positions down, dimensions across",
    read: "position {row}, dimension {column} ({wave}): {value}; this pair repeats every {wavelength} positions",
    help: "Hover, tap or use the arrow keys (with Shift: ten at a time). A click or Enter draws that column as a curve below.",
    length: "Length (positions)",
    dim: "Dimensions d",
    base: "Base b",
    points: [
      "<em>On the left</em> the stripes are narrow: these dimensions flip every few positions. <em>On the right</em> they hardly change from top to bottom.",
      "<em>Lower the base</em> and the stripes move in from the left: all waves become quick, and far positions begin to look like near ones.",
      "<em>Lengthen the table</em> and nothing that was there changes: the row of position 7 is the same in a short and in a long text.",
    ],
  },
  curves: {
    heading: "Column by column",
    paragraphs: [
      "A column of the table is a plain wave. The wavelengths grow geometrically, from $2\\pi \\approx 6.28$ positions in the first pair to nearly $2\\pi b$ in the last. It is like the digits of a counter: the last digit changes all the time, the first hardly ever, and together they name each number.",
    ],
    label: "Values of the chosen dimensions at each position",
    dimension: "dim {dimension}",
    wavelength: "wavelength {wavelength}",
    remove: "Remove dimension {dimension}",
    value: "value",
    empty: "Pick a column of the heat map above to see its curve.",
    read: "position {position}",
    spread: "Slow, middle and quick",
  },
  shift: {
    heading: "Why a sine and a cosine?",
    paragraphs: [
      "One sine alone cannot say whether it is rising or falling. Together with its cosine it is a point on a circle: the hand of a clock. Moving on by $k$ positions turns the hand of pair $i$ by the angle $k \\cdot b^{-2i/d}$, wherever it stood. All these turns together are one matrix $T_k$:",
      "$$\\mathrm{PE}(m+k) = T_k \\, \\mathrm{PE}(m)$$",
      "That is why a linear layer can learn to look “three words back”: it is the same rotation everywhere in the text. Move the start and see that the coloured turn stays the same.",
    ],
    label: "Four pairs of the encoding as clock hands, at position m and at position m + k",
    start: "Start m",
    step: "Step k",
    pair: "pair {pair}",
    note: "turns once in {wavelength}",
    caption:
      "Dashed: the hand at $m$. Solid: the hand at $m + k$. The hands are drawn from the table's own sines and cosines.",
  },
  distance: {
    heading: "Near is similar",
    paragraphs: [
      "Multiply the vectors of two positions and add up: the dot product. All sines and cosines of a pair combine into the cosine of a difference, so that only the <em>distance</em> is left:",
      "$$\\mathrm{PE}(m) \\cdot \\mathrm{PE}(n) = \\sum_{i} \\cos\\!\\left(\\frac{m-n}{b^{\\,2i/d}}\\right)$$",
    ],
    profileLabel: "Dot product of two encodings by distance",
    profileTitle: "Dot product by distance",
    matrixLabel: "Dot products of all pairs of positions",
    matrixTitle: "Dot products of all pairs",
    distance: "distance",
    product: "dot product",
    readProfile: "distance {distance}: dot product {value}",
    readMatrix: "positions {row} and {column}: {value}",
    points: [
      "The matrix has the <em>same value along each diagonal</em>: only the distance counts, not the place.",
      "It is <em>symmetric</em>. The dot product alone does not know which of two words comes first; the learned projections of query and key have to bring that in.",
      "With few dimensions the curve <em>ripples</em>; with a small base it <em>comes back up</em>, and distant words look near.",
      "The encoding is <em>added</em> to the word vector. In attention it therefore meets the words too, and the scores depend on more than distance. The next chapter shows what RoPE does about that.",
    ],
  },
};
