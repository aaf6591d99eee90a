import type { TrailStep } from "#app/files/folders/listed-folder.server.ts";
import { useText } from "#app/i18n/text.ts";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";

export const folderAddress = (id: string) => `/files?folder=${id}`;

type TrailProps = {
  trail: readonly TrailStep[];
  /** True if the last folder is the page itself. */
  isHere?: boolean;
};

export function FolderTrail({ trail, isHere = false }: TrailProps) {
  const text = useText().folders;
  return (
    <nav className="path folder-trail small" aria-label={text.where}>
      <ol className="wraps">
        <li>
          <a href="/files" data-folder-drop={ROOT_FOLDER}>
            {text.allFiles}
          </a>
        </li>
        {trail.map(({ id, name }, i) => (
          <li key={id}>
            {isHere && i === trail.length - 1 ? (
              <bdi aria-current="page">{removeBidiOverrides(name)}</bdi>
            ) : (
              <a href={folderAddress(id)} data-folder-drop={id}>
                <bdi>{removeBidiOverrides(name)}</bdi>
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

export function FileFolderPath({ place }: { place: readonly TrailStep[] }) {
  return (
    <span className="file-place soft one-line shrinks contained over-row">
      {place.map(({ id, name }, i) => (
        <a key={id} href={folderAddress(id)}>
          {i === 0 && <Icon name="folder" />}
          <bdi>{removeBidiOverrides(name)}</bdi>
        </a>
      ))}
    </span>
  );
}
