import {
  type ActionFunctionArgs,
  type HeadersFunction,
  json,
  type LoaderFunctionArgs,
  type SerializeFrom,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { createEmbedOffer } from "#app/shares/shared-address.server.ts";
import { SharedFile, ShareUnlockForm } from "#app/shares/shared-file.tsx";
import { answerForm, openingHeaders } from "#app/shares/shared-form.server.ts";
import { chooseView, readShownText } from "#app/shares/shared-text.server.ts";
import {
  countVisit,
  createCachingHeaders,
  reportShareFaults,
  requireShare,
} from "#app/shares/shared-visit.server.ts";
import shareStyles from "#app/styles/files/shares.css?url";
import viewStyles from "#app/styles/viewers/viewers.css?url";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import type { RefusalBody } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";

export async function loader(args: LoaderFunctionArgs) {
  return reportShareFaults(args, async () => {
    const visit = await requireShare(args);
    const { share, isOwner, isOpen, key } = visit;
    const headers = await createCachingHeaders(args, share);
    const lock = { hasPassword: share.password !== null, viewsLeft: share.views_left };
    if (!isOpen) return json({ lock, shown: null, place: null }, { headers });
    const file = itemAt(share.files, 0);
    const content = await readShownText(args, share, file, chooseView(args, share, file));
    await countVisit(args, visit);
    const embedding = createEmbedOffer(args.request, { share, file }, content.file.lines);
    const address = { base: `/share/${share.id}`, addressKey: key, isOwner, embedding };
    return json({ lock: null, shown: content, place: address }, { headers });
  });
}

export const action = (args: ActionFunctionArgs) => reportShareFaults(args, () => answerForm(args));

type SharedPageData = SerializeFrom<typeof loader>;

export const handle: PageHandle<SharedPageData> = {
  title: (text, data) => data?.shown?.file.file_name ?? text.shares.shared,
  oembed: (data) => data?.place?.embedding?.oembed ?? null,
};

export const headers: HeadersFunction = openingHeaders;

export const links = linkSheets(viewStyles, shareStyles);

export default function SharePage() {
  const { lock, shown, place } = useLoaderData<typeof loader>();
  const actionData = useActionData<{ refusal: RefusalBody }>();
  const text = useText().shares;
  return (
    <article>
      {lock ? (
        <ShareUnlockForm title={text.lockedTitle} refused={actionData?.refusal.code} {...lock} />
      ) : (
        <RefusalAlert code={actionData?.refusal.code} />
      )}
      {shown && place && <SharedFile shown={shown} place={place} />}
    </article>
  );
}
