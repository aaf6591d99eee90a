/** Finds paths of pages in a source's literals. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const ROUTES = "app/routes";

/** The files of all routes: a page is a file, or a folder with a `route.tsx`. */
export function listRouteFiles(): string[] {
  return readdirSync(join(PROJECT_ROOT, ROUTES), { withFileTypes: true }).map((entry) =>
    entry.isDirectory() ? `${ROUTES}/${entry.name}/route.tsx` : `${ROUTES}/${entry.name}`,
  );
}

/** The first segments of the pages' paths; the API has its table instead. */
export function listPageWords(): Set<string> {
  const words = readdirSync(join(PROJECT_ROOT, ROUTES)).map((name) => name.replace(/_?\..*$/s, ""));
  return new Set(words.filter((word) => /^\w/.test(word) && word !== "api" && word !== "_index"));
}

/** Lists each path of a page in a source, and each comparison of a request's path, a sentence each. */
export function findPagePaths(path: string, source: string, words: ReadonlySet<string>): string[] {
  const sentences: string[] = [];
  const visit = (node: ts.Node): void => {
    if (namesPage(node, words) || comparesPath(node)) sentences.push(`${path}: ${node.getText()}`);
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  return sentences;
}

function namesPage(node: ts.Node, words: ReadonlySet<string>): boolean {
  if (ts.isRegularExpressionLiteral(node))
    return /^\/\^?\\\//.test(node.text) && (node.text.match(/\w+/g) ?? []).some((word) => words.has(word));
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node)) return false;
  const [, word] = /^\/(\w+)(?![\w.])/.exec(node.text) ?? [];
  return word !== undefined && words.has(word);
}

const EQUALITIES = [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken];

function comparesPath(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !EQUALITIES.includes(node.operatorToken.kind)) return false;
  const sides = [node.left, node.right];
  if (sides.some((side) => side.getText() === "undefined")) return false;
  return sides.some(
    (side) => ts.isPropertyAccessExpression(side) && ["path", "pathname"].includes(side.name.text),
  );
}

/** Whether a source exports a handle without its type, which would hide a misspelt key. */
export function hasUntypedHandle(source: string): boolean {
  return (
    /\bexport\b[^;]*\bhandle\b/.test(source) && !/export const handle: (Page|Route)Handle\b/.test(source)
  );
}
