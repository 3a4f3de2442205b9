// Small GGUF files, byte by byte: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
type Bytes = number[];

const little = (value: bigint, bytes: number): Bytes =>
  Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
const float = (make: typeof Float32Array | typeof Float64Array, value: number): Bytes => [
  ...new Uint8Array(make.of(value).buffer),
];
export const u32 = (value: number): Bytes => little(BigInt(value), 4);
export const u64 = (value: number | bigint): Bytes => little(BigInt(value), 8);
export const text = (value: string): Bytes => {
  const bytes = [...new TextEncoder().encode(value)];
  return [...u64(bytes.length), ...bytes];
};

/** A value behind its type. */
export const typed = {
  uint8: (value: number): Bytes => [...u32(0), value],
  int8: (value: number): Bytes => [...u32(1), value & 255],
  uint16: (value: number): Bytes => [...u32(2), ...little(BigInt(value), 2)],
  int16: (value: number): Bytes => [...u32(3), ...little(BigInt.asUintN(16, BigInt(value)), 2)],
  uint32: (value: number): Bytes => [...u32(4), ...u32(value)],
  int32: (value: number): Bytes => [...u32(5), ...little(BigInt.asUintN(32, BigInt(value)), 4)],
  float32: (value: number): Bytes => [...u32(6), ...float(Float32Array, value)],
  bool: (value: boolean): Bytes => [...u32(7), Number(value)],
  string: (value: string): Bytes => [...u32(8), ...text(value)],
  uint64: (value: bigint): Bytes => [...u32(10), ...u64(value)],
  int64: (value: bigint): Bytes => [...u32(11), ...u64(BigInt.asUintN(64, value))],
  float64: (value: number): Bytes => [...u32(12), ...float(Float64Array, value)],
  /** Items are values without their types. */
  array: (type: number, items: readonly Bytes[]): Bytes => [
    ...u32(9),
    ...u32(type),
    ...u64(items.length),
    ...items.flat(),
  ],
};

export interface GgufTensor {
  name: string;
  dims: number[];
  type: number;
  bytes: Uint8Array;
}

/** A file of these keys and tensors, aligned to 32 bytes unless the metadata say otherwise. */
export function ggufOf(entries: Record<string, Bytes>, tensors: readonly GgufTensor[] = [], version = 3): Uint8Array {
  const alignment = 32;
  const aligned = (length: number) => Math.ceil(length / alignment) * alignment;
  const keys = Object.entries(entries).flatMap(([key, value]) => [...text(key), ...value]);
  let offset = 0;
  const infos = tensors.flatMap(({ name, dims, type, bytes }) => {
    const info = [...text(name), ...u32(dims.length), ...dims.flatMap(u64), ...u32(type), ...u64(offset)];
    offset = aligned(offset + bytes.length);
    return info;
  });
  const counts = [...u64(tensors.length), ...u64(Object.keys(entries).length)];
  const head = [...new TextEncoder().encode("GGUF"), ...u32(version), ...counts, ...keys, ...infos];
  const file = new Uint8Array(aligned(head.length) + offset);
  file.set(head);
  let at = aligned(head.length);
  for (const { bytes } of tensors) {
    file.set(bytes, at);
    at = aligned(at + bytes.length);
  }
  return file;
}

/** Llama 3.1's header, with fewer words. */
export const llamaGguf = (): Uint8Array =>
  ggufOf(
    {
      "general.architecture": typed.string("llama"),
      "llama.context_length": typed.uint32(131072),
      "llama.embedding_length": typed.uint32(64),
      "llama.attention.head_count": typed.uint32(4),
      "llama.rope.dimension_count": typed.uint32(16),
      "llama.rope.freq_base": typed.float32(500000),
      "tokenizer.ggml.tokens": typed.array(
        8,
        Array.from({ length: 5000 }, (_, i) => text(`word ${i}`)),
      ),
      "tokenizer.ggml.scores": typed.array(
        6,
        Array.from({ length: 5000 }, () => u32(0)),
      ),
    },
    [
      { name: "token_embd.weight", dims: [64, 2], type: 0, bytes: new Uint8Array(512) },
      {
        name: "rope_freqs.weight",
        dims: [8],
        type: 0,
        bytes: new Uint8Array(Float32Array.of(1, 1, 1, 2, 4, 8, 8, 8).buffer),
      },
    ],
  );
