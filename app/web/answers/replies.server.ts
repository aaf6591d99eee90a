import { redirect } from "@remix-run/node";
import { prefersJsonToHtml, wantsPage } from "#app/web/answers/accept.ts";
import { type Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";

export const SEE_OTHER = 303;

export function toRefusalResponse(refusal: Refusal, headers?: HeadersInit): Response {
  const all = { ...toRetryHeaders(refusal.context), ...Object.fromEntries(new Headers(headers)) };
  return Response.json(refusalBody(refusal), { status: refusalStatus(refusal), headers: all });
}

/** Returns the Retry-After header of a temporary refusal, which also has `retry_after` in its body. */
export function toRetryHeaders({ retry_after }: Record<string, unknown>): Record<string, string> {
  return typeof retry_after === "number" ? { "Retry-After": String(retry_after) } : {};
}

/** Answers a successful action: a form's navigation is redirected, any other caller gets JSON. */
export function answerSuccess(
  request: Request,
  body: Record<string, unknown>,
  goTo: string,
  status = 200,
): Response {
  if (wantsPage(request.headers.get("Accept"))) return redirect(goTo, SEE_OTHER);
  // Thrown, so that no page is rendered; entry.server returns its JSON unchanged.
  throw Response.json(body, { status });
}

/** Answers a refused action: a form gets the refusal as data to show beside what was typed, any other caller gets JSON. */
export function answerRefusal<Typed>(request: Request, refusal: Refusal, typed: Typed): Response {
  if (!wantsPage(request.headers.get("Accept"))) throw toRefusalResponse(refusal);
  const headers = toRetryHeaders(refusal.context);
  return Response.json({ refusal: refusalBody(refusal), typed }, { status: refusalStatus(refusal), headers });
}

/** Answers with the page's data if the caller asks for JSON by name; anyone else gets the page. */
export function setJsonAnswer(request: Request, body: Record<string, unknown>): void {
  if (prefersJsonToHtml(request.headers.get("Accept"))) throw Response.json({ ok: true, ...body });
}

export function requireValue<T>(value: T | null | undefined, refusal: Refusal): T {
  if (value === null || value === undefined) throw toRefusalResponse(refusal);
  return value;
}
