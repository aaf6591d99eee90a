import { z } from "zod";
import { type Call, type DescribedBody, type Endpoint, endpoint } from "#app/http/api/api.server.ts";
import { line } from "#app/http/api/shapes.server.ts";
import { readJson } from "#app/http/door/body.server.ts";
import { checkCode, formatCode } from "#app/tools/code-tools.server.ts";
import {
  checkToolRequest,
  TOOL_CODE_MAX_BYTES,
  TOOL_LANGUAGES,
  type ToolRequest,
} from "#domain/code-runs/code-tool.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** Formatting and checking, for anyone who is logged in. */
type ToolCall = Call<string, "user", undefined, DescribedBody>;
type Verb = (asked: ToolCall, request: ToolRequest) => Promise<object | Refusal>;

// JSON writes a character of one byte in six at most.
const BODY_MAX_BYTES = 6 * TOOL_CODE_MAX_BYTES + 1024;

const toolRequest = z.object({ code: z.string(), language: z.enum(TOOL_LANGUAGES) });
const success = z.literal(true);
const formatted = z.object({
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

type Told = { path: string; summary: string; shape: z.ZodType };

function tool({ path, summary, shape }: Told, verb: Verb): Endpoint {
  return endpoint({
    method: "POST",
    path,
    gate: "user",
    summary,
    body: { described: toolRequest },
    returns: { 200: shape },
    answer: async (call) => {
      const answer = await answerToolCall(call, verb);
      return isRefusal(answer) ? answer : { success: true, ...answer };
    },
  });
}

async function answerToolCall(call: ToolCall, verb: Verb): Promise<object | Refusal> {
  const given = await readJson(call.request, BODY_MAX_BYTES);
  if (isRefusal(given))
    return given.refused === "payload_too_large"
      ? Refusal(given.refused, { max: TOOL_CODE_MAX_BYTES })
      : given;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return Refusal("invalid_payload");
  const { code, language } = given as Record<string, unknown>;
  const request = checkToolRequest(code, language);
  return isRefusal(request) ? request : verb(call, request);
}

export const codeToolEndpoints = [
  tool(
    { path: "/api/code/format", summary: "Format code", shape: formatted },
    ({ services: { threads }, visitor: { user } }, request) => formatCode(threads, user.id, request),
  ),
  tool(
    {
      path: "/api/code/check",
      summary: "Find what is wrong in code",
      shape: z.object({ success, issues: z.array(issue) }),
    },
    async ({ services: { threads }, visitor: { user } }, request) => {
      const issues = await checkCode(threads, user.id, request);
      return isRefusal(issues) ? issues : { issues };
    },
  ),
];
