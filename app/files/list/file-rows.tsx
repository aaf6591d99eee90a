import { MarkButtons } from "#app/files/file-actions.tsx";
import { FileFolderPath } from "#app/files/folders/folder-trail.tsx";
import type { TrailStep } from "#app/files/folders/listed-folder.server.ts";
import { RowCheckbox } from "#app/files/list/file-selection.tsx";
import { MarkedText, MatchLink } from "#app/files/list/marked.tsx";
import { Tags } from "#app/files/list/tags.tsx";
import { useText } from "#app/i18n/text.ts";
import { toFileAddress, toLineAddress } from "#app/viewers/views.ts";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { languageLabel } from "#domain/files/language.ts";
import { type MatchingLine, markedParts } from "#domain/search/matching-line.ts";
import { foldCase } from "#domain/text/folded.ts";

export type FileRow = {
  id: string;
  file_name: string;
  language: string;
  description: string;
  tags: string[];
  size_bytes: number;
  updated_at: string;
  is_favorite: boolean;
  is_pinned: boolean;
  match?: MatchingLine | null;
  /** The file's folders, if the list does not name them. */
  place?: readonly TrailStep[];
};

type RowsProps = { files: FileRow[]; needle?: string; choosable?: boolean };

/** `needle` is the search text to mark in each row. Inside a selection form the rows are `choosable` and their marks are buttons. */
export function FileRows({ files, needle, choosable = false }: RowsProps) {
  return (
    <ul className="rows">
      {files.map((file) => (
        <Row key={file.id} file={file} needle={needle && foldCase(needle)} choosable={choosable} />
      ))}
    </ul>
  );
}

type AboutProps = { file: FileRow; needle: string | undefined };

function Row({ file, needle, choosable }: AboutProps & { choosable: boolean }) {
  const text = useText().files;
  const hasDetails = file.description !== "" || file.tags.length > 0;
  const isPlaced = file.place !== undefined && file.place.length > 0;
  return (
    <li className={choosable ? "file-row file-row-chosen" : "file-row"}>
      {choosable && <RowCheckbox file={file} />}
      <LanguageDot language={file.language} />
      <div className="file-words">
        <FileRowName file={file} needle={needle} />
        {(hasDetails || isPlaced) && <FileRowDetails file={file} needle={needle} />}
      </div>
      <div className="file-facts file-row-facts">
        <LanguageLink language={file.language} />
        <span className="file-size">
          <Bytes count={file.size_bytes} />
        </span>
        <span className="to-end">
          <span className="visually-hidden">{text.edited} </span>
          <Moment at={file.updated_at} />
        </span>
      </div>
      {choosable && (
        <div className="row-marks rigid inline-flex">
          <MarkButtons file={file} />
        </div>
      )}
      {file.match && (
        <MatchLink href={toLineAddress(`/file/${file.id}`, file.match.number)} match={file.match} />
      )}
    </li>
  );
}

export function FileRowName({ file, needle }: AboutProps) {
  const text = useText().viewers;
  const name = removeBidiOverrides(file.file_name);
  const source = `/file/${file.id}`;
  const isPreviewed = toFileAddress(file) !== source;
  return (
    <div className={isPreviewed ? "cluster file-heading" : "file-heading"}>
      <a className="file-name mono" href={toFileAddress(file)} dir="ltr" data-row>
        {needle ? <MarkedText parts={markedParts(name, needle)} /> : name}
      </a>
      {isPreviewed && (
        <small className="soft">
          <a className="file-language plain over-row" href={source}>
            {text.source} <span className="visually-hidden">{name}</span>
          </a>
        </small>
      )}
    </div>
  );
}

export function LanguageLink({ language }: { language: string }) {
  const text = useText().files;
  return (
    <a className="file-language plain over-row" href={`/files?lang=${encodeURIComponent(language)}`}>
      {languageLabel(language)} <span className="visually-hidden">{text.ofLanguage}</span>
    </a>
  );
}

function FileRowDetails({ file, needle }: AboutProps) {
  return (
    <div className="cluster file-about small soft shrinks gap-2 rows-1">
      {file.place && file.place.length > 0 && <FileFolderPath place={file.place} />}
      {file.description && (
        <div className="file-description shrinks contained">
          <span className="block fit contained cut" dir="auto">
            {needle ? <MarkedText parts={markedParts(file.description, needle)} /> : file.description}
          </span>
        </div>
      )}
      <Tags tags={file.tags} />
    </div>
  );
}

export function LanguageDot({ language }: { language: string }) {
  return <span className="language-dot" data-language={language} title={languageLabel(language)} />;
}
