import { redirect } from "@remix-run/node";
import { wantsJsonByName, wantsPage } from "#app/http/answers/accept.ts";
import { type Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";

export const SEE_OTHER = 303;

export function refusalResponse(refusal: Refusal, headers?: HeadersInit): Response {
  const all = { ...toRetryHeaders(refusal.context), ...Object.fromEntries(new Headers(headers)) };
  return Response.json(refusalBody(refusal), { status: refusalStatus(refusal), headers: all });
}

/** The Retry-After header of a temporary refusal, which also has `retry_after` in its body. */
export function toRetryHeaders({ retry_after }: Record<string, unknown>): Record<string, string> {
  return typeof retry_after === "number" ? { "Retry-After": String(retry_after) } : {};
}

/** One action, two kinds of caller: a form's navigation goes on to a page, any other caller gets JSON. */
export function done(request: Request, body: Record<string, unknown>, goTo: string, status = 200): Response {
  if (wantsPage(request.headers.get("Accept"))) return redirect(goTo, SEE_OTHER);
  // Thrown, so that no page is rendered; entry.server returns its JSON unchanged.
  throw Response.json(body, { status });
}

/** The refusal of an action: a form gets it back as data to show beside what was typed, any other caller as JSON. */
export function refused<Typed>(request: Request, refusal: Refusal, typed: Typed): Response {
  if (!wantsPage(request.headers.get("Accept"))) throw refusalResponse(refusal);
  const headers = toRetryHeaders(refusal.context);
  return Response.json({ refusal: refusalBody(refusal), typed }, { status: refusalStatus(refusal), headers });
}

/** What a page shows, for a caller who asks for JSON by name; everybody else gets the page. */
export function answerJson(
  { request, context }: { request: Request; context: { answer: Response | null } },
  body: Record<string, unknown>,
): void {
  if (!wantsJsonByName(request.headers.get("Accept"))) return;
  const headers = { "Cache-Control": "private, no-store" };
  context.answer = Response.json({ ok: true, ...body }, { headers });
}

/** The noun, or the answer that there is none. */
export function orRefuse<T>(found: T | null | undefined, refusal: Refusal): T {
  if (found === null || found === undefined) throw refusalResponse(refusal);
  return found;
}
