// Which kinds of layers attend.

/** Does a layer of this kind attend? Convolutions, recurrences and networks alone have no positions. */
export const attends = (type: string): boolean =>
  /attention|hybrid|sparse|stage|sliding/.test(type) && !type.startsWith("linear");
