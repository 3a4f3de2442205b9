// What a published model is here: which encoding it uses, how far it was trained, where that is written.
import type { Spec } from "../base/specs.gen.js";

/** A published model and its positional encoding. */
export interface Model {
  /** The key in `models`. */
  readonly id: string;
  readonly name: string;
  readonly family: string;
  /** What its positions are: of words, of patches, of both together, of sound. */
  readonly modality: "text" | "image" | "image-text" | "audio";
  /** Of the source. */
  readonly year: number;
  /** The paper's arXiv id, or the repository. */
  readonly source: string;
  /** For `pe.create`. Learned tables and biases come with random numbers: `load` the weights of the checkpoint. */
  readonly spec: Spec;
  /** What its config.json says about positions, for `pe.fromConfig(config, { layerType })`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The kind of layer that `spec` is about, where a model's layers or parts differ. */
  readonly layerType?: string;
  /** Positions that the model was made for; null where nothing limits or says it. */
  readonly contextLength: number | null;
  /** What stands on memory of the published files, not on a reference vector or document at hand. */
  readonly unchecked: readonly ("spec" | "contextLength")[];
  /** What one has to know beside the spec. */
  readonly note?: string;
}

/** A model as the data files write it: a spec, or a config that the spec is read from; text unless it says otherwise. */
export type Entry = Omit<Model, "id" | "spec" | "config" | "modality"> & { readonly modality?: Model["modality"] } & (
    { readonly spec: Spec } | { readonly config: Readonly<Record<string, unknown>> }
  );

/** Models by id, which the types know from then on. */
export const named = <Id extends string>(entries: Readonly<Record<Id, Entry>>) => entries;
