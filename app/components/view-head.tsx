import { Icon } from "#app/components/icon.tsx";
import { ViewTabs } from "#app/components/view-tabs.tsx";
import { useText } from "#app/i18n/text.ts";

type HeadProps = { file: { id: string; file_name: string; language: string } };

/** The head of a page that shows a file as something else than its source. */
export function ViewHead({ file }: HeadProps) {
  const text = useText().file;
  return (
    <header className="file-head">
      <div className="file-title">
        <h1>
          <bdi dir="ltr">{file.file_name}</bdi>
        </h1>
        <div className="actions">
          <a className="button" href={`/download/${file.id}`}>
            <Icon name="download" />
            {text.download}
          </a>
        </div>
      </div>
      <ViewTabs file={file} view="preview" />
    </header>
  );
}
