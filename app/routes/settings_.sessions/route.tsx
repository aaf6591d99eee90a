import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CredentialGroups, EndAll } from "#app/accounts/credential-groups.tsx";
import { credentialsOnWire } from "#app/accounts/credential-wire.server.ts";
import { SettingsHead } from "#app/accounts/settings.tsx";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/accounts/credentials.css?url";
import { answerRefusal, answerSuccess, setJsonAnswer } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { readRefererPath } from "#app/web/door/referer.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { forgetBrowser } from "#app/web/session/local-sign-in.server.ts";
import { sessionKey } from "#db/accounts/session-devices.server.ts";
import { removeOtherSessions } from "#db/accounts/sessions.server.ts";
import { endCredential, listCredentials } from "#db/operations/credentials.server.ts";
import { parseCredentialKey } from "#domain/accounts/credential.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { sessionsForm } from "./form.server.ts";

const HERE = "/settings/sessions";
const LOGIN = "/login";

export async function loader(args: LoaderFunctionArgs) {
  const { user, sessionId } = await requireUser(args);
  const { db, clock } = args.context.services;
  const credentials = credentialsOnWire(await listCredentials(db, user, sessionId, clock()));
  setJsonAnswer(args.request, credentials);
  return json({ credentials });
}

export async function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  const signedIn = await requireUser(args);
  const form = await readForm({ request, context }, sessionsForm);
  if (isRefusal(form)) return answerRefusal(request, form, {});
  const { user } = signedIn;
  const sessionId = required(signedIn.sessionId, "session of a person with a cookie");
  const { db } = context.services;
  if (form.intent === "end_all") {
    await context.session.signOutEverywhere(signedIn);
    forgetBrowser(context);
    context.session.flash({ say: "logged_out_everywhere" });
    return answerSuccess(request, { ok: true }, LOGIN);
  }
  if (form.intent === "end_others") {
    const count = await removeOtherSessions(db, user.id, sessionId);
    await context.session.recordSecurity(user.id, { what: "others_ended" });
    context.session.flash({ say: "sessions_ended", count });
    return answerSuccess(request, { ok: true, count }, readRefererPath(request, HERE));
  }
  if (form.key === sessionKey(sessionId)) {
    await context.session.signOut(signedIn);
    context.session.flash({ say: "logged_out" });
    return answerSuccess(request, { ok: true }, LOGIN);
  }
  if (!(await endCredential(db, user.id, form.key)))
    return answerRefusal(request, Refusal("credential_not_found", { key: form.key }), {});
  const { kind } = parseCredentialKey(form.key);
  await context.session.recordSecurity(user.id, { what: "credential_ended", credential: kind });
  context.session.flash({ say: "credential_ended", kind });
  return answerSuccess(request, { ok: true }, readRefererPath(request, HERE));
}

export const handle: PageHandle = { title: (text) => text.credentials.title };

export const links = linkSheets(styles);

export default function Sessions() {
  const { credentials } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const text = useText().credentials;
  return (
    <>
      <SettingsHead title={text.title} lead={text.lead} refused={answer?.refusal.code} />
      <CredentialGroups credentials={credentials} />
      <EndAll />
    </>
  );
}
