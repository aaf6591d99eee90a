import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CommandLine } from "#app/accounts/command-line.tsx";
import { SettingsHead } from "#app/accounts/settings.tsx";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/accounts/credentials.css?url";
import { passSecretHeaders, SECRET_HEADERS } from "#app/web/answers/page-headers.server.ts";
import { answerRefusal, SEE_OTHER, setJsonAnswer } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { createToken, listTokens, removeToken } from "#db/accounts/tokens.server.ts";
import { checkTokenName } from "#domain/accounts/access-token.ts";
import { DAV_ROOT } from "#domain/dav/dav-path.ts";
import { isRefusal, Refusal, type RefusalBody } from "#domain/refusal.ts";
import { FileManagerAddress, NewToken, TokenForm, TokenRows, type TypedToken } from "./access-tokens.tsx";
import { tokenForm } from "./form.server.ts";

const HERE = "/settings/tokens";

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { origin } = new URL(args.request.url);
  return json({ tokens: await listTokens(args.context.services.db, user), origin });
}

/** The secret of a new token is only in this answer, and in no cookie, address or store. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const form = await readForm(args, tokenForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, { name: "" });
  if (form.intent === "revoke") {
    const isRemoved = await removeToken(db, user.id, form.id);
    if (!isRemoved) return answerRefusal(args.request, Refusal("token_not_found"), { name: "" });
    await args.context.session.recordSecurity(user.id, { what: "credential_ended", credential: "token" });
    args.context.session.flash({ say: "token_revoked" });
    return redirect(HERE, SEE_OTHER);
  }
  const typed = { name: form.name, scope: form.scope, lifetime: String(form.lifetime) };
  const name = checkTokenName(form.name);
  if (isRefusal(name)) return answerRefusal(args.request, name, typed);
  const token = await createToken(
    db,
    user,
    { name, scope: form.scope, lifetimeDays: form.lifetime },
    clock(),
  );
  if (isRefusal(token)) return answerRefusal(args.request, token, typed);
  await args.context.session.recordSecurity(user.id, { what: "token_created" });
  setJsonAnswer(args.request, { secret: token.secret, token: token.token });
  return json(
    { secret: token.secret, origin: new URL(args.request.url).origin },
    { headers: SECRET_HEADERS },
  );
}

export const headers = passSecretHeaders;

type TokenActionData = { secret: string; origin: string } | { refusal: RefusalBody; typed: TypedToken };

export const handle: PageHandle = { title: (text) => text.tokens.title };

export const links = linkSheets(styles);

export default function Tokens() {
  const { tokens, origin } = useLoaderData<typeof loader>();
  const actionData = useActionData<TokenActionData>();
  const text = useText().tokens;
  const refusal = actionData && "refusal" in actionData ? actionData : null;
  return (
    <>
      <SettingsHead
        title={text.title}
        lead={
          <>
            {text.lead} <a href="/api-docs">{text.docs}</a>
          </>
        }
        refused={refusal?.refusal.code}
      />
      {actionData && "secret" in actionData && (
        <NewToken secret={actionData.secret} origin={actionData.origin} />
      )}
      <TokenForm
        typed={refusal?.typed ?? { name: "" }}
        wrong={refusal?.refusal.code === "invalid_token_name"}
      />
      <section className="section">
        <div className="section-head">
          <h2>{text.yours}</h2>
        </div>
        {tokens.length > 0 ? <TokenRows tokens={tokens} /> : <p className="soft">{text.none}</p>}
      </section>
      {!(actionData && "secret" in actionData) && <CommandLine origin={origin} />}
      <FileManagerAddress address={`${origin}${DAV_ROOT}/`} />
    </>
  );
}
