import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FolderActions, NewFolderForm, type ShownFolder } from "#app/files/folders/folder-forms.tsx";
import { describeContents, FolderChips, FolderRows } from "#app/files/folders/folder-list.tsx";
import { readReadme } from "#app/files/folders/folder-readme.server.ts";
import { FolderReadme } from "#app/files/folders/folder-readme.tsx";
import { FolderTrail } from "#app/files/folders/folder-trail.tsx";
import { FolderUpload, UploadFolderButton } from "#app/files/folders/folder-upload.tsx";
import {
  type FolderChoices,
  type ListedFolders,
  listFolderChoices,
  listShownFolders,
  requireListedFolder,
  toTrail,
} from "#app/files/folders/listed-folder.server.ts";
import { FileCards } from "#app/files/list/file-cards.tsx";
import { FacetLinks, FilterChips, type ListFilters, toListAddress } from "#app/files/list/file-filters.tsx";
import { listFilePage } from "#app/files/list/file-listing.server.ts";
import { parsePageQuery, readListChoices } from "#app/files/list/file-query.server.ts";
import { FileRows } from "#app/files/list/file-rows.tsx";
import { SelectionForm } from "#app/files/list/file-selection.tsx";
import { ListOptionsForm } from "#app/files/list/list-choices.tsx";
import {
  countListedFiles,
  createFacetReader,
  listOfferedFacets,
} from "#app/files/list/list-counts.server.ts";
import { NoFiles } from "#app/files/list/no-files.tsx";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { ShareFolderForm } from "#app/shares/share-folder.tsx";
import cardStyles from "#app/styles/files/file-cards.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import { findBodyStarts } from "#db/files/file-versions.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { listSecretFilesWithin } from "#db/shares/folder-links.server.ts";
import { isCategory } from "#domain/files/file-query.ts";
import { isRefusal } from "#domain/refusal.ts";
import { firstLines } from "#domain/text/first-lines.ts";

/** The size of the preview on a card; no more text than this is read from each file. */
const CARD = { lines: 12, characters: 100 };
const START_MAX = CARD.lines * (CARD.characters + 1);
const noSecrets: string[] = [];
const cutStart = (start: string) => firstLines(start, CARD);

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db } = args.context.services;
  const choices = readListChoices(args.request);
  const address = new URL(args.request.url);
  const query = parsePageQuery(address, choices.sort);
  if (isRefusal(query)) throw toRefusalResponse(query);
  const { cursor, before, limit, ...filters } = query;
  const tree = await readFolders(db, user.id);
  const folder = requireListedFolder(tree, filters.folder);
  const readFacets = createFacetReader(db, user.id);
  const [requestedPage, facets] = await Promise.all([
    listFilePage(db, user.id, query),
    listOfferedFacets(db, user.id, filters, readFacets),
  ]);
  const isDamaged = isRefusal(requestedPage);
  if (isDamaged && !wantsPage(args.request.headers.get("Accept"))) throw toRefusalResponse(requestedPage);
  const page = isDamaged ? await listFilePage(db, user.id, { ...filters, limit }) : requestedPage;
  if (isRefusal(page)) throw toRefusalResponse(page);
  const first = isDamaged || !(cursor || before);
  const starts = choices.view === "cards" ? await findBodyStarts(db, user.id, page.files, START_MAX) : null;
  const rows = page.files.map((file) => ({ ...file, place: folder ? [] : toTrail(tree, file.folder_id) }));
  const cards = starts && rows.map((file, i) => ({ ...file, start: cutStart(starts[i] ?? "") }));
  const isWhole = first && !(filters.q || filters.lang || filters.category || filters.repo);
  const [listedFolders, readme, total, secrets] = await Promise.all([
    isWhole ? listShownFolders(db, user.id, tree, folder?.id ?? null, address) : null,
    isWhole && folder ? readReadme(args.context, user.id, folder.id) : null,
    countListedFiles(db, user.id, filters, page, readFacets),
    folder ? listSecretFilesWithin(db, user.id, folder.id) : noSecrets,
  ]);
  return json({
    ...{
      ...page,
      files: rows,
      cards,
      damaged: isDamaged,
      first,
      facets,
      folder,
      listedFolders,
      readme,
      total,
      secrets,
    },
    ...{ filters: { ...filters, usualSort: choices.sort }, view: choices.view },
    choices: listFolderChoices(tree),
    parents: folder && listFolderChoices(tree, folder.id),
  });
}

type FileListData = SerializeFrom<typeof loader>;

export const links = linkSheets(cardStyles);

export const handle: PageHandle<FileListData> = {
  title: (text, data) => data?.folder?.name ?? text.files.title,
  jsonTwin: "/api/files",
  // Only its owner can open the page; indexing is allowed because Lighthouse checks for it.
  robots: "index",
  welcomes: true,
};

