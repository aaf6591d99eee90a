import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FileActionForm } from "#app/files/file-actions.tsx";
import { toWireFile } from "#app/files/file-wire.server.ts";
import { RestoreFolderForm } from "#app/files/folders/folder-forms.tsx";
import { FolderPager } from "#app/files/folders/folder-list.tsx";
import { cutFolderPage, type FolderPage } from "#app/files/folders/folder-pages.ts";
import { FileFolderPath } from "#app/files/folders/folder-trail.tsx";
import { type TrailStep, toTrail } from "#app/files/folders/listed-folder.server.ts";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/files/trash.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { setJsonAnswer, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { requireReader } from "#app/web/session/gates.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Facts } from "#app/web/ui/facts.tsx";
import { FileName } from "#app/web/ui/file-name.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { DateText, Moment } from "#app/web/ui/moment.tsx";
import { listTrashedFolders, type TrashedFolder } from "#db/files/folders/folder-trash.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { countTrash, listTrash } from "#db/files/trash/trash.server.ts";
import { hasOverdueFiles } from "#db/files/trash/trash-repair.server.ts";
import { checkTrashExpiry } from "#db/files/trash/trash-upkeep.server.ts";
import { listOldFolders } from "#domain/files/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { writeTimestamps } from "#domain/time/timestamp.ts";

const SHOWN = 50;

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireReader(args);
  const { db, clock } = args.context.services;
  const address = new URL(args.request.url);
  const cursor = address.searchParams.get("cursor") || undefined;
  const isPage = wantsPage(args.request.headers.get("Accept"));
  const [folders, tree] = await Promise.all([listTrashedFolders(db, user.id), readFolders(db, user.id)]);
  // A folder is one row of the page; JSON lists its files.
  const without = isPage ? folders.filter(({ files }) => files > 0) : [];
  const requestedPage = await listTrash(db, user.id, { cursor, limit: SHOWN, without });
  const damaged = isRefusal(requestedPage);
  if (damaged && !isPage) throw toRefusalResponse(requestedPage);
  const page = damaged ? await listTrash(db, user.id, { limit: SHOWN, without }) : requestedPage;
  if (isRefusal(page)) throw toRefusalResponse(page);
  const [total, expiry, overdue] = await Promise.all([
    countTrash(db, user.id),
    // An index that cannot be checked does not count as missing.
    checkTrashExpiry(db).catch(() => "present" as const),
    hasOverdueFiles(db, user.id, clock()),
  ]);
  setJsonAnswer(args.request, {
    files: page.files.map(toWireFile),
    folders: folders.map(trashedFolderOnWire),
    next_cursor: page.next_cursor,
    total,
  });
  const { shown, page: folderPage } = cutFolderPage(damaged || cursor === undefined ? folders : [], address);
  return json({
    folders: shown.map(toShownFolder),
    folderPage,
    files: page.files.map((file) => ({
      ...toWireFile(file),
      ...toIsoDates(file),
      place: toTrail(tree, file.folder_id),
      folders: listOldFolders(tree, file.folder_id),
    })),
    next: page.next_cursor,
    total,
    damaged,
    broken: overdue || expiry !== "present" || page.files.some(({ expires_at }) => !expires_at),
  });
}

/** Writes the dates as text. A file without an expiry date waits for a repair, but is shown. */
const toIsoDates = ({ deleted_at, expires_at }: { deleted_at: Date; expires_at?: Date | null }) => ({
  deleted_at: deleted_at.toISOString(),
  expires_at: expires_at?.toISOString() ?? null,
});

const toShownFolder = ({ id, name, files, ...dates }: TrashedFolder) => ({
  ...{ id, name, files },
  ...toIsoDates(dates),
});

const trashedFolderOnWire = ({ id, name, files, deleted_at, expires_at }: TrashedFolder) =>
  writeTimestamps({ id, name, files, deleted_at, expires_at });

export const links = linkSheets(styles);

export const handle: PageHandle = { title: (text) => text.fileActions.trashTitle };

export default function Trash() {
  const { files, folders, folderPage, next, total, damaged, broken } = useLoaderData<typeof loader>();
  const text = useText();
  return (
    <>
      <div className="page-head">
        <h1>{text.fileActions.trashTitle}</h1>
        {total + folders.length > 0 && <EmptyTrashForm total={total} />}
      </div>
      {damaged && <Alert caution>{text.files.cursorDamaged}</Alert>}
      {broken && <Alert caution>{text.fileActions.trashBroken}</Alert>}
      {files.length + folders.length > 0 ? (
        <>
          <p className="soft below-3">{text.fileActions.trashLead}</p>
          <TrashRows folders={folders} folderPage={folderPage} files={files} />
        </>
      ) : (
        <EmptyState icon="trash" title={text.fileActions.trashEmptyTitle}>
          <p className="soft">{text.fileActions.trashEmpty}</p>
        </EmptyState>
      )}
      {next && (
        <nav className="pager screen-only" aria-label={text.files.pages}>
          <a className="button" href={`/trash?cursor=${next}`} rel="next">
            {text.files.next}
            <Icon name="forward" />
          </a>
        </nav>
      )}
    </>
  );
}

