import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import type { z } from "zod";
import { READING_NAMES } from "#app/reading.ts";
import { wantsPage } from "#app/web/answers/accept.ts";
import { SEE_OTHER, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { readRefererPath } from "#app/web/door/referer.ts";
import { toCookieHeader } from "#app/web/session/cookies.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import {
  setKeepRunResults,
  setKeyboardShortcuts,
  setUserLocale,
  setUserTimezone,
} from "#db/accounts/users.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { isTimeZone } from "#domain/reminders/reminder-time.ts";
import { sameSitePath } from "#domain/same-site-path.ts";
import { DAY_SECONDS } from "#domain/time/durations.ts";
import { preferencesForm } from "./form.server.ts";

/** The choices that are stored in the browser, a cookie each. */
const COOKIES = ["locale", "theme", "file_sort", "file_view", ...READING_NAMES] as const;
const YEAR_SECONDS = 365 * DAY_SECONDS;
const ZONE_MAX_CHARACTERS = 64;

/** Stores how pages look and list files in cookies; for a signed-in person, language, time zone and shortcuts in the account. */
export async function action({ request, context }: ActionFunctionArgs) {
  const chosen = await readForm({ request, context }, preferencesForm);
  if (isRefusal(chosen)) throw toRefusalResponse(chosen);
  if (chosen.timezone !== undefined && !isTimeZone(chosen.timezone))
    return refuseZone(request, context, chosen);
  const signedIn = await context.session.signedIn();
  const { timezone, detected } = chosen;
  if (signedIn && timezone) await saveZoneChoice(context, signedIn, { timezone, detected });
  if (signedIn && chosen.locale) await setUserLocale(context.services.db, signedIn.user.id, chosen.locale);
  if (signedIn && chosen.shortcuts)
    await setKeyboardShortcuts(context.services.db, signedIn.user.id, chosen.shortcuts === "on");
  if (signedIn && chosen.keep_runs)
    await setKeepRunResults(context.services.db, signedIn.user.id, chosen.keep_runs === "on");
  const secure = new URL(request.url).protocol === "https:";
  const headers = new Headers();
  for (const name of COOKIES) {
    const value = chosen[name];
    if (value)
      headers.append("Set-Cookie", toCookieHeader(name, value, { maxAgeSeconds: YEAR_SECONDS, secure }));
  }
  return redirect(pageAfter(request, chosen), { status: SEE_OTHER, headers });
}

type Chosen = z.output<typeof preferencesForm>;

const pageAfter = (request: Request, { next }: Chosen) =>
  sameSitePath(next ?? readRefererPath(request, "/"), "/");

/** Redirects a refused zone to its page with the reason; a script gets the refusal. */
function refuseZone(request: Request, { session }: ActionFunctionArgs["context"], chosen: Chosen): Response {
  const refusal = Refusal("invalid_timezone");
  if (!wantsPage(request.headers.get("Accept"))) throw toRefusalResponse(refusal);
  session.flash({ say: "refused", code: refusal.refused });
  const page = new URL(pageAfter(request, chosen), request.url);
  page.searchParams.set("zone", chosen.timezone?.slice(0, ZONE_MAX_CHARACTERS) ?? "");
  return redirect(page.pathname + page.search, SEE_OTHER);
}

async function saveZoneChoice(
  { services: { db }, session }: ActionFunctionArgs["context"],
  { user }: SignedIn,
  { timezone, detected }: { timezone: string; detected?: "1" },
): Promise<void> {
  await setUserTimezone(db, user.id, timezone, { unlessChosen: detected === "1" });
  if (!detected) session.flash({ say: "reminded", what: "zoned" });
}
