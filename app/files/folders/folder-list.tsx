import { type FolderPage, toFolderPageAddress } from "#app/files/folders/folder-pages.ts";
import { folderAddress } from "#app/files/folders/folder-trail.tsx";
import type { ListedFolder } from "#app/files/folders/listed-folder.server.ts";
import { amount } from "#app/i18n/amount.ts";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { Icon } from "#app/web/ui/icon.tsx";

type FoldersProps = { folders: readonly ListedFolder[] };
type PagedFoldersProps = FoldersProps & {
  page: FolderPage;
  list: string;
};

const SHOWN_MAX = 24;

export function FolderChips({ folders, page, list }: PagedFoldersProps) {
  const text = useText().folders;
  if (page.number > 1)
    return (
      <nav className="folder-chips shrinks" aria-label={text.title}>
        <ChipList folders={folders} />
        <FolderPager page={page} list={list} />
      </nav>
    );
  const furtherFolders = folders.slice(SHOWN_MAX);
  return (
    <nav className="folder-chips shrinks" aria-label={text.title}>
      <ChipList folders={folders.slice(0, SHOWN_MAX)} />
      {furtherFolders.length > 0 && (
        <details className="disclosure">
          <summary>{text.more(page.total - SHOWN_MAX)}</summary>
          <ChipList folders={furtherFolders} className="above-2" />
          <FolderPager page={page} list={list} />
        </details>
      )}
    </nav>
  );
}

function ChipList({ folders, className = "" }: FoldersProps & { className?: string }) {
  const text = useText().folders;
  return (
    <ul className={`flex wraps gap-2 ${className}`}>
      {folders.map(({ id, name, files, folders: inside }) => (
        <li key={id}>
          <a
            className="folder-chip inline gap-2 raised edge round ink small plain"
            href={folderAddress(id)}
            title={describeContents({ files, folders: inside }, text) || undefined}
            data-folder-drop={id}
            data-folder-drag={id}
          >
            <Icon name="folder" />
            <bdi>{removeBidiOverrides(name)}</bdi>
            <ChipCount files={files} folders={inside} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A number alone counts files; folders are named. */
function ChipCount({ files, folders }: Pick<ListedFolder, "files" | "folders">) {
  const text = useText().folders;
  const description = describeContents({ files, folders }, text);
  if (files === null || description === "") return null;
  return (
    <span className="tiny numbers soft rigid one-line">
      {folders > 0 ? (
        description
      ) : (
        <>
          <span aria-hidden>{amount(files)}</span>
          <span className="visually-hidden">{description}</span>
        </>
      )}
    </span>
  );
}

export const describeContents = (
  { files, folders }: Pick<ListedFolder, "files" | "folders">,
  text: Dictionary["folders"],
): string =>
  [folders > 0 && text.folders(folders), files !== null && files > 0 && text.files(files)]
    .filter(Boolean)
    .join(" · ");

export function FolderRows({ folders, page, list }: PagedFoldersProps) {
  const text = useText().folders;
  return (
    <div className="below-4">
      <ul className="rows rows-compact" aria-label={text.title}>
        {folders.map(({ id, name, ...counts }) => (
          <li key={id} className="file-row" data-folder-drop={id}>
            <span className="self-middle rigid soft inline-flex">
              <Icon name="folder" />
            </span>
            <a className="file-name" href={folderAddress(id)} dir="auto" data-row data-folder-drag={id}>
              {removeBidiOverrides(name)}
            </a>
            <div className="file-facts">{describeContents(counts, text)}</div>
          </li>
        ))}
      </ul>
      <FolderPager page={page} list={list} />
    </div>
  );
}

type FolderPagerProps = Pick<PagedFoldersProps, "page" | "list"> & {
  /** Replaces the text that counts folders only. */
  shownOf?: Dictionary["folders"]["shownOf"];
};

/** Says which of all folders the page shows, and links to the pages before and after. */
export function FolderPager({ page, list, shownOf }: FolderPagerProps) {
  const { folders, files, finding } = useText();
  const { number, isLast, from, to, total } = page;
  if (number === 1 && isLast) return null;
  return (
    <nav className="cluster" aria-label={folders.pages}>
      {number > 1 && (
        <a className="button" href={toFolderPageAddress(list, number - 1)} rel="prev">
          <Icon name="back" />
          {finding.previous}
        </a>
      )}
      <span className="soft">{(shownOf ?? folders.shownOf)(from, to, total)}</span>
      {!isLast && (
        <a className="button" href={toFolderPageAddress(list, number + 1)} rel="next">
          {files.next}
          <Icon name="forward" />
        </a>
      )}
    </nav>
  );
}
