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
  /** The Chinese of its comments. */
  comments: Record<string, string>;
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

const entities: Record<string, string> = { "&quot;": '"', "&#x27;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const plain = (html: string) => html.replace(/&[^;]+;/g, (entity) => entities[entity] ?? entity);

/** The program with Chinese comments, where it is shown and where it is copied. */
export function withChineseComments(sample: Sample): Sample {
  const inChinese = (english: string) => sample.comments[english] ?? english;
  const code = sample.code.replace(/((?:\/\/|#) )(.+)$/gm, (_, mark: string, text: string) => mark + inChinese(text));
  const pieces = sample.pieces.map((piece) =>
    typeof piece === "string"
      ? piece.replace(/(<span class="hljs-comment">(?:\/\/|#) )([^<]*)/g, (whole, head: string, text: string) =>
          plain(text) in sample.comments ? head + inChinese(plain(text)) : whole,
        )
      : piece,
  );
  return { ...sample, code, pieces };
}
