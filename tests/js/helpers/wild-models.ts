// Graphs of tests/fixtures/onnx-wild and what their positions are, in every environment.
import expectedJson from "../../fixtures/onnx-wild/expected.json";
import { bytesOfUrl } from "./data-url";

/** Facts of a component: those of a PositionalComponent, and the kind of its spec. */
export type Facts = Readonly<Record<string, unknown>>;

export interface Expected {
  /** In words. */
  readonly true: string;
  /** Families that it has to have, with facts. */
  readonly must?: readonly (readonly [family: string, facts?: Facts])[];
  /** Families that it does not have. */
  readonly never?: readonly string[];
  /** So many of a family at most. */
  readonly most?: Readonly<Record<string, number>>;
  /** What it has cannot be changed, and is named all the same. */
  readonly named?: boolean;
}

export const expected = expectedJson as unknown as Readonly<Record<string, Expected>>;

const files = import.meta.glob<string>("../../fixtures/onnx-wild/*.gz", { query: "?url&inline", import: "default" });

export async function wildBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const load = files[`../../fixtures/onnx-wild/${name}.onnx.gz`];
  if (!load) throw new Error(`no file ${name}`);
  const packed = new Blob([bytesOfUrl(await load(), name)]);
  const unpacked = packed.stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}
