// A published model in the catalogue: its encoding, its training length, and the sources of both.
import type { Kind, Spec } from "../base/specs.gen.js";

/** The fields of a config.json about positions. */
export type Config = Readonly<Record<string, unknown>>;

/** A published model and its positional encoding. */
export interface Model {
  /** Key in `models`. */
  readonly id: string;
  /** Name that its makers use. */
  readonly name: string;
  /** The series of models that it belongs to. */
  readonly family: string;
  /** What its positions index: words, patches, both together, or sound. */
  readonly modality: "text" | "image" | "image-text" | "audio";
  /** Year of the source. */
  readonly year: number;
  /** arXiv id of the paper, or the repository. */
  readonly source: string;
  /**
   * Spec for `pe.create`. Learned tables and biases are initialized at random: `load` the weights of the checkpoint.
   */
  readonly spec: Spec;
  /** Fields of its config.json about positions, for `pe.fromConfig(config, { layerType })`. */
  readonly config?: Config;
  /** Kind of layer that `spec` describes, if layers or parts of the model differ. */
  readonly layerType?: string;
  /** Number of positions that the model was made for; null if nothing limits or documents it. */
  readonly contextLength: number | null;
  /**
   * Sources with which its values were compared. undefined: none of its values were compared.
   *
   * Public files as "owner/repository:path", and paths of reference vectors in posenc's own repository.
   */
  readonly checked?: readonly string[];
  /** Values that no source in `checked` contains; they are recalled from the published files. */
  readonly unchecked: readonly ("spec" | "contextLength")[];
  /** Facts about the model that the spec does not express. */
  readonly note?: string;
}

/** A model whose type includes the kind of its encoding, its config if it has one, and its contextLength. */
export type KnownModel<Facts extends readonly [Kind, Config | undefined, number | null]> = Model & {
  readonly spec: Extract<Spec, { kind: Facts[0] }>;
  readonly config?: Facts[1];
  readonly contextLength: Facts[2];
} & (Facts[1] extends Config ? { readonly config: Config } : unknown);

/** A model in the data files: a spec, or a config from which the spec is read. The default modality is text. */
export type Entry = Omit<Model, "id" | "spec" | "config" | "modality"> & { readonly modality?: Model["modality"] } & (
    { readonly spec: Spec } | { readonly config: Config }
  );

/** Models by id. */
export const named = (entries: Readonly<Record<string, Entry>>) => entries;
