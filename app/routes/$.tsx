import type { LoaderFunctionArgs } from "@remix-run/node";
import { refusalResponse } from "#app/http/answers/replies.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** Addresses nothing answers to, and requests that were refused at the door: both end in the error page. */
export function loader({ context }: LoaderFunctionArgs): never {
  throw refusalResponse(context.refusal ?? Refusal("not_found"));
}

export default function Nowhere() {
  return null;
}
