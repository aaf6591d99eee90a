import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SettingsHead } from "#app/accounts/settings.tsx";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/accounts/credentials.css?url";
import { passSecretHeaders, SECRET_HEADERS } from "#app/web/answers/page-headers.server.ts";
import { answerRefusal, SEE_OTHER } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { createOrReplaceFeed, findFeed, removeFeed } from "#db/accounts/feeds.server.ts";
import { isRefusal, type RefusalBody } from "#domain/refusal.ts";
import { FeedForms, NewFeed } from "./feeds.tsx";
import { feedForm } from "./form.server.ts";

const HERE = "/settings/feeds";

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  return json({ feed: await findFeed(args.context.services.db, user) });
}

/** The secret of a new address is only in this answer, and in no cookie, log or store. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const form = await readForm(args, feedForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  if (form.intent === "revoke") {
    await removeFeed(db, user.id);
    args.context.session.flash({ say: "feed_revoked" });
    return redirect(HERE, SEE_OTHER);
  }
  const feed = await createOrReplaceFeed(db, user, clock());
  if (isRefusal(feed)) return answerRefusal(args.request, feed, {});
  const address = `${new URL(args.request.url).origin}/feeds/${feed.secret}`;
  return json({ address }, { headers: SECRET_HEADERS });
}

export const headers = passSecretHeaders;

type FeedActionData = { address: string } | { refusal: RefusalBody };

export const handle: PageHandle = { title: (text) => text.feeds.title };

export const links = linkSheets(styles);

export default function Feeds() {
  const { feed } = useLoaderData<typeof loader>();
  const actionData = useActionData<FeedActionData>();
  const text = useText().feeds;
  return (
    <>
      <SettingsHead
        title={text.title}
        lead={text.lead}
        refused={actionData && "refusal" in actionData ? actionData.refusal.code : undefined}
      />
      {actionData && "address" in actionData && <NewFeed address={actionData.address} />}
      <FeedForms feed={feed} />
    </>
  );
}
