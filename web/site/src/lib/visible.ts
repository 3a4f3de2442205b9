// Characters that leave no mark on paper.

/** How a character is written where it stands alone. */
export const visible = (character: string | undefined): string =>
  character === " " ? "␣" : character === "\n" ? "⏎" : (character ?? "");
