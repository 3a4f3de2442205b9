// The page's side: sends calls to the worker and settles their promises.
import { PosencError, invalid } from "../base/errors.js";
import type { Progress } from "../base/work.js";
import type { Line } from "../wasm/line.js";
import { marks, type ErrorFacts, type FromWorker, type ObjectMark, type Start, type ToWorker } from "./messages.js";
import { Received } from "./received.js";
import { remoteClass, type Home, type Remote, type RemoteClass } from "./remote.js";
import { Sent, takeOptions, type CallOptions } from "./sent.js";

/** A call without a result so far. */
interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** Reports progress to the caller. */
  report(progress: Progress): void;
  /** Whether it was called. */
  reported: boolean;
  /** Tensors that results are written into. */
  tensors: readonly object[] | undefined;
}

/** A remote object, and how often its number has arrived. */
interface Known {
  remote: WeakRef<Remote>;
  received: number;
}

function errorOf({ code, name, message, field, stack }: ErrorFacts): Error {
  const Class = name === "TypeError" ? TypeError : name === "RangeError" ? RangeError : Error;
  const error = code ? new PosencError(code, message, field) : new Class(message);
  if (stack) error.stack += `\nin the worker: ${stack}`;
  return error;
}

export class Connection implements Home {
  private readonly pending = new Map<number, Pending>();
  private readonly classes = new Map<string, RemoteClass>();
  private readonly known = new Map<number, Known>();
  private readonly unused = new FinalizationRegistry<number>((number) => this.free(number));
  /** Settles when all messages so far are sent: large arguments take some time to copy. */
  private sending: Promise<void> | undefined;
  private ended: PosencError | undefined;
  private last = 0;

  constructor(private readonly line: Line<ToWorker, FromWorker>) {
    line.hear(
      (message) => this.receive(message),
      (reason) => this.close(reason),
    );
  }

  /** Starts the library in the worker and returns its instance. */
  start(start: Omit<Start, "type" | "id">, options: CallOptions): Promise<unknown> {
    return this.post(new Sent(() => 0, false), options, (id) => ({ type: "start", id, ...start }));
  }

  async request(
    remote: Remote,
    type: "call" | "get" | "assign",
    name: string,
    given: readonly unknown[],
  ): Promise<unknown> {
    if (this.ended) throw this.ended;
    const { args, options } = takeOptions(given);
    options.signal?.throwIfAborted();
    const sent = new Sent((other, field) => this.numberOf(other, field), options.transfer ?? false);
    const encoded = args.map((arg, i) => sent.encode(arg, `argument ${i + 1}`));
    return this.post(sent, options, (id) => ({ type, id, object: remote.number, name, args: encoded }));
  }

  /** Ends the worker. All calls fail from now on. */
  close(reason: string): void {
    if (this.ended) return;
    const message = `posenc: the worker has ended (${reason}); call init() again`;
    this.ended = new PosencError("disposed", message);
    for (const id of [...this.pending.keys()]) this.settle(id)?.reject(this.ended);
    this.line.end();
  }

  private numberOf(remote: Remote, field: string): number {
    if (remote.home !== this) throw invalid(field, "belongs to another worker");
    return remote.number;
  }

  /** Sends a message after all earlier ones and returns its result. */
  private post(sent: Sent, options: CallOptions, message: (id: number) => ToWorker): Promise<unknown> {
    const id = ++this.last;
    const result = this.result(id, sent, options);
    this.line.work();
    const send = (): void => {
      if (this.pending.has(id)) this.line.send(message(id), [...sent.transfer]);
    };
    if (!this.sending && sent.copies.done) this.attempt(id, send);
    else this.sendLater(id, sent, options, send);
    return result;
  }

  /** Returns the promise of a call. */
  private result(id: number, { tensors }: Sent, { signal, onProgress, transfer }: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.settle(id);
        this.line.send({ type: "abort", id });
        reject(signal!.reason as Error);
      };
      signal?.addEventListener("abort", abort, { once: true });
      const forget = (): void => signal?.removeEventListener("abort", abort);
      this.pending.set(id, {
        resolve: (value) => (forget(), resolve(value)),
        reject: (error) => (forget(), reject(error as Error)),
        report(progress) {
          this.reported = true;
          onProgress?.(progress);
        },
        reported: false,
        tensors: transfer ? undefined : tensors,
      });
    });
  }

  private sendLater(id: number, { copies }: Sent, { signal }: CallOptions, send: () => void): void {
    const sending = Promise.resolve(this.sending)
      .then(() => copies.finish(signal))
      .then(
        () => this.attempt(id, send),
        (error) => this.settle(id)?.reject(error),
      )
      .then(() => {
        if (this.sending === sending) this.sending = undefined;
      });
    this.sending = sending;
  }

  /** Runs code for a call, which fails if it throws. */
  private attempt(id: number, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.settle(id)?.reject(error);
    }
  }

  /** Ends the wait for a result. */
  private settle(id: number): Pending | undefined {
    const waiting = this.pending.get(id);
    this.pending.delete(id);
    if (this.pending.size === 0) this.line.rest();
    return waiting;
  }

  private receive(message: FromWorker): void {
    const { id } = message;
    if (message.type === "progress") {
      const { done, total } = message;
      this.attempt(id, () => this.pending.get(id)?.report({ done, total }));
    } else if (message.type === "error") this.settle(id)?.reject(errorOf(message.error));
    else void this.finish(id, message.value);
  }

  private async finish(id: number, result: unknown): Promise<void> {
    const waiting = this.pending.get(id);
    // Objects in the result of an aborted call are received as well: they are freed when nothing refers to them.
    const received = new Received((mark) => this.remoteOf(mark), waiting ? waiting.tensors : []);
    const value = received.decode(result);
    try {
      if (waiting && !received.copies.done) await received.copies.finish();
      if (waiting && !waiting.reported) waiting.report({ done: 1, total: 1 });
      this.settle(id)?.resolve(value);
    } catch (error) {
      this.settle(id)?.reject(error);
    }
  }

  private remoteOf({ [marks.object]: number, shape, members }: ObjectMark): Remote {
    if (members) this.classes.set(shape, remoteClass(members));
    const known = this.known.get(number);
    const present = known?.remote.deref();
    const remote = present ?? new (this.classes.get(shape)!)(this, number);
    this.known.set(number, { remote: new WeakRef(remote), received: (known?.received ?? 0) + 1 });
    if (!present) this.unused.register(remote, number);
    return remote;
  }

  /** Lets the worker forget an object that the page no longer uses. */
  private free(number: number): void {
    const known = this.known.get(number);
    if (!known || known.remote.deref() || this.ended) return;
    this.known.delete(number);
    this.line.send({ type: "free", object: number, sent: known.received });
  }
}
