import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** Addresses that people guess, and the pages that they mean. */
const GUESSED_ADDRESSES: Partial<Record<string, string>> = {
  "/docs": "/api-docs",
  "/help": "/help/shortcuts",
  "/openapi.json": "/api/openapi.json",
};

/** Shows the error page: for unknown addresses, and for the refusals of routes without a page of their own. */
export function loader({ request, context }: LoaderFunctionArgs): Response {
  const page = GUESSED_ADDRESSES[new URL(request.url).pathname];
  if (page !== undefined && !context.refused) return redirect(page);
  throw context.refused ?? toRefusalResponse(Refusal("not_found"));
}

export default function Nowhere() {
  return null;
}