export default function Files() {
  const { files, cards, filters, view, facets, damaged, folder, listedFolders, readme, choices, ...pages } =
    useLoaderData<typeof loader>();
  const text = useText();
  const folderCount = listedFolders?.page.total ?? 0;
  const list = toListAddress(filters, {});
  return (
    <>
      {folder && <FolderTrail trail={folder.trail} isHere />}
      <div className="page-head">
        <div className="flex wraps baseline gap-2">
          <h1>{folder ? <bdi>{removeBidiOverrides(folder.name)}</bdi> : chooseTitle(filters, text)}</h1>
          {files.length > 0 && pages.total !== null && (
            <span className="soft">
              {describeContents({ files: pages.total, folders: folder ? folderCount : 0 }, text.folders)}
            </span>
          )}
        </div>
        {files.length > 1 && <ListOptionsForm filters={filters} view={view} />}
      </div>
      {folder && <FolderBar folder={folder} parents={pages.parents} secrets={pages.secrets} />}
      {!folder && listedFolders && (
        <TopFolders listed={listedFolders} list={list} hasFiles={files.length > 0} />
      )}
      <FolderUpload folder={folder?.id ?? null} path={folder?.trail.map(({ name }) => name) ?? []} />
      {damaged && <Alert caution>{text.files.cursorDamaged}</Alert>}
      <FilterChips filters={filters} />
      <FacetLinks filters={filters} {...facets} />
      {folder && listedFolders && folderCount > 0 && <FolderRows {...listedFolders} list={list} />}
      {files.length > 0 ? (
        <SelectionForm
          every={listQuery(filters)}
          isPaged={isPaged(pages)}
          folders={choices}
          parent={folder?.id ?? null}
        >
          {cards ? (
            <FileCards files={cards} needle={filters.q} />
          ) : (
            <FileRows files={files} needle={filters.q} choosable />
          )}
        </SelectionForm>
      ) : (
        <NoFiles filters={filters} more={pages.next_cursor !== null} hasFolders={folderCount > 0} />
      )}
      <Pager filters={filters} {...pages} />
      {readme && <FolderReadme readme={readme} />}
    </>
  );
}

type FolderBarProps = { folder: ShownFolder; parents: FolderChoices | null; secrets: readonly string[] };

function FolderBar({ folder, parents, secrets }: FolderBarProps) {
  const text = useText().folders;
  return (
    <div className="actions surface button-strip button-columns folder-bar below-4">
      <a className="button" href={`/upload?folder=${folder.id}`} data-key="n">
        <Icon name="plus" />
        {text.newFile}
      </a>
      <NewFolderForm parent_id={folder.id} />
      {parents && (
        <FolderActions folder={folder} choices={parents}>
          <ShareFolderForm folder={folder} secrets={secrets} />
        </FolderActions>
      )}
      <UploadFolderButton />
    </div>
  );
}

function TopFolders({ listed, list, hasFiles }: { listed: ListedFolders; list: string; hasFiles: boolean }) {
  const hasFolders = listed.page.total > 0;
  if (!hasFolders && !hasFiles) return null;
  return (
    <div className="top-folders flex wraps top spread gap-4 rows-2 below-4">
      {hasFolders && <FolderChips {...listed} list={list} />}
      <div className="actions buttons-small">
        <NewFolderForm parent_id={null} />
        <UploadFolderButton />
      </div>
    </div>
  );
}

const isPaged = ({ first, next_cursor }: { first: boolean; next_cursor: string | null }) =>
  !first || next_cursor !== null;

const listQuery = ({ usualSort: _, ...filters }: ListFilters) =>
  `?${new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== undefined))}`;

function chooseTitle({ category }: ListFilters, text: Dictionary): string {
  return category && isCategory(category) ? text.finding.categories[category] : text.files.title;
}

type PagerProps = {
  filters: ListFilters;
  first: boolean;
  prev_cursor: string | null;
  next_cursor: string | null;
};

function Pager({ filters, first, prev_cursor, next_cursor }: PagerProps) {
  const { files, finding } = useText();
  if (first && !next_cursor) return null;
  return (
    <nav className="pager screen-only" aria-label={files.pages}>
      {!first && (
        <a className="button" href={toListAddress(filters, {})}>
          {files.first}
        </a>
      )}
      {prev_cursor && (
        <a className="button" href={toListAddress(filters, { before: prev_cursor })} rel="prev">
          <Icon name="back" />
          {finding.previous}
        </a>
      )}
      {next_cursor && (
        <a className="button" href={toListAddress(filters, { cursor: next_cursor })} rel="next">
          {files.next}
          <Icon name="forward" />
        </a>
      )}
    </nav>
  );
}
