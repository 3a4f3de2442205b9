// Parses the arguments of `posenc` and reports invalid ones.
import { parseArgs } from "node:util";
import { unknownName } from "../base/names.js";

/** The call is invalid: exit code 2. */
export class UsageError extends Error {}

/** "value": the option takes a value; "flag": it takes none. */
export type OptionKinds = Readonly<Record<string, "value" | "flag">>;

/** Short names of options. */
const letters: Readonly<Record<string, string>> = { h: "help", o: "out", v: "version" };

/** The paths and options of a call. Each option is given at most once. */
export class Given {
  readonly paths: string[] = [];
  private readonly values = new Map<string, string | true>();

  constructor(words: readonly string[], kinds: OptionKinds) {
    const options = Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, { type: kind === "flag" ? "boolean" : "string" } as const]),
    );
    for (const [letter, name] of Object.entries(letters))
      if (options[name]) Object.assign(options[name], { short: letter });
    const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true });
    for (const token of tokens) {
      if (token.kind === "positional") this.paths.push(token.value);
      else if (token.kind === "option") this.take(token.name, token.rawName, token.value, kinds);
    }
  }

  private take(name: string, written: string, value: string | undefined, kinds: OptionKinds): void {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (!kind) {
      const known = Object.keys(kinds).map((one) => `--${one}`);
      throw new UsageError(`${written}: ${unknownName("option", `--${name}`, known)}`);
    }
    // The next option is not a value.
    if (kind === "value" && (value === undefined || value === "" || /^--?[a-z]/i.test(value)))
      throw new UsageError(`${written} needs a value`);
    if (kind === "flag" && value !== undefined) throw new UsageError(`${written} takes no value, got "${value}"`);
    if (this.values.has(name)) throw new UsageError(`--${name} is given twice`);
    this.values.set(name, kind === "flag" ? true : value!);
  }

  has(name: string): boolean {
    return this.values.has(name);
  }
  text(name: string): string | undefined {
    return this.values.get(name) as string | undefined;
  }
  /** Returns a number above zero. */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = Number(text);
    if (!(number > 0) || number === Infinity)
      throw new UsageError(`--${name}: must be a number above 0, got "${text}"`);
    return number;
  }
  /** Returns a whole number, at least 1. */
  count(name: string): number | undefined {
    const number = this.number(name);
    if (number !== undefined && !Number.isSafeInteger(number))
      throw new UsageError(`--${name}: must be a whole number, got "${this.text(name)}"`);
    return number;
  }
  oneOf<T extends string>(name: string, known: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined || known.includes(text as T)) return text as T | undefined;
    throw new UsageError(`--${name}: must be one of ${known.join(", ")}, got "${text}"`);
  }
  /** Returns a JSON object. */
  json(name: string): Record<string, unknown> | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : objectOf(text, `--${name}`, `'{"kind":"rope-yarn","factor":4}'`);
  }
}

/** Parses a JSON object. Throws UsageError for anything else. */
export function objectOf(text: string, name: string, example: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name}: is not valid JSON (${(error as Error).message}); give ${example}`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new UsageError(`${name}: must be a JSON object, such as ${example}`);
  return value as Record<string, unknown>;
}
