import { type ActionFunctionArgs, json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Icon } from "#app/components/icon.tsx";
import { RefusalAlert } from "#app/components/refusal-alert.tsx";
import { SessionRows } from "#app/components/session-rows.tsx";
import { SettingsTrail } from "#app/components/settings.tsx";
import { readForm } from "#app/http/body.server.ts";
import type { Flash } from "#app/http/flash.ts";
import { requireUser } from "#app/http/gates.server.ts";
import { done, refused } from "#app/http/replies.server.ts";
import { useText } from "#app/i18n/text.ts";
import type { Titled } from "#app/i18n/title.ts";
import { sessionsForm } from "#app/routes/settings-sessions-form.server.ts";
import settingsStyles from "#app/styles/settings.css?url";
import { listSessions, removeOtherSessions, removeSessionByKey } from "#db/sessions.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

const HERE = "/settings/sessions";

export async function loader(args: LoaderFunctionArgs) {
  const { user, sessionId } = await requireUser(args);
  const { db, clock } = args.context.shelf;
  return json({ sessions: await listSessions(db, user.id, sessionId, clock()) });
}

export async function action(args: ActionFunctionArgs) {
  const { user, sessionId } = await requireUser(args);
  const form = await readForm(args.request, sessionsForm);
  if (isRefusal(form)) return refused(args.request, form, {});
  const { db } = args.context.shelf;
  let said: Flash = { say: "settings", what: "session" };
  if (form.intent === "end_others")
    said = { say: "sessions_ended", count: await removeOtherSessions(db, user.id, sessionId!) };
  else if (!(await removeSessionByKey(db, user.id, form.key)))
    return refused(args.request, Refusal("session_not_found"), {});
  args.context.flash(said);
  return done(args.request, { ok: true }, HERE);
}

export const handle: Titled = { title: (text) => text.settings.sessions };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: settingsStyles }];

export default function Sessions() {
  const { sessions } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const text = useText().settings;
  return (
    <>
      <SettingsTrail />
      <div className="page-head">
        <h1>{text.sessions}</h1>
      </div>
      <p className="soft devices-lead">{text.sessionsLead}</p>
      <RefusalAlert code={answer?.refusal.code} />
      <SessionRows sessions={sessions} />
      {sessions.length > 1 ? (
        <form className="actions device-actions" method="post">
          <button className="button" type="submit" name="intent" value="end_others">
            <Icon name="leave" />
            {text.endOthers}
          </button>
        </form>
      ) : (
        <p className="soft device-actions">{text.onlyHere}</p>
      )}
    </>
  );
}
