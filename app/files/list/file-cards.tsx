import { MarkButtons } from "#app/files/file-actions.tsx";
import { FileFolderPath } from "#app/files/folders/folder-trail.tsx";
import { type FileRow, FileRowName, LanguageDot, LanguageLink } from "#app/files/list/file-rows.tsx";
import { RowCheckbox } from "#app/files/list/file-selection.tsx";
import { MatchLink } from "#app/files/list/marked.tsx";
import { Tags } from "#app/files/list/tags.tsx";
import { useText } from "#app/i18n/text.ts";
import { toLineAddress } from "#app/viewers/views.ts";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { foldCase } from "#domain/text/folded.ts";

type FileCard = FileRow & { start: string };

export function FileCards({ files, needle }: { files: readonly FileCard[]; needle?: string }) {
  return (
    <ul className="columns-18 grid gap-4">
      {files.map((file) => (
        <Card key={file.id} file={file} needle={needle && foldCase(needle)} />
      ))}
    </ul>
  );
}

function Card({ file, needle }: { file: FileCard; needle: string | undefined }) {
  const text = useText().files;
  return (
    <li className="surface file-card grid column gap-2 pad-3">
      <div className="line-up gap-2">
        <RowCheckbox file={file} />
        <LanguageDot language={file.language} />
        <FileRowName file={file} needle={needle} />
        <span className="row-marks rigid inline-flex">
          <MarkButtons file={file} />
        </span>
      </div>
      <pre className="flush pad-2 sunk round soft mono tiny from-start" dir="ltr" aria-hidden="true">
        {removeBidiOverrides(file.start)}
      </pre>
      {file.match && (
        <MatchLink href={toLineAddress(`/file/${file.id}`, file.match.number)} match={file.match} />
      )}
      {file.place && file.place.length > 0 && <FileFolderPath place={file.place} />}
      <Tags tags={file.tags} />
      <div className="small soft flex wraps baseline spread gap-3 rows-0">
        <LanguageLink language={file.language} />
        <Bytes count={file.size_bytes} />
        <span>
          <span className="visually-hidden">{text.edited} </span>
          <Moment at={file.updated_at} />
        </span>
      </div>
    </li>
  );
}
