import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CredentialGroups, EndAll } from "#app/accounts/credential-groups.tsx";
import { credentialsOnWire } from "#app/accounts/credential-wire.server.ts";
import { SettingsHead } from "#app/accounts/settings.tsx";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/accounts/credentials.css?url";
import { answerRefusal, answerSuccess, requireValue } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { createJoinProof } from "#app/web/session/oidc/oidc-login.server.ts";
import { findPasskeyHindrance, findPasskeySite } from "#app/web/session/passkeys/passkey-login.server.ts";
import { addPasskey } from "#app/web/session/passkeys/passkey-registration.server.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import { Moment } from "#app/web/ui/moment.tsx";
import { Section } from "#app/web/ui/section.tsx";
import { listIdentities, removeIdentity } from "#db/accounts/identities.server.ts";
import { listSecurityEvents } from "#db/accounts/security-events.server.ts";
import { listCredentials } from "#db/operations/credentials.server.ts";
import { identityKind } from "#domain/accounts/identity.ts";
import type { SecurityEntry } from "#domain/accounts/security-event.ts";
import { isRefusal, Refusal, type RefusalBody } from "#domain/refusal.ts";
import { toTimestamp, toTimestampOrNull } from "#domain/time/timestamp.ts";
import { signInForm } from "./form.server.ts";
import { LoginMethods } from "./login-methods.tsx";

const HERE = "/settings/sign-in";

export async function loader(args: LoaderFunctionArgs) {
  const signedIn = await requireUser(args);
  const { db, clock } = args.context.services;
  const identities = await listIdentities(db, signedIn.user);
  const credentials = await listCredentials(db, signedIn.user, signedIn.sessionId, clock());
  return json({
    methods: identities.map(({ created_at, last_used_at, ...method }) => ({
      ...method,
      created_at: toTimestamp(created_at),
      last_used_at: toTimestampOrNull(last_used_at),
    })),
    provider: toProviderLink(args.context, signedIn),
    noPasskeys: findPasskeyHindrance(args.context, args.request),
    isLocal: args.context.services.env.localSignIn,
    credentials: credentialsOnWire(credentials),
    events: await listSecurityEvents(db, signedIn.user.id, clock()),
  });
}

function toProviderLink(context: RequestContext, { sessionId }: SignedIn) {
  const { oidc } = context.services;
  if (!oidc || sessionId === null) return null;
  return { name: oidc.name, href: `/auth/oidc?join=${createJoinProof(context, sessionId)}` };
}

export async function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  const signedIn = await requireUser(args);
  const form = await readForm(args, signInForm);
  if (isRefusal(form)) return answerRefusal(request, form, {});
  const result =
    form.intent === "part"
      ? await removeIdentity(context.services.db, signedIn.user.id, form.key)
      : await addPasskey(context, signedIn, requirePasskeySite(args), form);
  if (isRefusal(result)) return answerRefusal(request, result, {});
  await context.session.recordSecurity(
    signedIn.user.id,
    form.intent === "part"
      ? { what: "method_removed", method: identityKind(form.key) }
      : { what: "method_added", method: "passkey" },
  );
  context.session.flash({ say: "identity_changed", what: form.intent === "part" ? "parted" : "joined" });
  return answerSuccess(request, { ok: true }, HERE);
}

const requirePasskeySite = ({ context, request }: ActionFunctionArgs) =>
  requireValue(findPasskeySite(context, request), Refusal("not_found"));

export const handle: PageHandle = { title: (text) => text.signIn.title };

export const links = linkSheets(styles);

export default function SignInSettings() {
  const { methods, provider, noPasskeys, isLocal, credentials, events } = useLoaderData<typeof loader>();
  const answer = useActionData<{ refusal: RefusalBody }>();
  const text = useText().signIn;
  return (
    <>
      <SettingsHead title={text.title} lead={text.lead} refused={answer?.refusal.code} />
      <LoginMethods methods={methods} provider={provider} noPasskeys={noPasskeys} isLocal={isLocal} />
      <CredentialGroups credentials={credentials} />
      <SecurityEvents events={events} isLocal={isLocal} />
      <EndAll />
    </>
  );
}

type SecurityEventsProps = { events: SerializeFrom<SecurityEntry[]>; isLocal: boolean };

function SecurityEvents({ events, isLocal }: SecurityEventsProps) {
  const { signIn, devices, credentials } = useText();
  const text = signIn.security;
  if (events.length === 0) return null;
  const describe = (event: SerializeFrom<SecurityEntry>) => {
    if (event.what === "credential_ended") return credentials.ended[event.credential];
    const entry = text.events[event.what];
    if (!("method" in event)) return entry;
    const method = isLocal && event.method === "messenger" ? signIn.local : signIn.kinds[event.method];
    return `${entry}: ${method}`;
  };
  return (
    <Section id="security-events" title={text.title}>
      <ul className="rows">
        {events.map((event) => (
          <li className="flex wraps spread gap-4 rows-1 pad-4 pad-block-3" key={`${event.at} ${event.what}`}>
            <p>{describe(event)}</p>
            <p className="soft cluster">
              <Moment at={event.at} />
              {event.device && (
                <span>
                  {devices.kind(devices.browsers[event.device.browser], devices.systems[event.device.system])}
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
