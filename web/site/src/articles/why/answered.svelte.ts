// A guess that the sinusoidal model answers: it is loaded once the reader has guessed, and nothing is right or wrong before.
import { getGuess } from "../../lib/lesson.ts";
import type { Lab } from "./lab.svelte.ts";

/** While a figure is being set up. */
export function answeredByModel(labOf: () => Lab): void {
  const guess = getGuess();
  let asked = false;
  $effect(() => {
    if (guess.chosen === undefined || asked) return;
    asked = true;
    // What the question is about, whatever was set before.
    labOf().ask("sinusoidal");
  });
  $effect(() => {
    guess.awaited = !labOf().readingOf("sinusoidal");
  });
}
