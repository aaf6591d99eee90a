import { type Tool, type ToolAnswer, type ToolTask, Unreadable } from "#app/tools/tool-task.ts";
import { TOOLS } from "#domain/code-runs/code-tool.ts";
import { unifiedDiff } from "#domain/text/unified-diff.ts";

type ToolName = (typeof TOOLS)[keyof typeof TOOLS];

/** Tools are loaded at their first use. */
const BY_NAME: Record<ToolName, () => Promise<Tool>> = {
  ruff: async () => (await import("#app/tools/python.ts")).python,
  prettier: async () => (await import("#app/tools/web.ts")).web,
  "sql-formatter": async () => (await import("#app/tools/sql.ts")).sql,
  "sh-syntax": async () => (await import("#app/tools/shell.ts")).shell,
};

export async function applyTool(task: ToolTask): Promise<ToolAnswer> {
  const name = TOOLS[task.language];
  const tool = await BY_NAME[name]();
  if (task.verb === "check") return { verb: "check", issues: await tool.check(task) };
  try {
    const formatted_code = await tool.format(task);
    const diff = unifiedDiff(task.code, formatted_code);
    const has_changes = formatted_code !== task.code;
    return { verb: "format", formatted: { formatted_code, diff, has_changes, tool: name } };
  } catch (error) {
    if (error instanceof Unreadable) return { verb: "check", issues: error.issues };
    throw error;
  }
}
