// Code samples are files that run; a page shows them with the reader's values.

export type Value = string | number | boolean;

/** A constant of a program, as its file has it; `kind` is what it is to the highlighter: a number, a string, a literal. */
export interface Constant {
  name: string;
  kind: string;
  text: string;
}

/** A program as it is shown: `pieces` are its text once more, as HTML with classes, and the constants between. */
export interface Sample {
  /** Its path in examples/. */
  file: string;
  code: string;
  pieces: (string | Constant)[];
}

/** Puts values into the constants of a program, `const length = 16;`, and leaves out what only its test reads. */
export function withValues(code: string, values: Record<string, Value>): string {
  let result = code.replace(/\n?^ *\/\/> .*$/gm, "").trim();
  for (const [name, value] of Object.entries(values)) {
    const pattern = new RegExp(`^(const ${name} = )[^;]*;`, "m");
    if (!pattern.test(result)) throw new Error(`the sample has no constant ${name}`);
    result = result.replace(pattern, (_, start: string) => `${start}${JSON.stringify(value)};`);
  }
  return result;
}
