// The types of objects in a worker follow from those of the library.
import type { Family, Kind } from "../base/specs.gen.js";
import type {
  Bfloat16Result,
  Bfloat16Tensor,
  Float16Tensor,
  InputTensor,
  ResultLike,
  Tensor,
  TensorLike,
  TensorOf,
  TensorType,
  UntypedTensor,
} from "../base/types.js";
import type { KeyValueCache } from "../attention/cache.js";
import type { Encoding } from "../encodings/encoding.js";
import type { ResidentTensor } from "../tensors/tensor.js";
import type { CallOptions } from "./sent.js";

/** Marks objects in a worker; no value has it. */
declare const there: unique symbol;

/** Any object in a worker whose class is T, or a class derived from it. */
interface There<T> {
  readonly [there]?: T;
}

type Primitive = string | number | bigint | boolean | symbol | null | undefined;
/** Values without parts that could be in the worker. */
type Atom = Primitive | ArrayBufferView | ArrayBuffer | ArrayLike<Primitive>;
type LibraryObject = Encoding<any> | KeyValueCache | ResidentTensor<any>;
/** What encodings of options have. */
interface AnyEncoding {
  readonly family: Family;
  readonly kind: Kind;
}
interface AnyTensor {
  readonly dims: readonly number[];
}

/** An argument of a call: encodings, caches and tensors may be those in the worker. */
export type Argument<X> = X extends Atom
  ? X
  : [keyof X] extends [never]
    ? X
    : X extends (...args: never[]) => unknown
      ? never
      : X extends LibraryObject | AnyEncoding
        ? There<X>
        : X extends AnyTensor
          ? X | There<ResidentTensor<any>>
          : { [Name in keyof X]: Argument<X[Name]> };

/** An argument that may have the options of calls in a worker. */
type WithOptions<X> = X extends Atom | readonly unknown[] | AnyTensor | LibraryObject | AnyEncoding
  ? Argument<X>
  : [keyof X] extends [never]
    ? X
    : Argument<X> & CallOptions;

/** The arguments of a call, and the options of a call in a worker; not after a list of any length. */
type Arguments<A extends readonly unknown[]> = number extends A["length"]
  ? A
  : [...{ [I in keyof A]: WithOptions<A[I]> }, options?: CallOptions];

/** The result of a call: objects of the library stay in the worker. */
export type Result<R> = R extends Atom
  ? R
  : R extends LibraryObject
    ? InWorker<R>
    : R extends AnyTensor
      ? R
      : { [Name in keyof R]: Result<R[Name]> };

/** The class of a tensor in a worker, or the tensor itself. */
type TensorHere<Q> = Q extends There<infer T extends InputTensor> ? T : Q extends InputTensor ? Q : never;

/** The members of a result that are new tensors, not those of the call. */
type New<R> = R extends unknown
  ? [TensorLike] extends [R]
    ? never
    : [UntypedTensor] extends [R]
      ? never
      : [Float16Tensor] extends [R]
        ? never
        : [Bfloat16Tensor] extends [R]
          ? never
          : R
  : never;

/** The dtype that options ask for. */
type TypeIn<O> = O extends { readonly type: infer Type extends TensorType } ? Type : "float32";

/** A call with the same dtype as its first argument, or with the dtype that its first argument asks for. */
type Typed<First, Rest extends readonly unknown[]> = [First] extends [AnyTensor]
  ? <Q extends Argument<First>>(x: Q, ...rest: Arguments<Rest>) => Promise<ResultLike<TensorHere<Q>>>
  : <O extends Partial<WithOptions<First>>>(options: O, ...rest: Arguments<Rest>) => Promise<TensorOf<TypeIn<O>>>;

/** The arguments of a call with `out`. */
type WithOut<A extends readonly unknown[], Out> = {
  [I in keyof A]-?: "out" extends keyof NonNullable<A[I]>
    ? Omit<WithOptions<NonNullable<A[I]>>, "out"> & { out: Out }
    : Argument<A[I]>;
};

/** A call that writes into `out`, or returns a new tensor. */
type IntoOut<A extends readonly unknown[], First, Rest extends readonly unknown[], R> = (<
  Out extends InputTensor | There<ResidentTensor<any>>,
>(
  ...args: WithOut<A, Out>
) => Promise<Out>) &
  ([Tensor | Bfloat16Result] extends [R] ? Typed<First, Rest> : (...args: Arguments<A>) => Promise<R>);

/** TypeScript loses how a result depends on the types of arguments: here are calls of tensors. */
type Call<A extends readonly unknown[], R> = [InputTensor, A] extends [R, readonly [(infer First)?, ...infer Rest]]
  ? [R] extends [InputTensor]
    ? [New<R>] extends [never]
      ? <Q extends Argument<First>>(x: Q, ...rest: Arguments<Rest>) => Promise<Q>
      : IntoOut<A, First, Rest, New<R>>
    : (...args: Arguments<A>) => Promise<Result<R>>
  : (...args: Arguments<A>) => Promise<Result<Awaited<R>>>;

/** All signatures of a call; if it has fewer than four, the first is repeated. */
type Calls<F> = F extends {
  (...args: infer A1): infer R1;
  (...args: infer A2): infer R2;
  (...args: infer A3): infer R3;
  (...args: infer A4): infer R4;
}
  ? Call<A1, R1> & Call<A2, R2> & Call<A3, R3> & Call<A4, R4>
  : F extends (...args: infer A) => infer R
    ? Call<A, R>
    : never;

/** Names of the properties that can be assigned. */
type Assignable<T> = {
  [Name in keyof T]-?: (<X>() => X extends { [N in Name]: T[N] } ? 1 : 2) extends <X>() => X extends {
    readonly [N in Name]: T[N];
  }
    ? 1
    : 2
    ? never
    : Name;
}[keyof T];

/** Methods and properties of T, which return promises. */
export type InWorker<T> = {
  readonly [Name in keyof T as Name extends string ? Exclude<Name, "toString"> : never]: T[Name] extends (
    ...args: never[]
  ) => unknown
    ? Calls<T[Name]>
    : Promise<Result<T[Name]>>;
} & There<T> & {
    /** Assigns a property. The elements of a tensor's `data` are copied into it. */
    assign<Name extends Assignable<T> | (T extends AnyTensor ? "data" : never)>(
      name: Name,
      value: Argument<T[Name & keyof T]>,
    ): Promise<void>;
    /** Calls `dispose()`, if there is one, at the end of a block with `using`. */
    [Symbol.dispose](): void;
  };
