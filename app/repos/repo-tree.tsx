import { LanguageDot } from "#app/files/list/file-rows.tsx";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { languageLabel } from "#domain/files/language.ts";
import { baseName, type RepoFileKind } from "#domain/repos/repo.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";

type TreeFile = { path: string; size: number; language: string; kind: RepoFileKind; notes: number };
type TreeRows = { folders: readonly string[]; files: readonly TreeFile[] };

export function RepoTree({ name, rows: { folders, files } }: { name: string; rows: TreeRows }) {
  const text = useText().repos;
  return (
    <ul className="rows rows-compact repo-tree">
      {folders.map((path) => (
        <li key={path} className="file-row">
          <span className="self-middle soft inline-flex" title={text.folder}>
            <Icon name="folder" />
          </span>
          <a className="file-name mono" href={repoPlace(name, "", { path })} dir="ltr">
            {baseName(path)}/
          </a>
        </li>
      ))}
      {files.map((file) => (
        <FileRow key={file.path} name={name} file={file} />
      ))}
    </ul>
  );
}

/** Names the language of a text, or the kind of another file. */
export function describeFileKind(
  text: Dictionary["repos"],
  { kind, language }: Pick<TreeFile, "kind" | "language">,
): string {
  return kind === "text" || kind === "large" ? languageLabel(language) : text.sorts[kind];
}

function FileRow({ name, file }: { name: string; file: TreeFile }) {
  const text = useText().repos;
  return (
    <li className="file-row">
      <LanguageDot language={file.language} />
      <a className="file-name mono" href={repoPlace(name, "file", { path: file.path })} dir="ltr">
        {baseName(file.path)}
      </a>
      <div className="file-facts">
        {file.notes > 0 && (
          <span className="caution inline gap-1">
            <Icon name="note" />
            {text.notes(file.notes)}
          </span>
        )}
        <span className="file-language plain over-row">{describeFileKind(text, file)}</span>
        <span className="file-size">
          <Bytes count={file.size} />
        </span>
      </div>
    </li>
  );
}
