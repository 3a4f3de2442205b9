// Code samples are files that run; a page shows them with the reader's values.

export type Value = string | number | boolean;

export type CodeLanguage = "javascript" | "python";

/** A constant of a program, as its file has it; `kind` is what it is to the highlighter: a number, a string, a literal. */
export interface Constant {
  /** As the reader's values call it, also in Python. */
  name: string;
  kind: string;
  text: string;
}

/** A program as it is shown: `pieces` are its text once more, as HTML with classes, and the constants between. */
export interface Sample {
  /** Its path in examples/. */
  file: string;
  language: CodeLanguage;
  code: string;
  pieces: (string | Constant)[];
  /** The same in PyTorch, where there is such a program. */
  python?: Sample;
  /** The Chinese of its comments. */
  comments: Record<string, string>;
}

/** How a language writes a value. */
export const printValue: Record<CodeLanguage, (value: Value) => string> = {
  javascript: JSON.stringify,
  python: (value) => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value)),
};

/** `originalLength` of JavaScript and `original_length` of Python are the same constant. */
const pythonName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const valueName = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A program without the lines that only its test reads: what it prints. */
export const withoutPromises = (code: string, language: CodeLanguage): string =>
  code.replace(language === "python" ? /\n?^ *#> .*$/gm : /\n?^ *\/\/> .*$/gm, "").trim();

/** Puts values into the constants of a program, `const length = 16;`, and leaves out what only its test reads. */
export function withValues(code: string, values: Record<string, Value>, language: CodeLanguage = "javascript"): string {
  let result = withoutPromises(code, language);
  for (const [name, value] of Object.entries(values)) {
    const isPython = language === "python";
    const pattern = isPython
      ? new RegExp(`^(${pythonName(name)} = ).*$()`, "m")
      : new RegExp(`^(const ${name} = )[^;]*(;)`, "m");
    // A program in Python need not have all of them.
    if (!isPython && !pattern.test(result)) throw new Error(`the sample has no constant ${name}`);
    const text = printValue[language](value);
    result = result.replace(pattern, (_, start: string, end: string) => `${start}${text}${end}`);
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
