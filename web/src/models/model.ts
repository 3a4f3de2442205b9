// What a published model is here: which encoding it uses, how far it was trained, where that is written.
import type { Kind, Spec } from "../base/specs.gen.js";

/** What a config.json says about positions. */
export type Config = Readonly<Record<string, unknown>>;

/** A published model and its positional encoding. */
export interface Model {
  /** The key in `models`. */
  readonly id: string;
  /** As its makers call it. */
  readonly name: string;
  /** What it is a version of. */
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
  readonly config?: Config;
  /** The kind of layer that `spec` is about, where a model's layers or parts differ. */
  readonly layerType?: string;
  /** Positions that the model was made for; null where nothing limits or says it. */
  readonly contextLength: number | null;
  /**
   * What its numbers were compared with: public files, as "owner/repository:path", and paths in posenc's own repository
   * for reference vectors. Left out where nothing of the model was compared.
   */
  readonly checked?: readonly string[];
  /** What stands on memory of the published files, as none of `checked` says it. */
  readonly unchecked: readonly ("spec" | "contextLength")[];
  /** What one has to know beside the spec. */
  readonly note?: string;
}

/** A model of which the types know the kind of its encoding, whether it has a config, and a contextLength. */
export type KnownModel<Facts extends readonly [Kind, Config | undefined, number | null]> = Model & {
  readonly spec: Extract<Spec, { kind: Facts[0] }>;
  readonly config?: Facts[1];
  readonly contextLength: Facts[2];
} & (Facts[1] extends Config ? { readonly config: Config } : unknown);

/** A model as the data files write it: a spec, or a config that the spec is read from; text unless it says otherwise. */
export type Entry = Omit<Model, "id" | "spec" | "config" | "modality"> & { readonly modality?: Model["modality"] } & (
    { readonly spec: Spec } | { readonly config: Config }
  );

/** Models by id. */
export const named = (entries: Readonly<Record<string, Entry>>) => entries;
