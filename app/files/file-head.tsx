import type { ReactNode } from "react";
import { type Explained, ExplainPanel } from "#app/code-runs/explain-panel.tsx";
import { DescribeForm, TrashForm } from "#app/files/file-actions.tsx";
import { FileFacts, FileHeading, type ShownFile } from "#app/files/file-facts.tsx";
import { OldVersion } from "#app/files/versions/old-version.tsx";
import { ViewTabs } from "#app/files/view-tabs.tsx";
import { FolderTrail } from "#app/folders/folder-trail.tsx";
import type { FilePlacing } from "#app/folders/listed-folder.server.ts";
import { useText } from "#app/i18n/text.ts";
import { AddNote } from "#app/notes/note-forms.tsx";
import { libraryFile } from "#app/notes/noted-file.ts";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { atVersion, type OldVersionNumber } from "#app/viewers/views.ts";
import { hasTool } from "#domain/code-runs/code-tool.ts";

type Viewing = { file: { version: number }; newest: number };

/** The number in the addresses of what is viewed. */
export const getOldVersion = ({ file, newest }: Viewing): OldVersionNumber =>
  file.version === newest ? null : file.version;

type HeadProps = {
  file: ShownFile;
  newest: number;
  view: "source" | "preview";
  /** Who explains the file. */
  provider: string;
  /** Whether this server is connected to a code host. */
  sendable: boolean;
  placing: FilePlacing;
  /** False where the text is too large for the page. */
  hasText?: boolean;
  runButton?: ReactNode;
  explained?: Explained;
  children?: ReactNode;
};

/** The head of a file's page: the same actions in the same place for its source and for every preview. */
export function FileHead(props: HeadProps) {
  const { file, newest, view, provider, placing, hasText = true, explained, children } = props;
  const old = getOldVersion({ file, newest });
  return (
    <>
      <header className="stack file-head">
        {placing.trail.length > 0 && <FolderTrail trail={placing.trail} />}
        <div className="cluster spread file-title">
          <FileHeading file={file} isNewest={old === null} />
          <FileToolbar {...props} hasText={hasText} />
        </div>
        <FileFacts file={file} />
        <div className="cluster file-more">
          {old === null && <DescribeForm file={file} placing={placing} />}
          {children}
          {hasText && (
            <ExplainPanel
              action={atVersion(`/file/${file.id}`, old)}
              provider={provider}
              explained={explained}
            />
          )}
        </div>
      </header>
      <OldVersion file={file} newest={newest} view={view} />
      <ViewTabs file={file} old={old} view={view} />
    </>
  );
}

function FileToolbar({ file, newest, view, sendable, hasText, runButton }: HeadProps) {
  const { file: text, versions, tools, shares, repos } = useText();
  const old = getOldVersion({ file, newest });
  const download = atVersion(`/download/${file.id}`, old);
  const onHeading = view === "preview" && file.language === "markdown";
  return (
    <div className="actions surface button-strip button-columns">
      {hasText && <CopyButton from={download} />}
      {old === null && (
        <a className="button" href={`/edit/${file.id}`} data-key="e">
          <Icon name="edit" />
          {versions.edit}
        </a>
      )}
      <a className="button" href={download}>
        <Icon name="download" />
        {text.download}
      </a>
      <a className="button" href={`/api/file/${file.id}/content${old === null ? "" : `?version=${old}`}`}>
        <Icon name="files" />
        {shares.raw}
      </a>
      {runButton}
      {hasTool(file.language) && old === null && (
        <a className="button" href={`/tools/code?file=${file.id}`}>
          <Icon name="code" />
          {tools.open}
        </a>
      )}
      <a className="button" href={atVersion(`/file/${file.id}/share`, old)}>
        <Icon name="share" />
        {shares.share}
      </a>
      {sendable && old === null && (
        <a className="button" href={`/file/${file.id}/upload`}>
          <Icon name="repo" />
          {repos.upload}
        </a>
      )}
      <a className="button" href={`/file/${file.id}/history`}>
        <Icon name="clock" />
        {versions.history}
      </a>
      {old === null && hasText && <AddNote on={libraryFile(file.id)} onHeading={onHeading} />}
      {old === null && <TrashForm file={file} />}
    </div>
  );
}
