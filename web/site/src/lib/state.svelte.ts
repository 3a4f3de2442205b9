// What the reader has set, kept in the address: #v=2&table.length=64&table.base=10000. Links and reloads keep it.
import { embedded, wholePage } from "./embed.ts";

const version = "2";
const browser = typeof window !== "undefined";

/** How one value is written into the address; `parse` gives undefined for anything it does not accept. */
export interface Field<T> {
  initial: T;
  parse(text: string): T | undefined;
  print(value: T): string;
  /** Written as soon as anything else is: its initial value is not the same in both languages. */
  always?: boolean;
}

export function number(initial: number, min: number, max: number, step = 0): Field<number> {
  return {
    initial,
    print: String,
    parse(text) {
      const value = text.trim() === "" ? NaN : Number(text);
      if (!(value >= min && value <= max)) return undefined;
      return step ? Math.min(max, min + Math.round((value - min) / step) * step) : value;
    },
  };
}

export function flag(initial: boolean): Field<boolean> {
  return {
    initial,
    print: (value) => (value ? "1" : "0"),
    parse: (text) => (text === "1" ? true : text === "0" ? false : undefined),
  };
}

/** One of a few names. */
export function choice<const T extends string>(initial: T, names: readonly T[]): Field<T> {
  return {
    initial,
    print: (value) => value,
    parse: (value) => names.find((name) => name === value),
  };
}

/** A text that the reader can change. Each language begins with one of its own. */
export function text(initial: string, maxLength: number): Field<string> {
  return {
    initial,
    always: true,
    print: (value) => value,
    parse: (value) => (value.length <= maxLength && value.trim() ? value : undefined),
  };
}

/** A short list of whole numbers in 0 … max. */
export function wholeNumbers(initial: number[], max: number, maxCount: number): Field<number[]> {
  return {
    initial,
    print: (values) => values.join("."),
    parse(list) {
      if (list === "") return [];
      const values = list.split(".").map(Number);
      const valid = values.every((value) => Number.isInteger(value) && value >= 0 && value <= max);
      return valid && values.length <= maxCount && new Set(values).size === values.length ? values : undefined;
    },
  };
}

/** Some of a few names, in the order of the list that they are from. */
export function someOf<const T extends string>(
  initial: readonly T[],
  names: readonly T[],
  maxCount: number,
): Field<T[]> {
  return {
    initial: [...initial],
    print: (values) => values.join("."),
    parse(list) {
      const values = list === "" ? [] : list.split(".");
      const found = names.filter((name) => values.includes(name));
      return found.length === values.length && found.length <= maxCount ? found : undefined;
    },
  };
}

// A record of fields of different types.
type Fields = Record<string, Field<any>>;
type Values<F extends Fields> = { -readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

function read<F extends Fields>(group: string, fields: F): Values<F> {
  const query = new URLSearchParams(browser ? location.hash.slice(1) : "");
  // A later version of the site may read this address differently: what is not of this version is not guessed at.
  const known = query.get("v") === version;
  const entries = Object.entries(fields).map(([name, field]) => {
    const written = known ? query.get(`${group}.${name}`) : null;
    return [name, (written === null ? undefined : field.parse(written)) ?? field.initial];
  });
  return Object.fromEntries(entries) as Values<F>;
}

interface Group {
  name: string;
  fields: Fields;
  values: Record<string, unknown>;
}

/** The groups of this page; each chapter has a page of its own. All are there before the first effect runs. */
const groups: Group[] = [];

function write(): string {
  const printed = groups.flatMap(({ name: group, fields, values }) =>
    Object.entries(fields).map(([name, field]) => {
      const value = field.print(values[name]);
      return { name: `${group}.${name}`, value, always: field.always, changed: value !== field.print(field.initial) };
    }),
  );
  if (!printed.some(({ changed }) => changed)) return "";
  const query = new URLSearchParams({ v: version });
  for (const { name, value, always, changed } of printed) {
    if (changed || always) query.set(name, value);
  }
  return `#${query}`;
}

/** The current state as an address, for links to the same page in the other language. */
export const address = $state({ hash: "" });

/** A link to this page as the reader has set it, which opens at one of its figures. */
export function linkTo(figure: string): string {
  const query = new URLSearchParams(write().slice(1));
  query.set("v", version);
  query.set("at", figure);
  return `${browser ? wholePage(location) : ""}#${query}`;
}

/** The part of the page that the address names: the figure that it was made for, or what a plain anchor calls. */
function wantedPart(): HTMLElement | null {
  if (embedded !== undefined) return document.getElementById(`figure-${embedded}`);
  const anchor = location.hash.slice(1);
  const query = new URLSearchParams(anchor);
  const figure = query.get("v") === version ? `figure-${query.get("at")}` : anchor;
  return document.getElementById(figure);
}

function unfold(part: HTMLElement): void {
  for (let fold = part.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
    fold.open = true;
}

/** Figures that the address sets something of: a group is named as its figure is, unless several figures share it. */
function figuresSet(): HTMLElement[] {
  if (!location.hash.startsWith("#v=")) return [];
  const isSet = ({ fields, values }: Group) =>
    Object.entries(fields).some(
      ([name, { always, print, initial }]) => !always && print(values[name]) !== print(initial),
    );
  return groups.filter(isSet).flatMap(({ name }) => document.getElementById(`figure-${name}`) ?? []);
}

/** Scrolls there, and unfolds what it lies in, and what was set. */
function openWantedPart(): void {
  const part = wantedPart();
  // A figure alone is in sight, and to scroll would move the page around its frame.
  if (embedded !== undefined) {
    if (part) unfold(part);
    return;
  }
  for (const figure of figuresSet()) unfold(figure);
  if (!part) return;
  unfold(part);
  part.scrollIntoView();
}

/** Called once, by the frame of the page: the address follows what the figures hold, and they follow it. */
export function keepAddress(): void {
  let timer = 0;
  $effect(() => {
    const hash = write();
    address.hash = hash;
    clearTimeout(timer);
    // Browsers limit how often the address may change; a moving slider would pass that limit.
    timer = window.setTimeout(() => {
      // A link to a figure or a heading stays as long as nothing was set.
      if (!hash && !location.hash.startsWith("#v=")) return;
      if (location.hash !== hash) history.replaceState(null, "", hash || location.pathname + location.search);
    }, 200);
  });
  $effect(openWantedPart);
  $effect(() => {
    const follow = () => {
      if (location.hash === address.hash) return;
      // Links within the page, such as to a heading, are not a state.
      if (/^(#v=|$)/.test(location.hash))
        for (const { name, fields, values } of groups) Object.assign(values, read(name, fields));
      openWantedPart();
    };
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  });
}

/** Call while a chapter is being set up: values of a figure, or of several that share them, kept in the address. */
export function figureState<F extends Fields>(name: string, fields: F): Values<F> {
  const state = $state(read(name, fields));
  // Figures change what they are given: accessors say that this is meant, where Svelte would warn of a proxy.
  const values = {} as Values<F>;
  for (const key of Object.keys(fields) as (keyof F)[])
    Object.defineProperty(values, key, {
      enumerable: true,
      get: () => state[key],
      set: (value: Values<F>[typeof key]) => {
        state[key] = value;
      },
    });
  // At build time there is no address, and what one page holds must not reach the next.
  if (browser) groups.push({ name, fields, values });
  return values;
}

/** Everything as it was at first. */
export function reset(values: Record<string, unknown>): void {
  const group = groups.find((one) => one.values === values);
  if (group) for (const [name, field] of Object.entries(group.fields)) values[name] = field.initial;
}
