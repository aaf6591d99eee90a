import { FileFacts, FileHeading, type ShownFile } from "#app/files/file-facts.tsx";
import { OldVersion } from "#app/files/versions/old-version.tsx";
import { ViewTabs } from "#app/files/view-tabs.tsx";
import { useText } from "#app/i18n/text.ts";
import { AddNote } from "#app/notes/note-forms.tsx";
import { libraryFile } from "#app/notes/noted-file.ts";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { atVersion, type OldVersionNumber } from "#app/viewers/views.ts";

type Viewing = {
  file: { id: string; file_name: string; language: string; version: number };
  newest: number;
};

/** The number in the addresses of what is viewed. */
export const getOldVersion = ({ file, newest }: Viewing): OldVersionNumber =>
  file.version === newest ? null : file.version;

/** The head of a page that shows a file as something else than its source. */
export function ViewHead({ file, newest }: { file: ShownFile; newest: number }) {
  const { file: text, versions, shares } = useText();
  const old = getOldVersion({ file, newest });
  return (
    <header className="stack file-head">
      <div className="cluster spread file-title">
        <FileHeading file={file} isNewest={old === null} />
        <div className="actions surface button-strip button-columns">
          <CopyButton from={atVersion(`/download/${file.id}`, old)} />
          {old === null && (
            <a className="button" href={`/edit/${file.id}`} data-key="e">
              <Icon name="edit" />
              {versions.edit}
            </a>
          )}
          <a className="button" href={atVersion(`/download/${file.id}`, old)}>
            <Icon name="download" />
            {text.download}
          </a>
          <a className="button" href={atVersion(`/file/${file.id}/share`, old)}>
            <Icon name="share" />
            {shares.share}
          </a>
          <a className="button" href={`/file/${file.id}/history`}>
            <Icon name="clock" />
            {versions.history}
          </a>
          {old === null && file.language === "markdown" && <AddNote on={libraryFile(file.id)} onHeading />}
        </div>
      </div>
      <FileFacts file={file} />
      <OldVersion file={file} newest={newest} view="preview" />
      <ViewTabs file={file} old={old} view="preview" />
    </header>
  );
}
