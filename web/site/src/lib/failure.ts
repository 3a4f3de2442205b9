// What went wrong: the message, which is English, and what words of the page's language can be found by.

export interface Failure {
  message: string;
  /** A code of the library's errors, or "syntax" for text that is no JSON. */
  code?: string;
  /** The field or argument at fault. */
  field?: string;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, field } = error as { code?: string; field?: string };
  return { message: error.message, code: error instanceof SyntaxError ? "syntax" : code, field };
}
