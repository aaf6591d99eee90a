import { removeBidiOverrides } from "#app/files/code/bidi-controls.ts";
import { folderAddress } from "#app/folders/folder-trail.tsx";
import type { ListedFolder } from "#app/folders/listed-folder.server.ts";
import { amount } from "#app/i18n/amount.ts";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/ui/icon.tsx";

type FoldersProps = { folders: readonly ListedFolder[] };

const SHOWN_MAX = 24;

/** The folders at the top, in as little room as they need: the list of all files follows. */
export function FolderChips({ folders }: FoldersProps) {
  const text = useText().folders;
  const rest = folders.slice(SHOWN_MAX);
  return (
    <nav className="folder-chips" aria-label={text.title}>
      <ChipList folders={folders.slice(0, SHOWN_MAX)} />
      {rest.length > 0 && (
        <details className="disclosure">
          <summary>{text.more(rest.length)}</summary>
          <ChipList folders={rest} />
        </details>
      )}
    </nav>
  );
}

function ChipList({ folders }: FoldersProps) {
  const text = useText().folders;
  return (
    <ul>
      {folders.map(({ id, name, files, folders: inside }) => (
        <li key={id}>
          <a
            className="folder-chip"
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
  const words = describeContents({ files, folders }, text);
  if (files === null || words === "") return null;
  return (
    <span className="facet-count">
      {folders > 0 ? (
        words
      ) : (
        <>
          <span aria-hidden>{amount(files)}</span>
          <span className="visually-hidden">{words}</span>
        </>
      )}
    </span>
  );
}

/** What is right in a folder; what was not counted, and what there is none of, is left out. */
export const describeContents = (
  { files, folders }: Pick<ListedFolder, "files" | "folders">,
  text: Dictionary["folders"],
): string =>
  [folders > 0 && text.folders(folders), files !== null && files > 0 && text.files(files)]
    .filter(Boolean)
    .join(" · ");

/** The folders within a folder, above its files. */
export function FolderRows({ folders }: FoldersProps) {
  const text = useText().folders;
  return (
    <ul className="rows folder-rows" aria-label={text.title}>
      {folders.map(({ id, name, ...counts }) => (
        <li key={id} className="file-row" data-folder-drop={id}>
          <span className="folder-icon">
            <Icon name="folder" />
          </span>
          <a className="file-name" href={folderAddress(id)} dir="auto" data-row data-folder-drag={id}>
            {removeBidiOverrides(name)}
          </a>
          <div className="file-facts">{describeContents(counts, text)}</div>
        </li>
      ))}
    </ul>
  );
}
