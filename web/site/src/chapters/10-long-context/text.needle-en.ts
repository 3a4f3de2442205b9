// The needle in the chapter on long contexts: English.

export const needleEn = {
  heading: "Hide a password",
  paragraphs: [
    "How the needle of the arena was measured, for you to try. Sixteen letters are hidden in a passage; at its end their first four come once more. Does the model go on with the other twelve?",
  ],
  points: [
    "<em>Find the edge</em>: as trained, RoPE finds the password at 208 characters and has lost it at 320. With YaRN the edge moves out by the factor.",
    "<em>ALiBi</em> lets go slowly: nearly all letters at 512, a little over half at 1024, a tenth at 1536. <em>SelfExtend and ReRoPE</em> still find them at 3072, where the model never trained.",
  ],
  figure: {
    title: "The needle, live",
    shows:
      "A password of sixteen letters that is hidden in a text at a distance of your choice, what a language model says when the password begins again, and a line chart of the measured share of letters found by distance with your tries as points.",
    caption:
      "An English model of the arena reads a passage that it was not trained on; each of the twelve letters is asked for with all before it as they should be. The line: the mean over many passages and passwords; a point is one passage and one password, and scatters around it. Only small letters, as in the training of the models.",
    seeker: "Who looks for it",
    factor: "Factor of PI, NTK, YaRN",
    hidden: "Characters back",
    own: "A password of your own (16 letters a–z)",
    between: "… {count} characters of text …",
    seek: "Look for it ({megabytes} MB to load)",
    seekAgain: "Look for it",
    another: "Another password",
    seeking: "Reading …",
    nothing: "Nothing was looked for yet.",
    outcome: "{who}, {distance} characters back:",
    share: "{percent} % right.",
    chartTitle: "{who}: letters found by distance",
    chartLabel: "Share of letters found by distance: measured, and your tries",
    measured: "measured",
    yours: "your tries",
    distance: "characters back",
    found: "found",
    trained: "trained",
    here: "your password",
    read: "{distance} back: {percent} % measured",
    table: "Measured share of letters found",
    tries: "Your tries",
    key: "password",
    said: "said",
  },
};
