// Which kinds of layers attend.

/** Whether a layer of this kind has attention. Convolutions, recurrences and feed-forward layers have no positions. */
export const attends = (type: string): boolean =>
  /attention|hybrid|sparse|stage|sliding/.test(type) && !type.startsWith("linear");
