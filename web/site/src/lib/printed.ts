// What a console would print: text as it is, lists and objects in brackets, long ones cut short.

const longest = 24;

function list(name: string, values: ArrayLike<unknown>): string {
  const parts = Array.from({ length: Math.min(values.length, longest) }, (_, i) => one(values[i], 1));
  if (values.length > longest) parts.push(`… ${values.length - longest} more`);
  return parts.length ? `${name}[ ${parts.join(", ")} ]` : `${name}[]`;
}

function object(value: object, depth: number): string {
  const entries = Object.entries(value).filter(([, part]) => typeof part !== "function");
  if (!entries.length) return "{}";
  if (depth > 2) return "{ … }";
  return `{ ${entries.map(([name, part]) => `${name}: ${one(part, depth + 1)}`).join(", ")} }`;
}

const isTensor = (value: object): value is { dims: readonly number[]; data: ArrayLike<number> } =>
  "dims" in value && "data" in value && ArrayBuffer.isView(value.data);

function one(value: unknown, depth: number): string {
  if (typeof value === "string") return depth ? JSON.stringify(value) : value;
  if (typeof value === "function") return `[function ${value.name}]`;
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (Array.isArray(value)) return list("", value);
  if (ArrayBuffer.isView(value)) return list(`${value.constructor.name} `, value as unknown as ArrayLike<number>);
  // Tensors in wasm memory have their numbers behind accessors.
  if (isTensor(value)) return `tensor ${value.dims.join(" × ")} ${one(value.data, depth)}`;
  return object(value, depth);
}

/** A line of output. */
export const printed = (values: unknown[]): string => values.map((value) => one(value, 0)).join(" ");
