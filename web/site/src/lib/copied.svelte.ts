// A text for the clipboard: its button says for two seconds that it is there.

export class Copied {
  /** Whether it was copied just now. */
  now = $state(false);

  async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.now = true;
      setTimeout(() => (this.now = false), 2000);
    } catch {
      // Without permission the reader can still select the text.
    }
  }
}
