import { format } from "sql-formatter";
import { type Tool, toParserIssue, toSyntaxIssue, Unreadable } from "#app/tools/tool-task.ts";
import type { Issue } from "#domain/code-runs/code-tool.ts";

export const sql: Tool = {
  format({ code }) {
    const issues = findSyntaxIssues(code);
    if (issues.length > 0) throw new Unreadable(issues);
    return `${format(code, { language: "sql" })}\n`;
  },
  check: ({ code }) => findSyntaxIssues(code),
};

/** Real queries nest less. The parser's time grows with the square of the depth: half a second for this one. */
const NESTING_MAX = 200;

function findSyntaxIssues(code: string): Issue[] {
  const tooDeep = findTooDeep(code);
  if (tooDeep) return [toSyntaxIssue(...tooDeep, `Nested more than ${NESTING_MAX} levels deep.`)];
  try {
    format(code, { language: "sql" });
    return [];
  } catch (error) {
    return [toParserIssue(error, findPosition)];
  }
}

function findTooDeep(code: string): [line: number, column: number] | null {
  let depth = 0;
  for (const { index, 0: mark } of code.matchAll(/[()]/g)) {
    depth = mark === "(" ? depth + 1 : Math.max(0, depth - 1);
    if (depth <= NESTING_MAX) continue;
    const before = code.slice(0, index).split("\n");
    return [before.length, (before.at(-1)?.length ?? 0) + 1];
  }
  return null;
}

function findPosition(error: Error): [line: number, column: number] {
  const [, line = "1", column = "1"] = /at line (\d+) column (\d+)/.exec(error.message.slice(0, 500)) ?? [];
  return [Number(line), Number(column)];
}
