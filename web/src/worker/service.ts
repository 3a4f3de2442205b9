// The worker's side: an instance of the library, whose objects the page refers to by number.
import { PosencError } from "../base/errors.js";
import { pause } from "../base/work.js";
import { inChunks, type Instance } from "./in-chunks.js";
import {
  isObjectMark,
  isPlain,
  isTensorMark,
  marks,
  withParts,
  type ErrorFacts,
  type FromWorker,
  type Request,
  type Start,
  type ToWorker,
} from "./messages.js";
import { Objects } from "./objects.js";

type Send = (message: FromWorker, transfer: Transferable[]) => void;
type Work = Request | Start;

class Aborted extends Error {}

function factsOf(error: unknown): ErrorFacts {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  if (!(error instanceof PosencError)) return { name, message, stack };
  return { name, message, stack, code: error.code, field: error.field };
}

export class Service {
  private readonly objects: Objects;
  private readonly queue: Work[] = [];
  private readonly aborted = new Set<number>();
  private current: number | undefined;
  private isWorking = false;
  private pe!: Instance;

  constructor(
    private readonly start: (message: Start) => Promise<Instance>,
    /** Names of the instance's getters that return functions. */
    functions: readonly PropertyKey[],
    private readonly send: Send,
  ) {
    this.objects = new Objects(functions);
  }

  receive(message: ToWorker): void {
    if (message.type === "free") return this.objects.free(message.object, message.sent);
    if (message.type === "abort") return this.abort(message.id);
    this.queue.push(message);
    if (!this.isWorking) void this.work();
  }

  private abort(id: number): void {
    const waiting = this.queue.findIndex((work) => work.id === id);
    if (waiting >= 0) this.queue.splice(waiting, 1);
    else if (this.current === id) this.aborted.add(id);
  }

  /** Does the work in the order of its messages. */
  private async work(): Promise<void> {
    this.isWorking = true;
    // Later messages may abort it.
    await pause();
    for (let work; (work = this.queue.shift());) {
      this.current = work.id;
      await this.reply(work);
      this.aborted.delete(work.id);
      this.current = undefined;
      if (this.queue.length > 0) await pause();
    }
    this.isWorking = false;
  }

  private async reply(work: Work): Promise<void> {
    const { id } = work;
    const given: object[] = [];
    const transfer = new Set<ArrayBuffer>();
    try {
      const value = work.type === "start" ? (this.pe = await this.start(work)) : await this.result(work, given);
      const encoder = new Encoder(this.objects, this.pe, given, work.type === "get" ? undefined : transfer);
      this.send({ type: "result", id, value: encoder.encode(value) }, [...transfer]);
    } catch (error) {
      if (!(error instanceof Aborted)) this.send({ type: "error", id, error: factsOf(error) }, []);
    }
  }

  private async result({ id, type, object, name, args }: Request, given: object[]): Promise<unknown> {
    const target = this.objects.at(object) as Record<string, unknown>;
    const values = args.map((arg) => this.decoded(arg, given));
    if (type === "get") return target[name];
    if (type === "assign") return void assign(target, name, values[0]);
    const step = async (done: number, total: number): Promise<void> => {
      this.send({ type: "progress", id, done, total }, []);
      await pause();
      if (this.aborted.has(id)) throw new Aborted();
    };
    const call = target[name] as (...args: unknown[]) => unknown;
    return (await inChunks(this.pe, target, name, values, step)) ?? call.apply(target, values);
  }

  /** Returns an argument as the library takes it. */
  private decoded(value: unknown, given: object[]): unknown {
    if (isObjectMark(value)) return this.objects.at(value[marks.object]);
    if (isTensorMark(value)) {
      const { [marks.tensor]: index, ...tensor } = value;
      return (given[index] ??= tensor);
    }
    return withParts(value, (part) => this.decoded(part, given));
  }
}

/** Assigns a property; the elements of a tensor are copied into it. */
function assign(target: Record<string, unknown>, name: string, value: unknown): void {
  const present = target[name];
  if (ArrayBuffer.isView(present)) return (present as Float32Array).set(value as Float32Array);
  target[name] = value;
}

/** Returns results as they are sent. */
class Encoder {
  constructor(
    private readonly objects: Objects,
    private readonly pe: Instance,
    private readonly given: readonly object[],
    /** Receives the memory that moves to the page; undefined: everything is copied. */
    private readonly transfer: Set<ArrayBuffer> | undefined,
  ) {}

  encode(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const index = this.given.indexOf(value);
    if (index >= 0) {
      const { data, ...rest } = value as { data: ArrayBufferView; dims: unknown };
      return { ...rest, data: this.data(data), [marks.given]: index };
    }
    if (ArrayBuffer.isView(value)) return this.data(value);
    if (!Array.isArray(value) && !isPlain(value)) return this.objects.mark(value);
    return withParts(value, (part) => this.encode(part));
  }

  /** Moves arrays with memory of their own, and copies those in the library's memory. */
  private data(view: ArrayBufferView): ArrayBufferView {
    const { buffer, byteLength } = view;
    const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !this.pe.core.owns(view);
    if (!isOwn || !this.transfer) return (view as Float32Array).slice();
    this.transfer.add(buffer);
    return view;
  }
}
