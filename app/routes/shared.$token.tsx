import {
  type ActionFunctionArgs,
  type HeadersFunction,
  json,
  type LoaderFunctionArgs,
  type SerializeFrom,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { FolderReadme } from "#app/files/folders/folder-readme.tsx";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { OwnShareNotice, ShareUnlockForm } from "#app/shares/shared-file.tsx";
import { listSharedRows, readSharedReadme } from "#app/shares/shared-folder.server.ts";
import { answerOpenForm, openingHeaders } from "#app/shares/shared-form.server.ts";
import { SharedRows } from "#app/shares/shared-rows.tsx";
import {
  countVisit,
  createCachingHeaders,
  reportShareFaults,
  requireLink,
} from "#app/shares/shared-visit.server.ts";
import folderStyles from "#app/styles/files/folder-list.css?url";
import styles from "#app/styles/files/shares.css?url";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import { DateText } from "#app/web/ui/moment.tsx";
import type { RefusalBody } from "#domain/refusal.ts";

export async function loader(args: LoaderFunctionArgs) {
  return reportShareFaults(args, async () => {
    const visit = await requireLink(args);
    const { share, isOwner, isOpen } = visit;
    const headers = await createCachingHeaders(args, share);
    if (!isOpen) return json({ shown: null }, { headers });
    await countVisit(args, visit);
    const files = listSharedRows(share);
    const readme = await readSharedReadme(args, share);
    const folder = share.folder?.name ?? null;
    const expires_at = share.expires_at?.toISOString() ?? null;
    const base = `/shared/${share.id}`;
    return json({ shown: { base, files, folder, readme, expires_at, isOwner } }, { headers });
  });
}

export const action = (args: ActionFunctionArgs) => reportShareFaults(args, () => answerOpenForm(args));

type LinkData = SerializeFrom<typeof loader>;

export const handle: PageHandle<LinkData> = {
  title: (text, data) => data?.shown?.folder ?? text.shares.title,
};

export const headers: HeadersFunction = openingHeaders;

export const links = linkSheets(styles, folderStyles);

export default function SharedLink() {
  const { shown } = useLoaderData<typeof loader>();
  const actionData = useActionData<{ refusal: RefusalBody }>();
  const text = useText().shares;
  if (shown) return <SharedFiles {...shown} />;
  return (
    <article>
      <ShareUnlockForm
        title={text.lockedFolder}
        refused={actionData?.refusal.code}
        hasPassword
        viewsLeft={null}
      />
    </article>
  );
}

function SharedFiles({ base, files, folder, readme, expires_at, isOwner }: NonNullable<LinkData["shown"]>) {
  const text = useText().shares;
  return (
    <>
      <div className="page-head">
        <h1>{folder === null ? text.sharedMany(files.length) : <bdi>{removeBidiOverrides(folder)}</bdi>}</h1>
        <a className="button" href={`${base}/zip`}>
          <Icon name="download" />
          {text.zip}
        </a>
      </div>
      {folder !== null && <p className="soft below-3">{text.sharedMany(files.length)}</p>}
      {expires_at && (
        <p className="soft reading-wide below-4">
          {text.publicUntil} <DateText at={expires_at} />
        </p>
      )}
      {isOwner && <OwnShareNotice />}
      <SharedRows base={base} files={files} />
      {readme && <FolderReadme readme={readme} />}
    </>
  );
}
