// Formats sizes, tables and text.

/** Formats a size: "453 KB". */
export function sizeInWords(bytes: number): string {
  let size = bytes;
  for (const unit of ["B", "KB", "MB"]) {
    if (size < 1000) return `${Number(size.toPrecision(3))} ${unit}`;
    size /= 1024;
  }
  return `${Number(size.toPrecision(3))} GB`;
}

/** Returns the message of the library about a file, for a program that opens all files itself. */
export const readingError = (message: string): string =>
  message
    .replace(/^(source|externalData): /, "")
    .replace(/; pass \{ .* \}$/, "; put that file into the folder of the model");

/** Wraps text at spaces to lines of at most `width` columns; a longer word gets its own line. */
export function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Aligns the columns of a table. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}

/** Quotes a word for a shell. */
export const quoted = (word: string): string =>
  /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Control and format characters (escape sequences, text direction, line breaks), and lone surrogates. */
const notText = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes characters that a terminal would interpret, as in JSON. */
export const printable = (line: string): string =>
  line.replace(notText, (character) =>
    Array.from({ length: character.length }, (_, i) => {
      const code = character.charCodeAt(i).toString(16);
      return `\\u${code.padStart(4, "0")}`;
    }).join(""),
  );
