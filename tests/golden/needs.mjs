// What the library does not offer: a case that needs it is reported as unsupported, never as passed.

export class Unsupported extends Error {}

/** The kinds that this build of the library has. */
export const availableKinds = (pe) => new Set(pe.describe().map((description) => description.kind));

/** Ends the case as unsupported when the library has no such kind. */
export function needKind(pe, kind) {
  if (!availableKinds(pe).has(kind)) throw new Unsupported(`kind ${kind} is not available`);
}

/** The names of the fields of a kind, as the library itself tells them. */
export function fieldNames(pe, kind) {
  needKind(pe, kind);
  const description = pe.describe().find((candidate) => candidate.kind === kind);
  return new Set(description.fields.map((field) => field.name));
}

/** An entry of a mapping table for cases of a kind that nobody has mapped yet. */
export const unmapped = (kind, matches) => ({
  matches,
  run(pe) {
    needKind(pe, kind);
    throw new Unsupported(`kind ${kind} is available, but this runner has no mapping for it yet`);
  },
});

/** An entry for cases that need something other than a kind. */
export const missing = (reason, matches) => ({
  matches,
  run() {
    throw new Unsupported(reason);
  },
});
