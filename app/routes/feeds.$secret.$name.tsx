import type { LoaderFunctionArgs } from "@remix-run/node";
import type { RouteHandle } from "#app/page-handle.ts";
import { FEEDS } from "#app/reminders/reminder-feeds.server.ts";
import { createEtag, matchesEtag } from "#app/web/answers/etag.ts";
import { requireValue, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { authenticateFeed } from "#db/accounts/feeds.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** Reminders for a calendar or a feed reader. The secret in the address replaces a session. */
export async function loader(args: LoaderFunctionArgs) {
  const { secret = "", name = "" } = args.params;
  const { db, clock } = args.context.services;
  const kind = requireValue(Object.hasOwn(FEEDS, name) ? FEEDS[name] : null, Refusal("not_found"));
  const feedOwner = requireValue(await authenticateFeed(db, secret, clock()), Refusal("not_found"));
  if (isRefusal(feedOwner)) throw toRefusalResponse(feedOwner);
  const text = await kind.write(args.context.services, feedOwner, new URL(args.request.url));
  const headers = {
    "Content-Type": kind.type,
    "Content-Disposition": `inline; filename="${name}"`,
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "private, no-cache",
    ETag: createEtag(text),
  };
  const isUnchanged = matchesEtag(args.request.headers.get("If-None-Match"), headers.ETag);
  return isUnchanged ? new Response(null, { status: 304, headers }) : new Response(text, { headers });
}

/** The address of a feed is its secret, so no link passes it on. */
export const handle: RouteHandle = { referrer: "none" };
