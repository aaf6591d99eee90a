import { z } from "zod";
import { checkCode, formatCode } from "#app/tools/code-tools.server.ts";
import {
  type Call,
  type DeferredBody,
  type Endpoint,
  endpoint,
  withFailureFlag,
} from "#app/web/api/api.server.ts";
import { line } from "#app/web/api/shapes.server.ts";
import { TOOL_CODE_MAX_BYTES, type ToolRequest } from "#domain/code-runs/code-tool.ts";
import { toolRequest } from "#domain/code-runs/code-tool-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type ToolCall = Call<string, "user", undefined, DeferredBody<typeof toolRequest>>;
type Verb = (toolCall: ToolCall, request: ToolRequest) => Promise<object | Refusal>;

// JSON writes one byte of a text as six bytes at most.
const BODY_MAX_BYTES = 6 * TOOL_CODE_MAX_BYTES + 1024;

const success = z.literal(true);
const formatAnswer = z.object({
  success,
  formatted_code: z.string(),
  diff: z.string(),
  has_changes: z.boolean(),
  tool: z.string(),
});
const issue = z
  .object({
    line,
    column: line,
    code: z.string(),
    message: z.string(),
    severity: z.enum(["error", "warning"]),
    fixable: z.boolean(),
  })
  .meta({ id: "Issue" });

type ToolEndpoint = { path: string; summary: string; shape: z.ZodType };

function createToolEndpoint({ path, summary, shape }: ToolEndpoint, verb: Verb): Endpoint {
  return endpoint({
    method: "POST",
    path,
    gate: "user",
    summary,
    body: { deferred: toolRequest, maxBytes: BODY_MAX_BYTES },
    refuses: ["missing_code", "syntax_error", "no_tool", "tool_failed", "tools_busy", "tool_too_slow"],
    returns: { 200: shape },
    answer: async (call) => {
      const answer = await answerToolCall(call, verb);
      return isRefusal(answer) ? answer : { success: true, ...answer };
    },
  });
}

async function answerToolCall(call: ToolCall, verb: Verb): Promise<object | Refusal> {
  const request = await call.body();
  if (!isRefusal(request)) return verb(call, request);
  // The limit of the body follows from that of the code, so the refusal names the latter.
  return request.refused === "payload_too_large"
    ? Refusal(request.refused, { max: TOOL_CODE_MAX_BYTES })
    : request;
}

export const codeToolEndpoints = withFailureFlag("success", [
  createToolEndpoint(
    { path: "/api/code/format", summary: "Format code", shape: formatAnswer },
    ({ services: { threads }, signedIn: { user } }, request) => formatCode(threads, user.id, request),
  ),
  createToolEndpoint(
    {
      path: "/api/code/check",
      summary: "Check code",
      shape: z.object({ success, issues: z.array(issue) }),
    },
    async ({ services: { threads }, signedIn: { user } }, request) => {
      const issues = await checkCode(threads, user.id, request);
      return isRefusal(issues) ? issues : { issues };
    },
  ),
]);
