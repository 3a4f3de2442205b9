/** Name of the method that Node, Deno and Bun call to print an object. */
export const inspected: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;
