// The encoding of a cache, which a call cannot omit or replace by mistake.
import { PosencError, invalid } from "../base/errors.js";
import { Encoding } from "../encodings/encoding.js";
import { encodingHandle } from "../encodings/scores.js";
import type { Core } from "../wasm/core.js";

/** An encoding; null: no encoding. */
type Chosen = Encoding | null;
/** The encoding, or its spec from a snapshot. */
type Known = Chosen | { readonly kind: string };

const isNone = (one: Known): boolean => one === null || ("kind" in one && one.kind === "none");
const nameOf = (one: Known): string => (isNone(one!) ? "none" : one!.kind);
const specOf = (one: Known): string => JSON.stringify(one instanceof Encoding ? one.spec : one);

/**
 * Whether both are the same encoding or have equal specs. Two encodings with learned parameters may have different
 * values.
 */
function isSame(a: Known, b: Known): boolean {
  if (a === b || isNone(a) || isNone(b)) return a === b || (isNone(a) && isNone(b));
  const learns = a instanceof Encoding && b instanceof Encoding && Object.keys(a.parameters).length > 0;
  return !learns && specOf(a) === specOf(b);
}

function unlike(mine: Known, given: Known): string {
  const [name, other] = [nameOf(mine), nameOf(given)];
  return `(${name}), got ${name === other ? "another one of this kind" : other}; set cache.encoding to change it`;
}

export class CacheEncoding {
  /** Encoding that calls use by default; undefined: calls must pass one. */
  chosen: Chosen | undefined;
  /** Encoding of the last `attend`. */
  private used: Known | undefined;

  /** Sets the encoding that calls use by default. */
  choose(core: Core, encoding: unknown): void {
    if (encoding !== undefined && encoding !== null) encodingHandle(core, encoding as object);
    this.chosen = encoding as Chosen | undefined;
    this.used = this.chosen;
  }

  /** Returns the encoding of a call with this option; undefined: no encoding. */
  resolve(given: Chosen | undefined): Encoding | undefined {
    if (given === null) return undefined;
    const { chosen } = this;
    if (given === undefined) return chosen ?? undefined;
    if (chosen !== undefined && !isSame(chosen, given))
      throw invalid("encoding", `must be null for none, or the cache's ${unlike(chosen, given)}`);
    return given;
  }

  /** Returns the encoding of `attend`, which must stay the one of its first call. */
  resolveUsed(given: Chosen | undefined): Encoding | undefined {
    const { used, chosen } = this;
    const encoding = this.resolve(given);
    if (given === null || chosen !== undefined || used === undefined || isSame(used, encoding ?? null)) return encoding;
    if (given === undefined)
      throw new PosencError(
        "invalid-argument",
        `encoding: required, as attend() used ${nameOf(used)} before; pass the same or null, or create the cache with { encoding }`,
        "encoding",
      );
    throw invalid("encoding", `must be the one of earlier attend() calls ${unlike(used, given)}`);
  }

  /** Returns the core's handle of the encoding that the next `attend` will probably use; 0: none, or unknown. */
  handleIn(core: Core): number {
    const { used } = this;
    return used instanceof Encoding && !used.isDisposed ? used.handleIn(core) : 0;
  }

  /** Stores the option after a successful call. */
  remember(given: Chosen | undefined): void {
    if (given !== null) this.used = given ?? this.chosen ?? null;
  }

  /** Spec of the encoding that `attend` last used, for a snapshot. */
  get spec(): object | null | undefined {
    const { used } = this;
    return used instanceof Encoding ? used.spec : used;
  }

  /** Throws for a snapshot of a cache with another encoding. */
  check(spec: unknown): void {
    if (spec === undefined || spec === null) return;
    const known = spec as { kind: string };
    if (typeof known.kind !== "string") throw invalid("snapshot", "must come from snapshot()");
    if (this.chosen === undefined || isSame(this.chosen, known)) return;
    throw invalid("snapshot", `must be of a cache with the same encoding ${unlike(this.chosen, known)}`);
  }

  /** Sets the encoding of a snapshot; undefined: `attend` was not called. */
  restore(spec: unknown): void {
    if (this.chosen === undefined) this.used = spec as Known | undefined;
  }
}
