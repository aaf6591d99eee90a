import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { refusalResponse } from "#app/http/answers/replies.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** Addresses that people try, and the pages that they look for. */
const TRIED: Partial<Record<string, string>> = {
  "/docs": "/api-docs",
  "/help": "/help/shortcuts",
  "/openapi.json": "/api/openapi.json",
};

/** Unknown addresses, and requests that were refused before any route: both show the error page. */
export function loader({ request, context }: LoaderFunctionArgs): Response {
  const page = TRIED[new URL(request.url).pathname];
  if (page !== undefined && !context.refusal) return redirect(page);
  throw refusalResponse(context.refusal ?? Refusal("not_found"));
}

export default function Nowhere() {
  return null;
}