/** Emptying the trash cannot be undone, so it takes a second press. */
function EmptyTrashForm({ total }: { total: number }) {
  const text = useText().fileActions;
  return (
    <details className="confirm">
      <summary className="button">
        <Icon name="trash" />
        {text.emptyTrash}
      </summary>
      <FileActionForm next="/trash">
        <button className="button button-wrong" type="submit" name="intent" value="empty">
          {text.emptySure(total)}
        </button>
      </FileActionForm>
    </details>
  );
}

type TrashedFile = {
  id: string;
  file_name: string;
  /** The folders that it was in, the outermost first; empty for the root or a missing folder. */
  folders: string[];
  /** The same as links, unless those folders are in the trash themselves. */
  place: TrailStep[];
  deleted_at: string;
  expires_at: string | null;
};

type TrashedFolderRow = {
  id: string;
  name: string;
  files: number;
  deleted_at: string;
  expires_at: string | null;
};

type TrashRowsProps = { folders: TrashedFolderRow[]; folderPage: FolderPage; files: TrashedFile[] };

function TrashRows({ folders, folderPage, files }: TrashRowsProps) {
  const text = useText().fileActions;
  return (
    <ul className="rows">
      {folders.map((folder) => (
        <TrashedFolderRow key={folder.id} folder={folder} />
      ))}
      {folderPage.total > folders.length && (
        <li className="gap-6 rows-2 pad-4 pad-block-2">
          <FolderPager page={folderPage} list="/trash" />
        </li>
      )}
      {files.map((file) => (
        <li key={file.id} className="cluster gap-6 rows-2 pad-4 pad-block-2">
          <span className="small strong mono breaks shrinks">
            <a href={`/file/${file.id}`}>
              <FileName name={file.file_name} />
            </a>
            {file.place.length > 0 ? (
              <FileFolderPath place={file.place} />
            ) : (
              file.folders.length > 0 && <FormerFolderPath folders={file.folders} />
            )}
          </span>
          <Facts
            facts={[
              [text.deletedAt, <Moment key="deleted" at={file.deleted_at} />],
              [text.goesAt, file.expires_at ? <DateText key="goes" at={file.expires_at} /> : text.goesNever],
            ]}
          />
          <TrashedFileActions file={file} />
        </li>
      ))}
    </ul>
  );
}

/** Names the former folders, without links, because folders in the trash have none. */
const FormerFolderPath = ({ folders }: { folders: string[] }) => (
  <bdi className="soft one-line shrinks">{removeBidiOverrides(folders.join("/"))}</bdi>
);

/** A folder and its contents, which are restored together. */
function TrashedFolderRow({ folder }: { folder: TrashedFolderRow }) {
  const { fileActions: text, folders } = useText();
  const { id, name, files, deleted_at, expires_at } = folder;
  return (
    <li className="cluster gap-6 rows-2 pad-4 pad-block-2">
      <span className="small strong breaks shrinks inline wraps gap-2">
        <Icon name="folder" />
        <bdi>{removeBidiOverrides(name)}</bdi>
        <span className="soft regular">{folders.inTrash(files)}</span>
      </span>
      <Facts
        facts={[
          [text.deletedAt, <Moment key="deleted" at={deleted_at} />],
          [text.goesAt, expires_at ? <DateText key="goes" at={expires_at} /> : text.goesNever],
        ]}
      />
      <RestoreFolderForm folderId={id} label={folders.restore} />
    </li>
  );
}

function TrashedFileActions({ file }: { file: TrashedFile }) {
  const text = useText().fileActions;
  return (
    <FileActionForm next="/trash" className="actions">
      <button className="button button-small" type="submit" name="intent" value={`restore:${file.id}`}>
        <Icon name="undo" />
        {text.restore}
      </button>
      <details className="confirm">
        <summary className="button button-small button-quiet">{text.purge}</summary>
        <button
          className="button button-small button-wrong"
          type="submit"
          name="intent"
          value={`purge:${file.id}`}
        >
          {text.purgeSure}
        </button>
      </details>
    </FileActionForm>
  );
}
