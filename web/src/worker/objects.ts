// Objects that stay in the worker, by number, and what the page has to know of their classes.
import { invalid } from "../base/errors.js";
import { marks, type ObjectMark, type Shape } from "./messages.js";

interface Entry {
  object: object;
  /** How often its number was sent. */
  sent: number;
}

/** The prototypes of an object's classes, its own class first. */
function prototypesOf(object: object): object[] {
  const prototypes: object[] = [];
  for (let one = Object.getPrototypeOf(object); one && one !== Object.prototype; one = Object.getPrototypeOf(one))
    prototypes.push(one as object);
  return prototypes;
}

function shapeOf(object: object, functions: readonly PropertyKey[]): Shape {
  const methods = new Set<string>();
  const properties = new Set(Object.keys(object));
  for (const prototype of prototypesOf(object))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      (typeof value === "function" || functions.includes(name) ? methods : properties).add(name);
  // `toString` must not return a promise.
  for (const name of ["constructor", "toString"]) methods.delete(name);
  return { name: object.constructor.name, methods: [...methods], properties: [...properties] };
}

export class Objects {
  private readonly entries = new Map<number, Entry>();
  private readonly numbers = new WeakMap<object, number>();
  private readonly shapes = new Map<unknown, string>();
  private last = 0;

  constructor(
    /** Getters that return functions. */
    private readonly functions: readonly PropertyKey[],
  ) {}

  /** Returns the mark of an object, which the page now holds. */
  mark(object: object): ObjectMark {
    const number = this.numbers.get(object) ?? ++this.last;
    this.numbers.set(object, number);
    const entry = this.entries.get(number) ?? { object, sent: 0 };
    entry.sent++;
    this.entries.set(number, entry);
    const known = this.shapes.get(object.constructor);
    const shape = known ?? `${this.shapes.size}`;
    this.shapes.set(object.constructor, shape);
    return { [marks.object]: number, shape, ...(known === undefined && { members: shapeOf(object, this.functions) }) };
  }

  at(number: number): object {
    const entry = this.entries.get(number);
    if (!entry) throw invalid("object", "is not in this worker");
    return entry.object;
  }

  /** Forgets an object that the page no longer uses, unless its number was sent again meanwhile. */
  free(number: number, sent: number): void {
    if (this.entries.get(number)?.sent === sent) this.entries.delete(number);
  }
}
