/** Finds visible text in sources that is not from a dictionary. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const READ_ATTRIBUTES = new Set([
  "alt",
  "aria-description",
  "aria-label",
  "aria-placeholder",
  "aria-roledescription",
  "aria-valuetext",
  "content",
  "label",
  "placeholder",
  "title",
]);
/** Properties by which a behaviour writes text into a page. */
const WRITTEN_PROPERTIES = new Set(["textContent", "innerText", "title", "ariaLabel", "placeholder", "alt"]);
const WORD = /\p{L}{2,}/u;
/** Names that are the same in every language, and values that browsers read. */
const NOT_WORDS = new Set(["CSV", "JSON", "openapi.json", "recycle_bin_ttl"]);

export function sourcesIn(folder: string): string[] {
  return readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".server.ts"))
    .map((name) => join(folder, name));
}

export function hardCodedIn(path: string): string[] {
  return findHardCoded(path, readFileSync(join(PROJECT_ROOT, path), "utf8"));
}

/** Returns each such text as `file:line text`. */
export function findHardCoded(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const texts: string[] = [];
  const add = (node: ts.Node, text: string) => {
    if (!WORD.test(text) || NOT_WORDS.has(text.trim())) return;
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    texts.push(`${path}:${line + 1} ${text.trim()}`);
  };
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node)) add(node, node.text);
    if (ts.isJsxAttribute(node) && READ_ATTRIBUTES.has(node.name.getText()))
      for (const text of listTexts(node.initializer)) add(text, text.text);
    if (ts.isJsxExpression(node) && node.parent && !ts.isJsxAttribute(node.parent))
      for (const text of listTexts(node.expression)) add(text, text.text);
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isPropertyAccessExpression(node.left) &&
      WRITTEN_PROPERTIES.has(node.left.name.text)
    )
      for (const text of listTexts(node.right)) add(text, text.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

type Text =
  | ts.StringLiteral
  | ts.NoSubstitutionTemplateLiteral
  | ts.TemplateHead
  | ts.TemplateMiddle
  | ts.TemplateTail;

/** The texts that an expression may evaluate to, without its conditions and calls. */
function listTexts(node: ts.Node | undefined): Text[] {
  if (!node) return [];
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node];
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return listTexts(node.expression);
  if (ts.isConditionalExpression(node)) return [...listTexts(node.whenTrue), ...listTexts(node.whenFalse)];
  if (ts.isTemplateExpression(node)) return [node.head, ...node.templateSpans.map(({ literal }) => literal)];
  const CHOOSING = [
    ts.SyntaxKind.AmpersandAmpersandToken,
    ts.SyntaxKind.BarBarToken,
    ts.SyntaxKind.QuestionQuestionToken,
  ];
  if (ts.isBinaryExpression(node) && CHOOSING.includes(node.operatorToken.kind))
    return [...listTexts(node.left), ...listTexts(node.right)];
  return [];
}
