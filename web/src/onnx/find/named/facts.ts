// Types: facts about components that cannot be changed, and the inputs of their finders.
import type { Spec } from "../../../base/specs.gen.js";
import type { Constant, Flow, Step } from "../../read/flow.js";
import type { Sources } from "./sources.js";
import type { Sites } from "../sites.js";
import type { DataType, Files } from "../../read/values.js";

/** A component as it was found. */
export interface FoundNamed {
  readonly family: "bias" | "relative" | "rotary" | "table";
  readonly form:
    | "shaw"
    | "transformer-xl"
    | "decomposed"
    | "offsets"
    | "network"
    | "computed-from-mask"
    | "convolution"
    | "inputs"
    | "remapped";
  readonly layers: readonly number[];
  readonly heads?: number;
  readonly dim?: number;
  readonly rows?: number;
  readonly type: DataType;
  readonly spec?: Spec;
  readonly constants: readonly Constant[];
  readonly steps: readonly Step[];
  /** Its name in words, for an audit. */
  readonly note: string;
}
/** A component without its name in words. */
export type Facts = Omit<FoundNamed, "note">;

/** The inputs of the finders. */
export interface Named {
  readonly flow: Flow;
  readonly files: Files;
  readonly sites: Sites;
  readonly sources: Sources;
}

/** Constants and steps of components that are already known. */
export interface Known {
  readonly constants: ReadonlySet<Constant>;
  readonly steps: ReadonlySet<Step>;
}
