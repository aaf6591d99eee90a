import { NewFolderForm } from "#app/files/folders/folder-forms.tsx";
import { folderAddress } from "#app/files/folders/folder-trail.tsx";
import { type ListFilters, toListAddress } from "#app/files/list/file-filters.tsx";
import { useText } from "#app/i18n/text.ts";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Icon, type IconName } from "#app/web/ui/icon.tsx";
import { type Category, isCategory, ROOT_FOLDER } from "#domain/files/file-query.ts";

const CATEGORY_ICONS: Record<Category, IconName> = {
  recent: "clock",
  favorites: "star",
  pinned: "pin",
  repo: "repo",
  large: "files",
  other: "files",
};

type NoFilesProps = {
  filters: ListFilters;
  more: boolean;
  hasFolders: boolean;
};

export function NoFiles({ filters, more, hasFolders }: NoFilesProps) {
  const { finding, files, dashboard } = useText();
  const { q, lang, category, repo, folder } = filters;
  if (more)
    return (
      <EmptyState icon="search" title={finding.notYetTitle}>
        <p className="soft">{finding.notYet}</p>
      </EmptyState>
    );
  if (q)
    return (
      <EmptyState icon="search" title={finding.noHitTitle(q)}>
        <p className="soft">{finding.noHit}</p>
        {(lang || category || repo) && (
          <a
            className="button"
            href={toListAddress({ q, folder, sort: filters.sort, usualSort: filters.usualSort }, {})}
          >
            {finding.everywhere}
          </a>
        )}
      </EmptyState>
    );
  if (category && isCategory(category) && !lang && !repo)
    return (
      <EmptyState icon={CATEGORY_ICONS[category]} title={finding.noneYet}>
        <p className="soft">{finding.noneOf[category]}</p>
        <a className="button" href="/files">
          {finding.all}
        </a>
      </EmptyState>
    );
  if (lang || category || repo)
    return (
      <EmptyState icon="files" title={files.noneMatchTitle}>
        <p className="soft">{files.noneMatch}</p>
        <a className="button" href={folder ? folderAddress(folder) : "/files"}>
          {finding.all}
        </a>
      </EmptyState>
    );
  if (folder && folder !== ROOT_FOLDER) return <EmptyFolder folder={folder} hasFolders={hasFolders} />;
  return (
    <EmptyState icon="book" title={files.emptyTitle}>
      <p className="soft">{files.empty}</p>
      <a className="button button-primary" href="/upload">
        <Icon name="plus" />
        {dashboard.emptyAction}
      </a>
      <NewFolderForm parent_id={null} />
    </EmptyState>
  );
}

function EmptyFolder({ folder, hasFolders }: { folder: string; hasFolders: boolean }) {
  const text = useText().folders;
  if (hasFolders) return <p className="soft below-4">{text.emptyNested}</p>;
  return (
    <EmptyState icon="folder" title={text.emptyTitle}>
      <p className="soft">{text.empty}</p>
      <a className="button button-primary" href={`/upload?folder=${folder}`}>
        <Icon name="plus" />
        {text.newFile}
      </a>
    </EmptyState>
  );
}
