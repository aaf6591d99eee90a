import { redirect } from "@remix-run/node";
import { wantsPage } from "#app/http/accept.ts";
import { refusalResponse } from "#app/http/replies.server.ts";
import type { Visit, Visitor } from "#app/http/visit.ts";
import { Refusal } from "#domain/refusal.ts";

type Arrival = { request: Request; context: Visit };

/** Whoever is logged in. Anyone else is sent to log in and comes back afterwards; a caller of the API is told. */
export async function requireUser({ request, context }: Arrival): Promise<Visitor> {
  const visitor = await context.visitor();
  if (visitor) return visitor;
  if (!wantsPage(request.headers.get("Accept")))
    throw refusalResponse(Refusal("auth_required", { redirect: "/login" }));
  throw redirect(`/login?next=${encodeURIComponent(returnPath(request))}`);
}

export async function requireAdmin(arrival: Arrival): Promise<Visitor> {
  const visitor = await requireUser(arrival);
  if (visitor.role !== "admin") throw refusalResponse(Refusal("admin_only"));
  return visitor;
}

/** A form that was sent while logged out cannot be repeated by a link: its page can. */
function returnPath(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return pathname + search;
}
