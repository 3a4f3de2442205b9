// The encoding of a cache: no call forgets it, or takes another one, without saying so.
import { PosencError, invalid } from "../base/errors.js";
import { Encoding } from "../encodings/encoding.js";
import { encodingHandle } from "../encodings/scores.js";
import type { Core } from "../wasm/core.js";

/** null: none. */
type Chosen = Encoding | null;
/** What a snapshot keeps of an encoding: its spec. */
type Known = Chosen | { readonly kind: string };

const isNone = (one: Known): boolean => one === null || ("kind" in one && one.kind === "none");
const nameOf = (one: Known): string => (isNone(one!) ? "none" : one!.kind);
const specOf = (one: Known): string => JSON.stringify(one instanceof Encoding ? one.spec : one);

/** Are they one, or of one spec? Two that learn never have the same values for sure. */
function isSame(a: Known, b: Known): boolean {
  if (a === b || isNone(a) || isNone(b)) return a === b || (isNone(a) && isNone(b));
  const learns = a instanceof Encoding && b instanceof Encoding && Object.keys(a.parameters).length > 0;
  return !learns && specOf(a) === specOf(b);
}

function unlike(mine: Known, given: Known): string {
  const [name, other] = [nameOf(mine), nameOf(given)];
  return `(${name}), got ${name === other ? "another one of this kind" : other}; assign cache.encoding to change it`;
}

export class CacheEncoding {
  /** What calls take by themselves; undefined: they must be told. */
  chosen: Chosen | undefined;
  /** What attend was last told. */
  private used: Known | undefined;

  /** Takes what calls use from now on. */
  choose(core: Core, encoding: unknown): void {
    if (encoding !== undefined && encoding !== null) encodingHandle(core, encoding as object);
    this.chosen = encoding as Chosen | undefined;
    this.used = this.chosen;
  }

  /** What a call uses that was given this; undefined: none. */
  resolve(given: Chosen | undefined): Encoding | undefined {
    if (given === null) return undefined;
    const { chosen } = this;
    if (given === undefined) return chosen ?? undefined;
    if (chosen !== undefined && !isSame(chosen, given))
      throw invalid("encoding", `must be null for none, or the cache's ${unlike(chosen, given)}`);
    return given;
  }

  /** The same for attention, which stays with what it was first told. */
  resolveUsed(given: Chosen | undefined): Encoding | undefined {
    const { used, chosen } = this;
    const encoding = this.resolve(given);
    if (given === null || chosen !== undefined || used === undefined || isSame(used, encoding ?? null)) return encoding;
    if (given === undefined)
      throw new PosencError(
        "invalid-argument",
        `encoding: required, as attend() used ${nameOf(used)} before; pass it, null for none, or create the cache with { encoding }`,
        "encoding",
      );
    throw invalid("encoding", `must be the one that attend() used before ${unlike(used, given)}`);
  }

  /** A call has succeeded. */
  remember(given: Chosen | undefined): void {
    if (given !== null) this.used = given ?? this.chosen ?? null;
  }

  /** For a snapshot: the spec of what attend used last. */
  get spec(): object | null | undefined {
    const { used } = this;
    return used instanceof Encoding ? used.spec : used;
  }

  /** Throws for a snapshot of a cache with another one. */
  check(spec: unknown): void {
    if (spec === undefined || spec === null) return;
    const known = spec as { kind: string };
    if (typeof known.kind !== "string") throw invalid("snapshot", "must be what snapshot() gave");
    if (this.chosen === undefined || isSame(this.chosen, known)) return;
    throw invalid("snapshot", `must be of a cache with the same encoding ${unlike(this.chosen, known)}`);
  }

  /** The cache becomes that of a snapshot; undefined: attend used none yet. */
  restore(spec: unknown): void {
    if (this.chosen === undefined) this.used = spec as Known | undefined;
  }
}
