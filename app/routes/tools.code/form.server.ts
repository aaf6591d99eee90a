import { z } from "zod";
import { runForPerson } from "#app/code-runs/code.server.ts";
import { readRunFields } from "#app/code-runs/run-fields.server.ts";
import { checkCode, formatCode } from "#app/tools/code-tools.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import { findPremiumRefusal } from "#app/web/session/premium.server.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import { type CodeRunResult, isRunnable } from "#domain/code-runs/code-run.ts";
import { codeRunRequest } from "#domain/code-runs/code-run-schema.ts";
import type { Formatted, Issue } from "#domain/code-runs/code-tool.ts";
import { toolRequest } from "#domain/code-runs/code-tool-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkBySchema } from "#domain/schema.ts";
import { plainLineEnds } from "#domain/text/line-ends.ts";

const text = z.string().default("");
const ISSUES_SHOWN = 200;

export const toolForm = z.object({
  intent: z.enum(["run", "format", "check", "take"]),
  // Browsers send every line end as CRLF.
  text: text.transform(plainLineEnds),
  language: z.string().default("python"),
  file_name: text,
  timeout: text,
  stdin: text.transform(plainLineEnds),
  args: text,
});

export type ToolForm = z.output<typeof toolForm>;

export type ToolResult =
  | { did: "run"; run: CodeRunResult }
  | { did: "format"; formatted: Formatted }
  | { did: "check"; count: number; issues: Issue[] }
  | { did: "take" };

type ToolRequest = { services: WebServices; signedIn: SignedIn; form: ToolForm; signal: AbortSignal };

const VERBS: Record<ToolForm["intent"], (call: ToolRequest) => Promise<ToolResult | Refusal>> = {
  take: async () => ({ did: "take" }),
  async run({ services, signedIn, form, signal }) {
    const refusal = findPremiumRefusal(signedIn);
    if (refusal) return refusal;
    const { language, text: code } = form;
    if (!isRunnable(language)) return Refusal("not_runnable");
    const request = checkBySchema(codeRunRequest, { code, language, ...readRunFields(form) });
    const run = await runForPerson(services, { userId: signedIn.user.id, signal }, request);
    return isRefusal(run) ? run : { did: "run", run };
  },
  async format({ services, signedIn, form }) {
    const request = checkBySchema(toolRequest, { code: form.text, language: form.language });
    const result = isRefusal(request)
      ? request
      : await formatCode(services.threads, signedIn.user.id, request);
    return isRefusal(result) ? result : { did: "format", formatted: result };
  },
  async check({ services, signedIn, form }) {
    const request = checkBySchema(toolRequest, { code: form.text, language: form.language });
    const issues = isRefusal(request)
      ? request
      : await checkCode(services.threads, signedIn.user.id, request);
    if (isRefusal(issues)) return issues;
    return { did: "check", count: issues.length, issues: issues.slice(0, ISSUES_SHOWN) };
  },
};

export function carryOutTool(call: ToolRequest): Promise<ToolResult | Refusal> {
  return VERBS[call.form.intent](call);
}
