// What each function of a build refers to: calls, function pointers, and the virtual functions of objects that it makes.

/** Binaryen's way to write letters that its text format reserves. */
const unescaped = (text) => text.replace(/\\([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));

const letters = { t: "\t", n: "\n", r: "\r" };
/** Returns the bytes that a string of the text format stands for. */
export const bytesOf = (text) =>
  Buffer.from(
    text.replace(/\\([0-9a-f]{2}|.)/g, (_, code) =>
      code.length === 2 ? String.fromCharCode(parseInt(code, 16)) : (letters[code] ?? code),
    ),
    "latin1",
  );

/** Returns the 32-bit numbers in a line: constants of 64 and 128 bits may hold several addresses. */
function numbersIn(line) {
  const [, type, text] = /\((i32|i64|v128)\.const (.*?)\)/.exec(line) ?? [];
  if (type === undefined) return [];
  if (type === "v128") return [...text.matchAll(/0x\w+/g)].map(([number]) => Number(number));
  const number = BigInt.asUintN(64, BigInt(text));
  return type === "i32" ? [Number(text)] : [Number(number & 0xffffffffn), Number(number >> 32n)];
}

/** Reads the text of a module. */
function readModule(text) {
  const [functions, table, exported, memory] = [new Map(), [], [], Buffer.alloc(2 ** 18)];
  let current;
  let offset = 0;
  for (const line of text.split("\n")) {
    const [, name] = /^ \(func \$(\S+?)(?:[ )]|$)/.exec(line) ?? [];
    if (name) functions.set(name, (current = { calls: new Set(), constants: new Set(), lines: 0 }));
    if (line.startsWith("  ")) {
      current.lines++;
      for (const [, called] of line.matchAll(/\((?:return_)?call \$(\S+?)(?:[ )]|$)/g)) current.calls.add(called);
      for (const number of numbersIn(line)) {
        current.constants.add(number);
        current.constants.add(number + offset);
      }
      // A table may be read at a constant distance from a number that is computed.
      offset = Number(/ offset=(\d+)/.exec(line)?.[1] ?? 0);
      current.constants.add(offset);
    }
    const [, from, elements] = /^ \(elem \$\S+ \(i32\.const (\d+)\)(.*)\)$/.exec(line) ?? [];
    for (const [i, [, element]] of [...(elements ?? "").matchAll(/ \$(\S+)/g)].entries())
      table[Number(from) + i] = element;
    const [, at, content] = /^ \(data \$\S+ \(i32\.const (\d+)\) "(.*)"\)$/.exec(line) ?? [];
    if (at) bytesOf(content).copy(memory, Number(at));
    const [, shown] = /^ \(export "\w+" \(func \$(\S+?)\)/.exec(line) ?? [];
    if (shown) exported.push(shown);
  }
  return { functions, table, exported, memory };
}

/** Reads the linker's map: address, size and mangled name of each constant; merged texts have no name. */
function readConstants(map) {
  const lines = map.slice(map.search(/ DATA$/m)).matchAll(/^\s*(\w+)\s+\w+\s+(\w+)\s+\S+:\(\.(ro)?data\.?(\S*)\)$/gm);
  return [...lines].map(([, at, size, readOnly, name]) => ({
    at: parseInt(at, 16),
    size: parseInt(size, 16),
    name,
    isReadOnly: readOnly !== undefined,
  }));
}

export class CallGraph {
  /** `text` is the module as wasm-dis prints it, `map` the linker's map. */
  constructor(text, map) {
    Object.assign(this, readModule(text));
    const constants = readConstants(map);
    const isTable = ({ name }) => /^_ZTV|kKernels/.test(name);
    this.constants = constants;
    /** Tables of functions, by the address that code has: objects point behind the head of their virtual table. */
    this.tables = new Map(
      constants.filter(isTable).flatMap((one) => [
        [one.at, one],
        [one.at + 8, one],
      ]),
    );
    this.listed = new Set();
  }

  /** The name of a function as C++ has it. */
  title(name) {
    return unescaped(name);
  }

  /** Returns the one constant whose name ends so. */
  constant(pattern) {
    const found = this.constants.filter(({ name }) => pattern.test(name));
    if (found.length !== 1) throw new Error(`the build has ${found.length} constants ${pattern}`);
    return found[0];
  }

  /** Returns the functions to which `size` bytes of data from `at` on point. */
  functionsAt(at, size) {
    const words = Array.from({ length: size / 4 }, (_, i) => this.memory.readUInt32LE(at + 4 * i));
    return words.map((slot) => this.table[slot]).filter((name) => this.functions.has(name));
  }

  /** Functions that are in the given pieces of data, and in tables. Others in the table are known to code alone. */
  noteListed(pieces) {
    const all = [...pieces, ...this.tables.values()];
    this.listed = new Set(all.flatMap(({ at, size }) => this.functionsAt(at, size)));
  }

  /** Functions that a function may call. Any number in it that is the index of a function counts as a pointer. */
  calledBy(name) {
    const { calls, constants } = this.functions.get(name);
    const indirect = [...constants].flatMap((number) => {
      const table = this.tables.get(number);
      if (table) return this.functionsAt(table.at, table.size);
      const pointed = this.table[number];
      return this.functions.has(pointed) && !this.listed.has(pointed) ? [pointed] : [];
    });
    return [...[...calls].filter((called) => this.functions.has(called)), ...indirect];
  }

  /** Returns all functions that these may call, without entering functions that `isClosed`. */
  reach(roots, isClosed = () => false) {
    const found = new Set();
    const visit = (name) => {
      if (found.has(name) || isClosed(name)) return;
      found.add(name);
      this.calledBy(name).forEach(visit);
    };
    roots.forEach(visit);
    return found;
  }
}
