import { LanguageDot } from "#app/files/list/file-rows.tsx";
import { useText } from "#app/i18n/text.ts";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { FileName } from "#app/web/ui/file-name.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { languageLabel } from "#domain/files/language.ts";

export type SharedRow = {
  /** The last part of its address. */
  key: string;
  file_name: string;
  directory: string;
  language: string;
  size_bytes: number;
  lines: number;
};

export function SharedRows({ base, files }: { base: string; files: readonly SharedRow[] }) {
  const groups = [...Map.groupBy(files, ({ directory }) => directory)];
  return (
    <>
      {groups.map(([directory, rows]) => (
        <section key={directory} aria-label={directory || undefined}>
          {directory !== "" && (
            <h2 className="line-up gap-2 small above-4 below-2">
              <Icon name="folder" />
              <FileName name={directory.slice(0, -1)} />
            </h2>
          )}
          <ul className="rows shared-rows">
            {rows.map((file) => (
              <Row key={file.key} base={base} file={file} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Row({ base, file }: { base: string; file: SharedRow }) {
  const text = useText().file;
  return (
    <li className="file-row">
      <LanguageDot language={file.language} />
      <a className="file-name mono" href={`${base}/${file.key}`} dir="ltr">
        <FileName name={file.file_name} />
      </a>
      <div className="file-facts">
        <span>{languageLabel(file.language)}</span>
        <span>{text.lines(file.lines)}</span>
        <Bytes count={file.size_bytes} />
      </div>
    </li>
  );
}
