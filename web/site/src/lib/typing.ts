// What a reader types, without what is only on its way: letters of pinyin, before they become characters.

interface Handlers<E extends HTMLElement> {
  oninput(event: Event & { currentTarget: E }): void;
  oncompositionend(event: Event & { currentTarget: E }): void;
}

/** Attributes of a field: `take` gets its value, but not in the middle of a composition. */
export function typing<E extends HTMLInputElement | HTMLTextAreaElement>(take: (value: string) => void): Handlers<E> {
  return {
    oninput(event) {
      if (!(event instanceof InputEvent && event.isComposing)) take(event.currentTarget.value);
    },
    // Browsers differ in whether an event `input` follows, and in what it says of the composition.
    oncompositionend: (event) => take(event.currentTarget.value),
  };
}
