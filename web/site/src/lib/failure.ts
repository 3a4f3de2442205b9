// What went wrong: the message, which is English and names the field at fault, and the code that words of the page's language go by.

export interface Failure {
  message: string;
  /** A code of the library's errors, or "syntax" for text that is no JSON. */
  code?: string;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = error instanceof SyntaxError ? "syntax" : (error as { code?: string }).code;
  return { message: error.message, code };
}
