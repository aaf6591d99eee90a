import { FileMarksForm, type Marked } from "#app/files/file-actions.tsx";
import { LanguageDot } from "#app/files/list/file-rows.tsx";
import { Tags } from "#app/files/list/tags.tsx";
import { useText } from "#app/i18n/text.ts";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { FileName } from "#app/web/ui/file-name.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import type { FileDetails } from "#domain/files/file-details.ts";
import { languageLabel } from "#domain/files/language.ts";

export type ShownFile = Marked &
  FileDetails & {
    folder_id: string | null;
    language: string;
    version: number;
    lines: number;
    size_bytes: number;
    updated_at: string;
  };

export function FileHeading({ file, isNewest }: { file: Marked; isNewest: boolean }) {
  return (
    <div className="flex top gap-2 shrinks">
      <h1 className="mono shrinks">
        <FileName name={file.file_name} />
      </h1>
      {isNewest && <FileMarksForm file={file} />}
    </div>
  );
}

export function FileFacts({ file }: { file: ShownFile }) {
  const text = useText().file;
  return (
    <>
      {file.description && (
        <p>
          <bdi>{file.description}</bdi>
        </p>
      )}
      <ul className="cluster file-meta small soft gap-4 rows-1">
        <li className="inline gap-2">
          <LanguageDot language={file.language} />
          <a href={`/files?lang=${encodeURIComponent(file.language)}`}>{languageLabel(file.language)}</a>
        </li>
        <li className="inline gap-2">{text.version(file.version)}</li>
        <li className="inline gap-2">{text.lines(file.lines)}</li>
        <li className="file-size inline gap-2">
          <Bytes count={file.size_bytes} />
        </li>
        <li className="inline gap-2">
          <Moment at={file.updated_at} />
        </li>
        {file.tags.length > 0 && (
          <li className="inline gap-2">
            <Tags tags={file.tags} />
          </li>
        )}
      </ul>
    </>
  );
}
