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
import { toPlaceKey } from "#app/shares/place-key.server.ts";
import { createEmbedOffer } from "#app/shares/shared-address.server.ts";
import { SharedFile } from "#app/shares/shared-file.tsx";
import { saveForVisitor } from "#app/shares/shared-form.server.ts";
import { chooseView, readShownText } from "#app/shares/shared-text.server.ts";
import {
  createCachingHeaders,
  reportShareFaults,
  requireLinkedFile,
} from "#app/shares/shared-visit.server.ts";
import shareStyles from "#app/styles/files/shares.css?url";
import viewStyles from "#app/styles/viewers/viewers.css?url";
import { Icon } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import type { RefusalBody } from "#domain/refusal.ts";

/** One of several files under one address. The view is counted on the page that lists them. */
export async function loader(args: LoaderFunctionArgs) {
  return reportShareFaults(args, async () => {
    const { share, isOwner, file } = await requireLinkedFile(args);
    const content = await readShownText(args, share, file, chooseView(args, share, file));
    const all = { href: `/shared/${share.id}`, count: share.files.length };
    const embedding = createEmbedOffer(args.request, { share, file }, content.file.lines);
    const base = `${all.href}/${toPlaceKey(share, file)}`;
    const address = { base, addressKey: null, isOwner, embedding };
    return json(
      { shown: content, place: address, all },
      { headers: await createCachingHeaders(args, share) },
    );
  });
}

export const action = (args: ActionFunctionArgs) =>
  reportShareFaults(args, async () => {
    const { share, file } = await requireLinkedFile(args);
    return saveForVisitor(args, share, file);
  });

export const handle: PageHandle<SerializeFrom<typeof loader>> = {
  title: (text, data) => data?.shown.file.file_name ?? text.shares.shared,
  oembed: (data) => data?.place.embedding?.oembed ?? null,
};

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const links = linkSheets(viewStyles, shareStyles);

export default function LinkedFile() {
  const { shown, place, all } = useLoaderData<typeof loader>();
  const actionData = useActionData<{ refusal: RefusalBody }>();
  const text = useText().shares;
  return (
    <article>
      <RefusalAlert code={actionData?.refusal.code} />
      <p className="shared-back small below-3">
        <a href={all.href}>
          <Icon name="back" />
          {text.back(all.count)}
        </a>
      </p>
      <SharedFile shown={shown} place={place} />
    </article>
  );
}
