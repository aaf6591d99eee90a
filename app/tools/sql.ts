import { format } from "sql-formatter";
import { issueFrom, type Tool, Unreadable } from "#app/tools/tool-task.ts";
import type { Issue } from "#domain/code-runs/code-tool.ts";

export const sql: Tool = {
  format({ code }) {
    const issues = wrongWith(code);
    if (issues.length > 0) throw new Unreadable(issues);
    return `${format(code, { language: "sql" })}\n`;
  },
  check: ({ code }) => wrongWith(code),
};

function wrongWith(code: string): Issue[] {
  try {
    format(code, { language: "sql" });
    return [];
  } catch (error) {
    return [issueFrom(error, findPosition)];
  }
}

function findPosition(error: Error): [line: number, column: number] {
  const [, line = "1", column = "1"] = /at line (\d+) column (\d+)/.exec(error.message.slice(0, 500)) ?? [];
  return [Number(line), Number(column)];
}
