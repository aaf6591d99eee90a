import { json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Alert } from "#app/components/alert.tsx";
import { wantsPage } from "#app/http/accept.ts";
import { localSignIns } from "#app/http/local-sign-in.server.ts";
import { hasWidget, WIDGET_SCRIPT } from "#app/http/login-widget.ts";
import { textOf, useText } from "#app/i18n/text.ts";
import type { Titled } from "#app/i18n/title.ts";
import { usePage } from "#app/page-context.ts";
import { sameSitePath } from "#domain/same-site-path.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const next = sameSitePath(url.searchParams.get("next"), "");
  const here = wantsPage(request.headers.get("Accept")) ? await context.visitor() : null;
  if (here) throw redirect(next || "/dashboard");
  const { env } = context.shelf;
  const text = textOf(await context.locale());
  const target = `/auth/messenger${next ? `?next=${encodeURIComponent(next)}` : ""}`;
  return json({
    target,
    widget: hasWidget(env) ? { bot: env.messengerBotName, authUrl: `${url.origin}${target}` } : null,
    local: localSignIns(context, url.host, (person) => text.login[person]),
  });
}

/** What the page carries is good for one sign-in, now. */
export const headers = () => ({ "Cache-Control": "no-store" });

export const handle: Titled = { title: (text) => text.login.title };

export default function Login() {
  const { target, widget, local } = useLoaderData<typeof loader>();
  const text = useText().login;
  return (
    <section className="login">
      <div className="login-head">
        <h1>{text.title}</h1>
        {widget && <p className="soft">{text.lead}</p>}
      </div>
      {widget && <Widget {...widget} />}
      {local.length > 0 && <LocalSignIn target={target} people={local} />}
      {!widget && local.length === 0 && <Alert caution>{text.notConfigured}</Alert>}
    </section>
  );
}

/** The platform's script puts its button here and, once the person agreed, goes to the address it was given. */
function Widget({ bot, authUrl }: { bot: string; authUrl: string }) {
  const text = useText().login;
  const { nonce } = usePage();
  return (
    <section className="login-widget" aria-label={text.widget}>
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

type Person = { person: "localAdmin" | "localReader"; fields: Record<string, string> };

function LocalSignIn({ target, people }: { target: string; people: Person[] }) {
  const text = useText().login;
  return (
    <section className="card card-local">
      <h2>{text.localTitle}</h2>
      <p className="soft">{text.localLead}</p>
      {people.map(({ person, fields }) => (
        <form key={person} method="post" action={target}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button className="button" type="submit">
            {text.localAs(text[person])}
          </button>
        </form>
      ))}
    </section>
  );
}
