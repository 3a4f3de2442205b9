// Arguments as they are sent to the worker.
import { arrayType, kindOf } from "../base/arrays.js";
import { invalid, show } from "../base/errors.js";
import { checkWork, type WorkOptions } from "../base/work.js";
import { Copies } from "./copies.js";
import { isPlain, marks, withParts } from "./messages.js";
import { Remote } from "./remote.js";

/** Options of every call in a worker. They are given with the call's own options, or as its last argument. */
export interface CallOptions extends WorkOptions {
  /**
   * true: moves the memory of the arguments' arrays to the worker, which takes no time. These arrays are empty afterwards.
   * Arrays that are only a part of their buffer are copied. Default false: all arrays are copied.
   */
  transfer?: boolean;
}

const names = ["signal", "onProgress", "transfer"] as const;

/** Takes the options of a call in a worker out of its arguments. */
export function takeOptions(args: readonly unknown[]): { args: readonly unknown[]; options: CallOptions } {
  const last = args.at(-1);
  if (!isPlain(last) || !names.some((name) => Object.hasOwn(last, name))) return { args, options: {} };
  const { signal, onProgress, transfer, ...rest } = last as CallOptions & Record<string, unknown>;
  const options = { signal, onProgress, transfer } as CallOptions;
  checkWork(options);
  if (transfer !== undefined && typeof transfer !== "boolean")
    throw invalid("transfer", `must be true or false, got ${show(transfer)}`);
  const others = args.slice(0, -1);
  return { args: Object.keys(rest).length > 0 ? [...others, rest] : others, options };
}

const isTensor = (value: object): value is { dims: unknown } =>
  "dims" in value && !isRemote(value) && ("data" in value || "type" in value);

const isRemote = (value: unknown): value is Remote => value instanceof Remote;

export class Sent {
  /** The tensors of the arguments: results may be written into them. */
  readonly tensors: object[] = [];
  readonly copies = new Copies();
  readonly transfer = new Set<ArrayBuffer>();

  constructor(
    private readonly numberOf: (remote: Remote, field: string) => number,
    private readonly moves: boolean,
  ) {}

  /** Returns a value as it is sent. Throws `invalid-argument` if that is not possible. */
  encode(value: unknown, field: string): unknown {
    if (typeof value === "function" || typeof value === "symbol")
      throw invalid(field, `cannot be sent to a worker, got ${show(value)}`);
    if (typeof value !== "object" || value === null) return value;
    if (isRemote(value)) return { [marks.object]: this.numberOf(value, field) };
    if (isTensor(value)) return this.tensor(value, field);
    if (ArrayBuffer.isView(value)) return this.array(value, field);
    if (Array.isArray(value)) return withParts(value, (part, index) => this.encode(part, field + index));
    if (isPlain(value)) return withParts(value, (part, name) => this.encode(part, name));
    throw invalid(field, `must be plain data or an object of this worker, got ${show(value)}`);
  }

  private tensor(value: { type?: unknown; dims: unknown; data?: unknown; location?: unknown }, field: string): unknown {
    const known = this.tensors.indexOf(value);
    const { type, dims, location } = value;
    if (known >= 0) return { [marks.tensor]: known, type, dims };
    const mark = { [marks.tensor]: this.tensors.push(value) - 1, type, dims: Array.isArray(dims) ? [...dims] : dims };
    // The worker's error for a tensor elsewhere says what to do; its data cannot be read.
    if (typeof location === "string" && !location.startsWith("cpu")) return { ...mark, location };
    const { data } = value;
    return { ...mark, data: ArrayBuffer.isView(data) ? this.array(data, field) : this.encode(data, field) };
  }

  private array(view: ArrayBufferView, field: string): ArrayBufferView {
    if (arrayType(view) === "") throw invalid(field, "must be a typed array, got a DataView");
    const { buffer, byteLength } = view;
    if (this.moves && kindOf(buffer) === "ArrayBuffer" && buffer.byteLength === byteLength) {
      this.transfer.add(buffer as ArrayBuffer);
      return view;
    }
    const copy = this.copies.of(view);
    this.transfer.add(copy.buffer as ArrayBuffer);
    return copy;
  }
}
