// What the library does not offer: a case that needs it is reported as unsupported, never as passed.

export class Unsupported extends Error {}

/** Ends the case as unsupported when the library has no such kind. */
export function needKind(pe, kind) {
  if (!pe.describe().some((description) => description.kind === kind))
    throw new Unsupported(`kind ${kind} is not available`);
}

/** The names of the fields of a kind, as the library itself tells them. */
export function fieldNames(pe, kind) {
  needKind(pe, kind);
  const description = pe.describe().find((candidate) => candidate.kind === kind);
  return new Set(description.fields.map((field) => field.name));
}

/** An entry for cases that need something other than a kind. */
export const missing = (reason, matches) => ({
  matches,
  run() {
    throw new Unsupported(reason);
  },
});
