import {
  type ActionFunctionArgs,
  type HeadersFunction,
  json,
  type LoaderFunctionArgs,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { PasskeyProblems } from "#app/accounts/passkey-problems.tsx";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/accounts/login.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerRefusal, answerSuccess, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { signInByMessenger } from "#app/web/session/authenticator.server.ts";
import { askToJoin, findJoinStep } from "#app/web/session/join-request.server.ts";
import {
  admitBrowser,
  forgetBrowser,
  isKnownBrowser,
  LOCAL_PEOPLE,
  offersLocalSignIn,
} from "#app/web/session/local-sign-in.server.ts";
import { beginLogin } from "#app/web/session/login-state.server.ts";
import { hasWidget, LOGIN_PATH, WIDGET_SCRIPT } from "#app/web/session/login-widget.ts";
import { findPasskeySite } from "#app/web/session/passkeys/passkey-login.server.ts";
import { isInvited } from "#app/web/session/sign-up.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Field } from "#app/web/ui/field.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { isRefusal, Refusal, type RefusalBody } from "#domain/refusal.ts";
import { pathAfterSignIn } from "#domain/same-site-path.ts";
import { loginForm } from "./form.server.ts";

const AFTER_LOGIN = "/dashboard";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const next = pathAfterSignIn(url.searchParams.get("next"), "");
  const signedIn = wantsPage(request.headers.get("Accept")) ? await context.session.signedIn() : null;
  if (signedIn) throw redirect(next || AFTER_LOGIN);
  return json({
    widget: beginWidgetLogin(context, url.origin, next),
    local: offersLocalSignIn(context)
      ? {
          action: next ? `${LOGIN_PATH}?next=${encodeURIComponent(next)}` : LOGIN_PATH,
          known: isKnownBrowser(context),
          code: url.searchParams.get("code")?.slice(0, CODE_SHOWN_MAX) ?? "",
        }
      : null,
    provider: context.services.oidc && {
      name: context.services.oidc.name,
      href: next ? `/auth/oidc?next=${encodeURIComponent(next)}` : "/auth/oidc",
    },
    passkeys: findPasskeySite(context, request) && {
      action: next ? `/auth/passkey?next=${encodeURIComponent(next)}` : "/auth/passkey",
    },
    elsewhere: context.services.env.localSignIn,
    invited: await isInvited(context),
    joinStep: findJoinStep(context),
  });
}

const CODE_SHOWN_MAX = 100;

function beginWidgetLogin(context: RequestContext, origin: string, next: string) {
  const { env } = context.services;
  if (!hasWidget(env)) return null;
  const query = new URLSearchParams({ ...(next ? { next } : {}), state: beginLogin(context) });
  return { bot: env.messengerBotName, authUrl: `${origin}/auth/messenger?${query}` };
}

/** Handles a request to join, or the local sign-in: as one of this machine's two people, or to show the code again. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm({ request, context }, loginForm);
  if (!isRefusal(form) && form.intent === "ask") return sendJoinRequest({ request, context });
  if (!offersLocalSignIn(context)) throw toRefusalResponse(Refusal("not_found"));
  if (isRefusal(form)) return answerRefusal(request, form, {});
  if (form.intent === "forget") {
    forgetBrowser(context);
    return answerSuccess(request, { success: true }, LOGIN_PATH);
  }
  const unknown = admitBrowser(context, form.code);
  if (unknown) {
    context.services.db.emit("auth_refused", { reason: unknown.refused });
    return answerRefusal(request, unknown, {});
  }
  const first_name = getDictionary(await context.locale()).login[form.person];
  const profile = {
    id: LOCAL_PEOPLE[form.person],
    first_name,
    last_name: null,
    username: null,
    photo_url: null,
  };
  const user = await signInByMessenger(context, profile);
  if (isRefusal(user)) return answerRefusal(request, user, {});
  await context.session.signIn(user, "messenger");
  const goTo = pathAfterSignIn(new URL(request.url).searchParams.get("next"), AFTER_LOGIN);
  return answerSuccess(request, { success: true, redirect: goTo }, goTo);
}

async function sendJoinRequest({ request, context }: Pick<ActionFunctionArgs, "request" | "context">) {
  const result = await askToJoin(context);
  if (isRefusal(result)) return answerRefusal(request, result, {});
  return answerSuccess(request, { success: true }, LOGIN_PATH);
}

/** The page holds values for one sign-in that expire soon, so it is not cached. */
export const headers: HeadersFunction = ({ actionHeaders }) => {
  const wait = actionHeaders.get("Retry-After");
  return { "Cache-Control": "no-store", ...(wait ? { "Retry-After": wait } : {}) };
};

