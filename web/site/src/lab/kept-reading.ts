// A model that keeps what it has read: keys and values of a text become a file, and files are put back in any order.
import type { KeyValueCache } from "posenc";
import {
  appendCache,
  fingerprint,
  openCache,
  saveCache,
  type CacheFileType,
  type LayerEncodings,
  type ModelNames,
} from "posenc/cache-file";
import type { Posenc } from "../lib/engine.svelte.ts";
import { download } from "./download.ts";
import { heads, LanguageModel, layers } from "./language-model.ts";
import { headDim, place, type Placement } from "./positions.ts";
import type { Reader } from "./read-along.ts";

/** As many characters are read at once: progress is reported between. */
const step = 32;

/** A model and its name, which its files are compared with. */
export interface NamedModel {
  reader: Reader;
  model: LanguageModel;
  names: ModelNames;
}

/** @param progress is told which part of the weights has come */
export async function openModel(reader: Reader, progress: (fraction: number) => void): Promise<NamedModel> {
  const file = await download(reader.address, (bytes) => progress(Math.min(1, bytes / reader.bytes)));
  const names = { id: reader.name, weights: await fingerprint(file) };
  return { reader, model: new LanguageModel(file), names };
}

/** Reads something and forgets it: the engine compiles what runs for the first time, which no reading is to be charged with. */
export function warmUp(pe: Posenc, named: NamedModel, ids: Int32Array): void {
  const reading = new Reading(pe, named, ids.length);
  try {
    reading.read(ids);
  } finally {
    reading.dispose();
  }
}

/** What a model has read so far. */
export class Reading {
  private readonly placement: Placement;
  private readonly caches: KeyValueCache[];

  /** @param capacity how many characters it can read at most */
  constructor(
    private readonly pe: Posenc,
    private readonly named: NamedModel,
    capacity: number,
  ) {
    const { reader, model } = named;
    this.placement = place(pe, reader.trained, reader.rule, (name) => model.weight(name), capacity);
    const { encoding } = this.placement.attention;
    this.caches = Array.from({ length: layers }, () =>
      pe.cache({ heads, dim: headDim, capacity, layout: "bthd", encoding }),
    );
  }

  /** How many characters it has read. */
  get length(): number {
    return this.caches[0].length;
  }

  /** Reads more characters. Returns their hidden states. */
  read(ids: Int32Array, progress?: (fraction: number) => void): Float32Array {
    const hidden: Float32Array[] = [];
    for (let start = 0; start < ids.length; start += step) {
      const some = ids.subarray(start, start + step);
      hidden.push(this.named.model.hiddenAfter(this.caches, some, this.placement));
      progress?.(Math.min(1, (start + step) / ids.length));
    }
    return joined(hidden);
  }

  /** Puts a text that was read before after what is here. Its first `from` characters are left out. */
  async put(file: Blob, ids: Int32Array, from = 0): Promise<void> {
    const { encoding } = this.placement.attention;
    const part = { file: await openCache(file), from };
    await appendCache(this.pe, this.caches, part, {
      encoding: encoding as LayerEncodings,
      at: this.length,
      model: this.named.names,
      tokens: ids.subarray(from),
    });
  }

  /** Returns all that was read as a file. */
  save(ids: Int32Array, type: CacheFileType): Promise<Blob> {
    return saveCache(this.pe, this.caches, { tokens: ids, type, model: this.named.names });
  }

  dispose(): void {
    for (const cache of this.caches) cache.dispose();
    this.placement.dispose();
  }
}

function joined(parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
