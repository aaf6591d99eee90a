import type { ToolAnswer, ToolTask } from "#app/tools/tool-task.ts";
import type { applyTool } from "#app/tools/use-tool.ts";
import { type Formatted, type Issue, TOOLS, type ToolRequest } from "#domain/code-runs/code-tool.ts";
import { Refusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { removeByteOrderMark } from "#domain/text/line-ends.ts";
import { PAGE_MS } from "#platform/threads/page-time.ts";
import { digestKey } from "#platform/threads/result-cache.ts";
import { defineJob, type GaveUp } from "#platform/threads/thread-job.ts";
import type { ThreadPool } from "#platform/threads/thread-pool.ts";

export const TOOL_JOB = defineJob<typeof applyTool>({
  name: "code_tool",
  module: "#app/tools/use-tool.ts",
  run: "applyTool",
  processorMs: PAGE_MS,
  maxOutput: 8 * 1024 * 1024,
});

/** Formats and checks code with third-party tools on threads, because a text may cost its thread. */
const RETRY_SECONDS = 5;

const REFUSALS: Record<GaveUp, Refusal> = {
  too_slow: Refusal("tool_too_slow"),
  too_large: Refusal("tool_failed"),
  failed: Refusal("tool_failed"),
  busy: Refusal("tools_busy", { retry_after: RETRY_SECONDS }),
};

async function runTool(threads: ThreadPool, owner: string, request: ToolTask): Promise<ToolAnswer | Refusal> {
  const task = { ...request, code: removeByteOrderMark(request.code) };
  const key = digestKey(task.verb, task.language, task.code);
  const answer = await threads.run(TOOL_JOB, task, { owner, key });
  return answer.ok ? answer.value : REFUSALS[answer.reason];
}

export async function formatCode(
  threads: ThreadPool,
  owner: string,
  request: ToolRequest,
): Promise<Formatted | Refusal> {
  const answer = await runTool(threads, owner, { ...request, verb: "format" });
  if ("refused" in answer) return answer;
  if (answer.verb === "format") return answer.formatted;
  const { message, line, column } = itemAt(answer.issues, 0);
  return Refusal("syntax_error", { message, line, column, tool: TOOLS[request.language] });
}

export async function checkCode(
  threads: ThreadPool,
  owner: string,
  request: ToolRequest,
): Promise<Issue[] | Refusal> {
  const answer = await runTool(threads, owner, { ...request, verb: "check" });
  if ("refused" in answer) return answer;
  return answer.verb === "check" ? answer.issues : [];
}
