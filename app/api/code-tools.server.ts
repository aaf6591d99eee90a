import { type Call, type Endpoint, endpoint } from "#app/http/api.server.ts";
import { readJson } from "#app/http/body.server.ts";
import { checkToolRequest, TOOL_CODE_MAX_BYTES, type ToolRequest } from "#domain/code-tool.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** Formatting and checking, for anyone who is logged in. */
type Asked = Call<string, "user", undefined, undefined>;
type Verb = (asked: Asked, request: ToolRequest) => Promise<object | Refusal>;

// JSON writes a character of one byte in six at most.
const BODY_MAX_BYTES = 6 * TOOL_CODE_MAX_BYTES + 1024;

function tool(path: string, verb: Verb): Endpoint {
  return endpoint({
    method: "POST",
    path,
    gate: "user",
    answer: async (call) => {
      const answer = await answerOf(call, verb);
      return isRefusal(answer) ? answer : { success: true, ...answer };
    },
  });
}

async function answerOf(call: Asked, verb: Verb): Promise<object | Refusal> {
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
  tool("/api/code/format", ({ shelf: { codeTools } }, request) => codeTools.format(request)),
  tool("/api/code/check", async ({ shelf: { codeTools } }, request) => {
    const issues = await codeTools.check(request);
    return isRefusal(issues) ? issues : { issues };
  }),
];
