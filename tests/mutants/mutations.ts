import ts from "typescript";

/** One small change to a module that some test should notice. */
export type Mutation = { start: number; end: number; text: string; line: number; what: string };

const OPERATORS: Readonly<Record<string, string>> = {
  "||": "&&",
  "&&": "||",
  "??": "&&",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "%": "*",
};

/** Every mutation of a module's code, in its order. Types, imports and names of fields stay unchanged. */
export function listMutations(path: string, source: string): Mutation[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const mutations: Mutation[] = [];
  const add = (node: ts.Node, text: string, what: string) => {
    const start = node.getStart(file);
    mutations.push({
      start,
      end: node.end,
      text,
      line: file.getLineAndCharacterOfPosition(start).line + 1,
      what,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    mutateNode(node, add);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutations;
}

function mutateNode(node: ts.Node, add: (node: ts.Node, text: string, what: string) => void): void {
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.getText();
    const other = OPERATORS[operator];
    const isText = operator === "+" && [node.left, node.right].some(isTextLiteral);
    if (other && !isText) add(node.operatorToken, other, `${operator} to ${other}`);
  } else if (ts.isIfStatement(node)) negate(node.expression, add);
  else if (ts.isConditionalExpression(node)) negate(node.condition, add);
  else if (ts.isNumericLiteral(node) && !isFieldName(node))
    add(node, `(${node.getText()} + 1)`, `${node.getText()} one higher`);
  else if (ts.isStringLiteral(node) && node.text !== "" && !isFieldName(node)) add(node, '""', "no text");
  else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isAssigned(node))
    add(node, "[]", "no items");
  else if (ts.isBlock(node) && ts.isFunctionLike(node.parent) && node.statements.length > 0)
    add(node, "{}", "nothing done");
}

function negate(condition: ts.Expression, add: (node: ts.Node, text: string, what: string) => void): void {
  add(condition, `!(${condition.getText()})`, "condition negated");
}

const isTextLiteral = (node: ts.Node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

const isFieldName = ({ parent }: ts.Node & { parent: ts.Node }) =>
  ts.isLiteralTypeNode(parent) || (ts.isPropertyAssignment(parent) && ts.isLiteralExpression(parent.name));

const isAssigned = ({ parent }: ts.Node) => ts.isBinaryExpression(parent) || ts.isForOfStatement(parent);
