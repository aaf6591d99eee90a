import { redirect } from "@remix-run/node";
import { wantsPage } from "#app/http/accept.ts";
import { keptForm } from "#app/http/kept-form.server.ts";
import { refusalResponse } from "#app/http/replies.server.ts";
import type { Visit, Visitor } from "#app/http/visit.ts";
import { Refusal } from "#domain/refusal.ts";

type Arrival = { request: Request; context: Visit };

/**
 * Whoever is logged in. Anyone else is sent to log in and comes back afterwards; a form that came too late gets its texts
 * back; a caller of the API is told.
 */
export async function requireUser({ request, context }: Arrival): Promise<Visitor> {
  const visitor = await context.visitor();
  if (visitor) return visitor;
  if (!wantsPage(request.headers.get("Accept")))
    throw refusalResponse(Refusal("auth_required", { redirect: "/login" }));
  const kept = request.method === "POST" ? await keptForm(request) : null;
  if (kept) throw kept;
  throw redirect(`/login?next=${encodeURIComponent(returnPath(request))}`);
}

export async function requireAdmin(arrival: Arrival): Promise<Visitor> {
  const visitor = await requireUser(arrival);
  if (visitor.role !== "admin") throw refusalResponse(Refusal("admin_only"));
  return visitor;
}

function returnPath(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}