export const links = linkSheets(styles);

export const handle: PageHandle = {
  title: (text) => text.login.title,
  robots: "index",
  loginWidget: true,
};

export default function Login() {
  const { widget, local, provider, passkeys, elsewhere, invited, joinStep } = useLoaderData<typeof loader>();
  const actionData = useActionData<{ refusal: RefusalBody }>();
  const { login: text, signIn } = useText();
  return (
    <section className="login pad-block-8 grid gap-6">
      <div className="grid gap-2">
        <h1>{text.title}</h1>
        {widget && !provider && <p className="soft">{text.lead}</p>}
      </div>
      <RefusalAlert code={actionData?.refusal.code} />
      {invited && <p role="status">{signIn.invited}</p>}
      {joinStep === "ask" && <JoinRequestForm />}
      {joinStep === "asked" && <p className="card">{signIn.asked}</p>}
      {widget && <Widget {...widget} />}
      {provider && (
        <a className="button button-primary full" href={provider.href}>
          {signIn.with(provider.name)}
        </a>
      )}
      {local && <LocalSignIn {...local} />}
      {passkeys && <PasskeyLogin {...passkeys} />}
      {!widget && !local && !provider && (
        <Alert caution>{elsewhere ? text.localElsewhere : text.notConfigured}</Alert>
      )}
    </section>
  );
}

/** Lets a person ask to join whose identity is proven but who has neither an account nor an invitation. */
function JoinRequestForm() {
  const text = useText().signIn;
  return (
    <form className="card stack" method="post" action={LOGIN_PATH}>
      <p>{text.noAccount}</p>
      <p className="soft">{text.askHint}</p>
      <button className="button button-primary full" type="submit" name="intent" value="ask">
        {text.ask}
      </button>
    </form>
  );
}

/** The platform's script inserts its button here and redirects to the given address after the person agreed. */
function Widget({ bot, authUrl }: { bot: string; authUrl: string }) {
  const text = useText().login;
  const { nonce } = usePage();
  return (
    <section aria-label={text.widget}>
      <script
        async
        nonce={nonce}
        src={WIDGET_SCRIPT}
        data-telegram-login={bot}
        data-size="large"
        data-auth-url={authUrl}
      />
      <noscript>{text.widgetNeedsScript}</noscript>
    </section>
  );
}

type LocalForm = { action: string; known: boolean; code: string };

/** The code must be typed unless this browser is known or came by the printed link. */
function LocalSignIn({ action, known: isKnown, code }: LocalForm) {
  const text = useText().login;
  return (
    <section className="card card-roomy">
      <h2>{text.localTitle}</h2>
      <form className="stack gap-4" method="post" action={action}>
        {!isKnown && code !== "" && <input type="hidden" name="code" value={code} />}
        {!isKnown && code === "" && (
          <Field name="code" label={text.localCode} value="" hint={text.localCodeHint} code dir="ltr" />
        )}
        <p className="soft">{text.localLead}</p>
        {(["localAdmin", "localReader"] as const).map((person) => (
          <button className="button button-wrap full" key={person} type="submit" name="person" value={person}>
            {text.localAs(text[person])}
          </button>
        ))}
      </form>
      {isKnown && (
        <form className="cluster spread above-4 gap-4" method="post" action={LOGIN_PATH}>
          <span className="soft">{text.localKnown}</span>
          <button className="button button-small" type="submit" name="intent" value="forget">
            {text.localForget}
          </button>
        </form>
      )}
    </section>
  );
}

/** Browsers offer their passkeys in the field; the button opens their dialogue. Typed text is not sent anywhere. */
function PasskeyLogin({ action }: { action: string }) {
  const text = useText().signIn.passkeys;
  return (
    <section className="stack">
      <form className="stack needs-script" method="post" action={action} data-passkey-login>
        <input type="hidden" name="credential" />
        <div className="field" data-passkey-field hidden>
          <label htmlFor="passkey">{text.choose}</label>
          <input
            className="input"
            id="passkey"
            dir="auto"
            autoComplete="username webauthn"
            aria-describedby="passkey-hint"
          />
          <p className="soft small" id="passkey-hint">
            {text.chooseHint}
          </p>
        </div>
        <button className="button full" type="submit">
          <Icon name="key" />
          {text.logIn}
        </button>
      </form>
      <PasskeyProblems />
    </section>
  );
}
