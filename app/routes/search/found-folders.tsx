import { folderAddress } from "#app/files/folders/folder-trail.tsx";
import { useText } from "#app/i18n/text.ts";
import { removeBidiOverrides } from "#app/ui/bidi-controls.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { FolderPath } from "#domain/files/folders/folder-choices.ts";

export function FoundFolders({ folders }: { folders: readonly FolderPath[] }) {
  const text = useText().folders;
  return (
    <nav className="folder-chips shrinks" aria-label={text.title}>
      <ul>
        {folders.map(({ id, path }) => (
          <li key={id}>
            <a
              className="folder-chip inline gap-2 raised edge round ink small plain"
              href={folderAddress(id)}
            >
              <Icon name="folder" />
              <bdi>{removeBidiOverrides(path)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
