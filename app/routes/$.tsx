import type { LoaderFunctionArgs } from "@remix-run/node";
import { refusalResponse } from "#app/http/answers/replies.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** Unknown addresses, and requests that were refused before any route: both show the error page. */
export function loader({ context }: LoaderFunctionArgs): never {
  throw refusalResponse(context.refusal ?? Refusal("not_found"));
}

export default function Nowhere() {
  return null;
}
