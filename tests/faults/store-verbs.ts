/**
 * Reads from the sources which functions of the store write, and where they write many documents at once. The tables of the fault tests
 * must match, so a new verb or call without a row fails.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const SINGLE = ["deleteOne", "findOneAndDelete", "findOneAndReplace", "findOneAndUpdate", "insertOne"];
const MANY = ["bulkWrite", "deleteMany", "insertMany", "updateMany"];
const WRITES = new Set([...SINGLE, "replaceOne", "updateOne", ...MANY]);

type StoreFunction = { isExported: boolean; writes: boolean; uses: Set<string> };
export type ManyWrite = { name: string; file: string; fromLine: number; toLine: number };

const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");
const parse = (path: string) => ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);

function listSources(room: string): string[] {
  return readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${room}/${path}`)
    .filter((path) => !path.startsWith("db/engine/"));
}

/** `db/files/files.server.ts` becomes `files`. */
const nounIn = (path: string) => basename(path).replace(/(\.server)?\.tsx?$/, "");

function walk(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => walk(child, look));
}

function isWriteCall(node: ts.Node, verbs: { has(name: string): boolean }): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    verbs.has(node.expression.name.text)
  );
}

/** A top-level name with its code. */
type Declaration = { name: string; node: ts.Node; isExported: boolean };

function listDeclarations(source: ts.SourceFile): Declaration[] {
  return source.statements.flatMap((statement): Declaration[] => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (ts.isFunctionDeclaration(statement) && statement.name)
      return [{ name: statement.name.text, node: statement, isExported }];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.map((node) => ({
      name: node.name.getText(source),
      node,
      isExported,
    }));
  });
}

/** The names that a file imports from the store. */
function listImports(source: ts.SourceFile): Map<string, string> {
  const imports = new Map<string, string>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const from = (statement.moduleSpecifier as ts.StringLiteral).text;
    const bindings = statement.importClause?.namedBindings;
    if (!from.startsWith("#db/") || !bindings || !ts.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements)
      imports.set(name.text, `${nounIn(from)}/${(propertyName ?? name).text}`);
  }
  return imports;
}

function readStoreFunctions(): Map<string, StoreFunction> {
  const functions = new Map<string, StoreFunction>();
  for (const path of listSources("db").filter((path) => !/^db\/(engine|local)\//.test(path))) {
    const source = parse(path);
    const imports = listImports(source);
    for (const { name, node, isExported } of listDeclarations(source)) {
      const entry: StoreFunction = { isExported, writes: false, uses: new Set() };
      walk(node, (part) => {
        if (isWriteCall(part, WRITES)) entry.writes = true;
        if (ts.isIdentifier(part)) entry.uses.add(imports.get(part.text) ?? `${nounIn(path)}/${part.text}`);
      });
      functions.set(`${nounIn(path)}/${name}`, entry);
    }
  }
  return functions;
}

/** Exported functions of the store that write, directly or through others, and that pages, API, jobs or commands call. */
export function listWritingVerbs(): string[] {
  const functions = readStoreFunctions();
  const writing = new Set([...functions].filter(([, { writes }]) => writes).map(([name]) => name));
  for (let before = -1; before !== writing.size; ) {
    before = writing.size;
    for (const [name, { uses }] of functions)
      if ([...uses].some((used) => writing.has(used))) writing.add(name);
  }
  const called = new Set(
    ["app", "worker", "db/local"]
      .flatMap(listSources)
      .flatMap((path) => [...listImports(parse(path)).values()]),
  );
  return [...writing].filter((name) => called.has(name) && required(functions.get(name)).isExported).sort();
}

/**
 * Every call that writes many documents, such as `trash/dateTrashedFile file_versions.updateMany`; equal calls of a function are
 * numbered.
 */
export function listManyWrites(): ManyWrite[] {
  return ["db", "worker", "app"].flatMap(listSources).flatMap((path) => {
    const source = parse(path);
    return listDeclarations(source).flatMap(({ name, node }) => listManyWritesIn(source, path, name, node));
  });
}

function listManyWritesIn(source: ts.SourceFile, path: string, name: string, node: ts.Node): ManyWrite[] {
  const manyWrites: ManyWrite[] = [];
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  walk(node, (part) => {
    if (!isWriteCall(part, new Set(MANY))) return;
    const called = part.expression.getText(source).split(".").slice(-2).join(".").replace(/\s+/g, " ");
    const collection = called.includes("(") ? `any.${called.split(".").at(-1)}` : called;
    const base = `${nounIn(path)}/${name} ${collection}`;
    const alike = manyWrites.filter((other) => other.name.startsWith(base)).length;
    manyWrites.push({
      name: alike === 0 ? base : `${base} ${alike + 1}`,
      file: path,
      fromLine: lineAt(part.getStart(source)),
      toLine: lineAt(part.end),
    });
  });
  return manyWrites;
}
