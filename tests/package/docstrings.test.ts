// Everything that an entry of the package exports says what it is, and so does each of its members.
import { readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";

const { exports } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
// Modules of one model have its data as their only export, of a type of posenc/models.
const entries = Object.entries<{ types?: string }>(exports).flatMap(([name, { types }]): [string, string][] =>
  types && !name.endsWith("*") ? [[name, inRoot(types)]] : [],
);
const program = ts.createProgram(
  entries.map(([, file]) => file),
  { lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"], types: [] },
);
const checker = program.getTypeChecker();

const isOurs = (node: ts.Node): boolean => node.getSourceFile().fileName.includes("/dist/types/");
const isPublic = (node: ts.Declaration): boolean =>
  (ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) === 0;

/** What a class or an interface declares itself, and what stands in its nested object types. */
function* membersOf(symbol: ts.Symbol, name: string): Generator<[string, ts.Symbol]> {
  for (const declaration of symbol.declarations ?? []) {
    if (!isOurs(declaration)) continue;
    const isShape = ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration);
    for (const member of isShape ? declaration.members : []) {
      if (!member.name || !isPublic(member) || ts.isConstructorDeclaration(member)) continue;
      const own = checker.getSymbolAtLocation(member.name);
      if (own) yield [`${name}.${own.name}`, own];
    }
  }
}

/** Each exported name with its members. */
function* exportsOf(file: string): Generator<[string, ts.Symbol]> {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
  for (const exported of checker.getExportsOfModule(module)) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    yield [exported.name, symbol];
    yield* membersOf(symbol, exported.name);
  }
}

/** Names whose meaning is the language's or fixed by what holds them. */
const known = /\.(toJSON|_.*)$|Spec\.kind$/;

const textOf = (symbol: ts.Symbol): string => ts.displayPartsToString(symbol.getDocumentationComment(checker));

const tagsOf = (symbol: ts.Symbol): string[] =>
  symbol.getJsDocTags(checker).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`);

/** Functions and methods that take something: their documentation with its tags, parameters and result. */
function* callsOf(
  file: string,
): Generator<{ name: string; documentation: string; parameters: string[]; returns: string }> {
  for (const [name, symbol] of exportsOf(file)) {
    const signatures = checker.getTypeOfSymbol(symbol).getCallSignatures();
    if (known.test(name) || !signatures.some(({ parameters }) => parameters.length > 0)) continue;
    const returns = checker.typeToString(signatures.at(-1)!.getReturnType());
    const parameters = signatures[0]!.parameters.map((parameter) => parameter.name);
    yield { name, documentation: [textOf(symbol), ...tagsOf(symbol)].join("\n"), parameters, returns };
  }
}

describe.each(entries)("what %s exports", (_, file) => {
  it("says what it is", () => {
    const all = [...exportsOf(file)];
    expect(all.length).toBeGreaterThan(3);
    const silent = all.filter(([name, symbol]) => !known.test(name) && textOf(symbol) === "");
    expect(silent.map(([name]) => name)).toEqual([]);
  });
  it("says what it throws, and the shape of what it answers", () => {
    const calls = [...callsOf(file)];
    expect(calls.length).toBeGreaterThan(0);
    const vague = calls.filter(
      ({ documentation, returns }) =>
        !/Throws: |@throws \{PosencError\} /.test(documentation) ||
        (/Tensor|Array/.test(returns) && !/\[|\bdims\b/.test(documentation)),
    );
    expect(vague.map(({ name }) => name)).toEqual([]);
  });
});

it.each(entries)("of %s names the parameters, the result and the errors of every call", (_, file) => {
  const vague = [...callsOf(file)].flatMap(({ name, documentation, parameters, returns }) => {
    const wanted = ["throws {PosencError} ", ...parameters.map((parameter) => `param ${parameter} `)];
    if (!/^(void|Promise<void>)$/.test(returns)) wanted.push("returns ");
    const missing = wanted.filter((tag) => !documentation.includes(`@${tag}`));
    return missing.length > 0 ? [`${name}: ${missing.map((tag) => `@${tag.trim()}`).join(", ")}`] : [];
  });
  expect(vague).toEqual([]);
});
