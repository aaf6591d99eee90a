import type { Formatted, Issue, ToolRequest } from "#domain/code-runs/code-tool.ts";
import { readError } from "#platform/read-error.ts";

/** The input of a tool, and its result. */
export type ToolTask = ToolRequest & { verb: "format" | "check" };

export type ToolAnswer = { verb: "format"; formatted: Formatted } | { verb: "check"; issues: Issue[] };

/** One tool over one text: the text in good order, or what keeps it from being read. */
export type Tool = {
  format(task: ToolTask): Promise<string> | string;
  check(task: ToolTask): Promise<Issue[]> | Issue[];
};

/** Thrown by `format` where the text is not in the language it is said to be in. */
export class Unreadable extends Error {
  readonly issues: Issue[];
  constructor(issues: Issue[]) {
    super("unreadable");
    this.issues = issues;
  }
}

const MESSAGE_MAX = 300;

export function syntaxIssue(line: number, column: number, message: string): Issue {
  const [first = ""] = message.split("\n");
  return {
    line: Math.max(1, line),
    column: Math.max(1, column),
    code: "syntax",
    message: first.slice(0, MESSAGE_MAX),
    severity: "error",
    fixable: false,
  };
}

/**
 * What a parser threw, as an issue. A stack or a memory that ran out is no property of the text's grammar, and may have left
 * the parser broken: it is thrown on, and costs the thread.
 */
export function issueFrom(error: unknown, place: (error: never) => [line: number, column: number]): Issue {
  const fault = error instanceof Error ? error : new Error(readError(error).message);
  const broken = [RangeError, WebAssembly.RuntimeError].some((kind) => fault instanceof kind);
  if (broken || /call stack/i.test(fault.message)) throw error;
  // Each parser throws errors of its own, which `place` knows.
  const [line, column] = place(error as never);
  return syntaxIssue(line, column, fault.message);
}
