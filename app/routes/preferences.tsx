import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { readForm } from "#app/http/body.server.ts";
import { cookieHeader } from "#app/http/cookies.ts";
import { refererPath } from "#app/http/referer.ts";
import { refused, SEE_OTHER } from "#app/http/replies.server.ts";
import { preferencesForm } from "#app/routes/preferences-form.server.ts";
import { setUserLocale } from "#db/users.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { sameSitePath } from "#domain/same-site-path.ts";

const YEAR_SECONDS = 31_536_000;
/** Language and theme, for anyone: kept in the browser, and the language with the person who is logged in. */
export async function action({ request, context }: ActionFunctionArgs) {
  const chosen = await readForm(request, preferencesForm);
  if (isRefusal(chosen)) return refused(request, chosen, {});
  const visitor = await context.visitor();
  if (visitor && chosen.locale) await setUserLocale(context.shelf.db, visitor.user.id, chosen.locale);
  const secure = new URL(request.url).protocol === "https:";
  const headers = new Headers();
  for (const name of ["locale", "theme"] as const) {
    const value = chosen[name];
    if (value)
      headers.append("Set-Cookie", cookieHeader(name, value, { maxAgeSeconds: YEAR_SECONDS, secure }));
  }
  return redirect(sameSitePath(chosen.next ?? refererPath(request, "/"), "/"), {
    status: SEE_OTHER,
    headers,
  });
}

export default function Preferences() {
  return null;
}
