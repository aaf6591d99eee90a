import { print } from "sh-syntax";
import { type Tool, toParserIssue, Unreadable } from "#app/tools/tool-task.ts";
import type { Issue } from "#domain/code-runs/code-tool.ts";

type Placed = Error & { Pos?: { Line: number; Col: number } };

export const shell: Tool = {
  async format({ code }) {
    try {
      return await print(code);
    } catch (error) {
      throw new Unreadable([toIssue(error)]);
    }
  },
  async check({ code }) {
    try {
      await print(code);
      return [];
    } catch (error) {
      return [toIssue(error)];
    }
  },
};

function toIssue(error: unknown): Issue {
  return toParserIssue(error, ({ Pos }: Placed) => [Pos?.Line ?? 1, Pos?.Col ?? 1]);
}
