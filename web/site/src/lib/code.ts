// Code samples are files that run; a page shows them with the reader's values.

/** Puts values into the constants of a program, `const length = 16;`, and leaves out what only its test reads. */
export function withValues(code: string, values: Record<string, string | number | boolean>): string {
  let result = code.replace(/\n?^ *\/\/> .*$/gm, "").trim();
  for (const [name, value] of Object.entries(values)) {
    const pattern = new RegExp(`^(const ${name} = )[^;]*;`, "m");
    if (!pattern.test(result)) throw new Error(`the sample has no constant ${name}`);
    result = result.replace(pattern, (_, start: string) => `${start}${JSON.stringify(value)};`);
  }
  return result;
}
