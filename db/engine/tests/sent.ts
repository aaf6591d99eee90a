/**
 * Reads from the sources of the product which operators and commands it sends to its database: the operators by the literals that hold them, the commands by the
 * methods of the driver.
 */
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

export type Kind = "filter" | "update" | "clause" | "stage" | "accumulator" | "expression";

/** The place of a name tells the tables apart that share it. */
export interface Tables {
  [kind: string]: ReadonlySet<string>;
}

export interface Sent {
  kind: Kind | "unknown";
  name: string;
  place: string;
}

export interface Source {
  path: string;
  text: string;
}

export function listSources(...patterns: string[]): Source[] {
  return globSync(patterns)
    .filter((path) => !path.startsWith("db/engine/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

const OPERATOR = /^\$[a-z]\w*$/i;

function nameOf(node: ts.Node): string | undefined {
  const isNamed = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
  if (isNamed && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))) return node.name.text;
  return undefined;
}

/** The operators whose literals hold this one, the nearest first. */
function outerNames(node: ts.Node): string[] {
  const names: string[] = [];
  for (let outer = node.parent; outer && !ts.isStatement(outer); outer = outer.parent) {
    const name = nameOf(outer);
    if (name && OPERATOR.test(name)) names.push(name);
  }
  return names;
}

/** A text that begins with a dollar reads a field: only expressions hold one. */
function readsField(node: ts.Node | undefined): boolean {
  if (!node) return false;
  if (ts.isArrayLiteralExpression(node)) return node.elements.some(readsField);
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return /^.\$/.test(node.getText());
  return false;
}

function toKind(name: string, node: ts.Node, tables: Tables): Kind | "unknown" {
  const outer = outerNames(node);
  const has = (kind: Kind) => tables[kind]?.has(name) === true;
  const operand = ts.isPropertyAssignment(node) ? node.initializer : undefined;
  const only = (candidate: string) =>
    tables.expression?.has(candidate) === true && !tables.filter?.has(candidate) && candidate !== "$slice";
  if (has("stage") && ts.isArrayLiteralExpression(node.parent.parent)) return "stage";
  if (has("accumulator") && (outer[0] === "$group" || (readsField(operand) && !has("expression"))))
    return "accumulator";
  if (has("accumulator") && readsField(operand) && outer.length === 0) return "accumulator";
  if (
    has("expression") &&
    (only(name) || readsField(operand) || outer.some((each) => each === "$expr" || only(each)))
  )
    return "expression";
  if (has("clause") && outer.includes("$push")) return "clause";
  const matchingKind = (["update", "filter", "clause", "expression", "stage", "accumulator"] as const).find(
    has,
  );
  return matchingKind ?? "unknown";
}

export function listOperators(sources: readonly Source[], tables: Tables): Sent[] {
  const sent: Sent[] = [];
  for (const { path, text } of sources) {
    if (!/\$[a-z]/i.test(text)) continue;
    const add = (kind: Sent["kind"], name: string) => sent.push({ kind, name, place: path });
    const visit = (node: ts.Node): void => {
      const name = nameOf(node);
      if (name && OPERATOR.test(name)) add(toKind(name, node, tables), name);
      // A direction may choose between "$gt" and "$lt".
      if (ts.isStringLiteral(node) && !nameOf(node.parent) && tables.filter?.has(node.text))
        add("filter", node.text);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  }
  return sent;
}

/** The command that each method of the driver sends. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  aggregate: ["aggregate"],
  bulkWrite: ["insert", "update", "delete"],
  countDocuments: ["aggregate"],
  createIndex: ["createIndexes"],
  createIndexes: ["createIndexes"],
  deleteMany: ["delete"],
  deleteOne: ["delete"],
  distinct: ["distinct"],
  dropDatabase: ["dropDatabase"],
  dropIndex: ["dropIndexes"],
  estimatedDocumentCount: ["count"],
  explain: ["explain"],
  find: ["find"],
  findOne: ["find"],
  findOneAndDelete: ["findAndModify"],
  findOneAndUpdate: ["findAndModify"],
  insertMany: ["insert"],
  insertOne: ["insert"],
  listCollections: ["listCollections"],
  listDatabases: ["listDatabases"],
  listIndexes: ["listIndexes"],
  replaceOne: ["update"],
  updateMany: ["update"],
  updateOne: ["update"],
};
/** Methods of the driver that send what the engine does not have: nobody may call them. */
const UNKNOWN_METHODS = ["createCollection", "findOneAndReplace", "rename", "watch", "withTransaction"];

/** Commands that are named in `command({ name: … })`, and those that methods of the driver send. */
export function listCommands(sources: readonly Source[]): Set<string> {
  const sent = new Set<string>();
  for (const { text } of sources) {
    for (const [, method = ""] of text.matchAll(/\.(\w+)(?:<[^()]*>)?\(/g))
      if (Object.hasOwn(METHODS, method)) for (const command of METHODS[method] ?? []) sent.add(command);
    for (const [, command = ""] of text.matchAll(/\.(?:command|adminCommand)\(\{\s*(\w+):/g))
      sent.add(command);
  }
  return sent;
}

/** Methods of a collection or a database that the engine does not have. */
export function listUnknownMethods(sources: readonly Source[]): string[] {
  const calls = new RegExp(`\\b(?:db|mongo|collection)\\S*\\.(?:${UNKNOWN_METHODS.join("|")})\\(`, "g");
  return sources.flatMap(({ path, text }) => [...text.matchAll(calls)].map(([call]) => `${path}: ${call}`));
}
