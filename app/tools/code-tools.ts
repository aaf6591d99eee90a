import type { ToolAnswer, ToolTask } from "#app/tools/tool-task.ts";
import { type Formatted, type Issue, TOOLS, type ToolRequest } from "#domain/code-tool.ts";
import { Refusal } from "#domain/refusal.ts";
import { createThread, type Unanswered } from "#platform/thread.ts";

/** Formats and checks code on threads of their own: one for short texts, so that no long one keeps them waiting. */
export type CodeTools = {
  format(request: ToolRequest): Promise<Formatted | Refusal>;
  check(request: ToolRequest): Promise<Issue[] | Refusal>;
  close(): Promise<void>;
};

const DEADLINE_MS = 10_000;
const MAX_WAITING = 20;
const THREAD_MEMORY_MB = 512;
const LONG_CHARACTERS = 48 * 1024;
const RETRY_SECONDS = 5;

const REFUSALS: Record<Unanswered, Refusal> = {
  late: Refusal("tool_too_slow"),
  failed: Refusal("tool_failed"),
  busy: Refusal("tools_busy", { retry_after: RETRY_SECONDS }),
};

export function createCodeTools({ deadlineMs = DEADLINE_MS, maxWaiting = MAX_WAITING } = {}): CodeTools {
  const open = () =>
    createThread<ToolTask, ToolAnswer>({
      module: new URL("./tool-thread.ts", import.meta.url),
      deadlineMs,
      maxWaiting,
      memoryMb: THREAD_MEMORY_MB,
    });
  const [short, long] = [open(), open()];

  async function ask(task: ToolTask): Promise<ToolAnswer | Refusal> {
    const thread = task.code.length > LONG_CHARACTERS ? long : short;
    const answer = await thread.ask(task);
    return typeof answer === "string" ? REFUSALS[answer] : answer;
  }

  return {
    async format(request) {
      const answer = await ask({ ...request, verb: "format" });
      if ("refused" in answer) return answer;
      if (answer.verb === "format") return answer.formatted;
      const [{ message, line, column }] = answer.issues as [Issue];
      return Refusal("syntax_error", { message, line, column, tool: TOOLS[request.language] });
    },
    async check(request) {
      const answer = await ask({ ...request, verb: "check" });
      if ("refused" in answer) return answer;
      return answer.verb === "check" ? answer.issues : [];
    },
    close: async () => void (await Promise.all([short.close(), long.close()])),
  };
}
