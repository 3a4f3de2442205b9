// Positions as digits in the chapter on long contexts: English.

export const digitsEn = {
  heading: "Positions as digits",
  paragraphs: [
    "A view of RoPE by its author Su Jianlin. In a decimal number the last digit changes at every step, the one before it every ten steps, the next every hundred. RoPE’s clocks do the same: each is slower than the one before by the factor",
    "$$\\beta = b^{2/d}$$",
    "so its angles are the digits of the position, written in base $\\beta$. These four clocks are set to count by tens. Training had positions of three digits, up to 999; now the text is eight times as long.",
  ],
  points: [
    "<em>No rule</em> is extrapolation: the thousands showed nothing but 0 in training, and now they show digits that no weight has met.",
    "<em>PI</em> divides the number by 8. Position 7352 is written as 919: three digits as before, but from one position to the next the last digit moves by an eighth only. All digits are squeezed.",
    "<em>NTK</em> changes the base: each clock is now twenty times as slow as the one before, where it was ten ($8^{1/3} = 2$ times more). The last digit still moves by one, and the first is back among the digits that it knows.",
    "<em>YaRN</em> mixes: each digit has a factor of its own, none for the last and 8 for the first two. (Su describes a mixed base, too, with another formula.)",
  ],
  figure: {
    title: "Four digits, four clocks",
    shows:
      "Four dials that show the thousands, hundreds, tens and ones of a position, with the sector of angles known from training, and what three rules make of them.",
    caption:
      "The library’s RoPE with d = 8 and b = 10 000, so β = 10. Digits run from 0 at the right against the clock; shaded is what occurred in training.",
    rule: "Rule, for texts 8 times as long",
    rules: { rope: "none", "rope-linear": "PI", "rope-ntk": "NTK", "rope-yarn": "YaRN" },
    position: "Position",
    clocks: ["ones", "tens", "hundreds", "thousands"],
    clock: "{name}: {digit}",
    turn: "one turn in {count}",
    known: "known",
    unknown: "new",
    step: "From one position to the next the ones move by {step} of a digit.",
    table: "Digits of position {position}, rule: {rule}",
    columns: { clock: "clock", digit: "digit", angle: "angle, radians", turn: "positions per turn", state: "known?" },
  },
};
