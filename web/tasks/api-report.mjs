// The public API as text: the names that each entry exports, and all declarations that these name, without comments.
import ts from "typescript";
import { inRoot } from "./prepare.mjs";

/** The committed report. */
export const reportFile = "api/posenc.d.ts";

const options = {
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts"],
  types: [],
  module: ts.ModuleKind.ESNext,
  skipLibCheck: true,
};
const printer = ts.createPrinter({ removeComments: true });
/** Specs of published models: data, which grows with every model. */
const isData = (file) => /\/models\/types\.gen\.d\.ts$/.test(file);

/** The symbol that an import or export stands for. */
const target = (checker, symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

/** The statement of a declaration. */
function statementOf(declaration) {
  let node = declaration;
  while (node.parent && !ts.isSourceFile(node.parent)) node = node.parent;
  return node;
}

const isPrivate = (member) =>
  member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) ||
  member.name?.kind === ts.SyntaxKind.PrivateIdentifier;

/** Returns the text of a statement without private members. */
function textOf(statement) {
  const source = statement.getSourceFile();
  if (!ts.isClassDeclaration(statement)) return printer.printNode(ts.EmitHint.Unspecified, statement, source);
  const { modifiers, name, typeParameters, heritageClauses, members } = statement;
  const open = members.filter((member) => !isPrivate(member));
  const shown = ts.factory.createClassDeclaration(modifiers, name, typeParameters, heritageClauses, open);
  return printer.printNode(ts.EmitHint.Unspecified, shown, source);
}

/** Returns the report on these entries of dist/types. */
export function apiReport(entries) {
  const file = (entry) => inRoot("dist", "types", `${entry}.d.ts`);
  const program = ts.createProgram(entries.map(file), options);
  const checker = program.getTypeChecker();
  const texts = new Map();
  const visit = (symbol) => {
    for (const statement of (symbol.declarations ?? []).map(statementOf)) {
      const { fileName } = statement.getSourceFile();
      if (!fileName.includes("/dist/") || isData(fileName) || texts.has(statement)) continue;
      texts.set(statement, textOf(statement));
      const look = (node) => {
        if (isPrivate(node)) return;
        const named = ts.isIdentifier(node) && checker.getSymbolAtLocation(node);
        if (named) visit(target(checker, named));
        ts.forEachChild(node, look);
      };
      look(statement);
    }
  };
  const names = entries.map((entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file(entry)));
    const exported = checker.getExportsOfModule(module);
    for (const symbol of exported) visit(target(checker, symbol));
    const list = exported.map(({ name }) => `//   ${name}`).sort();
    return [`// ${entry === "index" ? "posenc" : `posenc/${entry}`} exports`, ...list].join("\n");
  });
  return [...names, ...new Set([...texts.values()].sort())].join("\n\n") + "\n";
}
