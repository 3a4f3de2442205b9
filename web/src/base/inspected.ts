/** The name of the method by which Node, Deno and Bun ask an object what to print. */
export const inspected: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;
