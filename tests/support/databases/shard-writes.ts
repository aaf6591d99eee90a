/**
 * Finds the writes to one document in the stores' sources, and whether their filters name the shard. It reads the filter's type, not its
 * text, so filters that a function makes are included.
 */

import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { SHARD_KEYS } from "#db/open/shard-keys.ts";
import { required } from "#domain/required.ts";

const VERBS: ReadonlySet<string> = new Set([
  "updateOne",
  "deleteOne",
  "replaceOne",
  "findOneAndUpdate",
  "findOneAndDelete",
  "findOneAndReplace",
]);

/** `collection` is null if the source does not name it. */
type ShardWrite = { place: string; collection: string | null; verb: string; targets: boolean };

export function listShardWrites(root: string, sources: readonly string[]): ShardWrite[] {
  const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const program = ts.createProgram([...sources], { ...options, noEmit: true, incremental: false });
  const checker = program.getTypeChecker();
  return sources.flatMap((path) => listWritesIn(required(program.getSourceFile(path)), checker, root));
}

export const listStoreSources = (root: string) =>
  readdirSync(join(root, "db"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/^(engine|local)\//.test(name))
    .map((name) => join(root, "db", name));

function listWritesIn(file: ts.SourceFile, checker: ts.TypeChecker, root: string): ShardWrite[] {
  const writes: ShardWrite[] = [];
  const add = (node: ts.Node, verb: string, collection: string | null, filter: ts.Expression) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const position = `${relative(root, file.fileName)}:${line + 1}`;
    writes.push({
      place: position,
      collection,
      verb,
      targets: collection !== null && hasKey(collection, filter, checker),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      if (VERBS.has(name.text) && node.arguments.length > 0 && isCollection(expression, checker))
        add(node, name.text, readName(expression), required(node.arguments[0]));
    }
    if (ts.isPropertyAssignment(node) && VERBS.has(node.name.getText())) {
      const filter = findFilter(node.initializer);
      if (filter) add(node, `bulk ${node.name.getText()}`, findBulkCollection(node), filter);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return writes;
}

const isCollection = (expression: ts.Expression, checker: ts.TypeChecker) =>
  /^(Pick<)?Collection</.test(checker.typeToString(checker.getTypeAtLocation(expression)));

function readName(expression: ts.Expression): string | null {
  const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
  return name in SHARD_KEYS ? name : null;
}

function findFilter(value: ts.Expression): ts.Expression | undefined {
  if (!ts.isObjectLiteralExpression(value)) return undefined;
  for (const property of value.properties) {
    if (property.name?.getText() !== "filter") continue;
    if (ts.isPropertyAssignment(property)) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property)) return property.name;
  }
  return undefined;
}

/** The collection to which the surrounding function, or else the file, writes in bulk. */
function findBulkCollection(node: ts.Node): string | null {
  for (let around: ts.Node = node; around; around = around.parent) {
    if (!ts.isFunctionLike(around) && !ts.isSourceFile(around)) continue;
    const names = [...around.getText().matchAll(/(\w+)\.bulkWrite\(/g)].map(([, name]) => name);
    const [name] = names;
    if (name !== undefined && new Set(names).size === 1) return name in SHARD_KEYS ? name : null;
    if (names.length > 0) return null;
  }
  return null;
}

/** Whether every form of the filter has the field with one value, not a range. */
function hasKey(collection: string, filter: ts.Expression, checker: ts.TypeChecker): boolean {
  const key = SHARD_KEYS[collection as keyof typeof SHARD_KEYS];
  if ("whole" in key) return true;
  const type = checker.getTypeAtLocation(filter);
  const forms = type.isUnion() ? type.types : [type];
  return forms.every((form) => {
    const field = checker.getPropertyOfType(form, key.by);
    if (!field || field.flags & ts.SymbolFlags.Optional) return false;
    return isOneValue(checker.getTypeOfSymbolAtLocation(field, filter));
  });
}

function isOneValue(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.every(isOneValue);
  if (type.isIntersection()) return type.types.some(isOneValue);
  return (type.flags & PLAIN) !== 0 || type.symbol?.name === "ObjectId";
}

const PLAIN = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike;
