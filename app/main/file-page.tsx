import { useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { ReadingMenu } from "#app/accounts/reading-choices.tsx";
import { type Explained, ExplainPanel } from "#app/code-runs/explain-panel.tsx";
import {
  FileRuns,
  type Offer,
  type RunAnswer,
  RunButton,
  RunPageLink,
  RunUnavailableLink,
} from "#app/code-runs/file-runs.tsx";
import { RunDockPlace } from "#app/code-runs/run-dock.tsx";
import { type FileView, ViewTabs } from "#app/files/code/view-tabs.tsx";
import { DescribeForm, DetailLinks, SingleFileForms } from "#app/files/file-actions.tsx";
import { FileFacts, FileHeading, type ShownFile } from "#app/files/file-facts.tsx";
import { FolderTrail, folderAddress } from "#app/files/folders/folder-trail.tsx";
import type { FilePlacing } from "#app/files/folders/listed-folder.server.ts";
import { OldVersionNotice } from "#app/files/versions/old-version.tsx";
import { useText } from "#app/i18n/text.ts";
import { AddNoteLink } from "#app/notes/note-forms.tsx";
import { addParameter, toNotedLibraryFile } from "#app/notes/noted-file.ts";
import { atVersion, type OldVersionNumber, rawAddress } from "#app/viewers/views.ts";
import { CopyButton } from "#app/web/ui/copy-button.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { hasTool } from "#domain/code-runs/code-tool.ts";
import { formatRange, parseLineRange } from "#domain/text/line-range.ts";

type Viewing = { file: { version: number }; newest: number };

export const getOldVersion = ({ file, newest }: Viewing): OldVersionNumber =>
  file.version === newest ? null : file.version;

type HeadProps = {
  file: ShownFile;
  newest: number;
  view: FileView;
  provider: string;
  sendable: boolean;
  placing: FilePlacing;
  /** Null if files of its language do not run here. */
  runs?: Offer | null;
  ran?: RunAnswer;
  explained?: Explained;
};

export function FilePage({ children, ...head }: HeadProps & { children: ReactNode }) {
  const { file, runs, placing } = head;
  return (
    <article>
      <FileHead {...head} />
      {children}
      {runs?.barred === null && (
        <RunDockPlace
          name={file.file_name}
          folder={placing.trail.map(({ name }) => name).join("/")}
          file={file}
        />
      )}
    </article>
  );
}

function FileHead(props: HeadProps) {
  const { file, newest, view, provider, placing, runs, ran, explained } = props;
  const old = getOldVersion({ file, newest });
  return (
    <>
      <header className="stack file-head below-4">
        {placing.trail.length > 0 && <FolderTrail trail={placing.trail} />}
        <div className="cluster spread gap-4 rows-2">
          <FileHeading file={file} isNewest={old === null} />
          <FileToolbar {...props} />
        </div>
        <FileFacts file={file} />
      </header>
      <div className="file-more flex wraps below-3 edge-below">
        <ViewTabs file={file} old={old} view={view} />
        {old === null && <DescribeForm file={file} placing={placing} />}
        {runs && <FileRuns file={file} old={old} runs={runs} answer={ran} />}
        <ExplainPanel action={atVersion(`/file/${file.id}`, old)} provider={provider} explained={explained} />
      </div>
      <OldVersionNotice file={file} newest={newest} view={view} />
    </>
  );
}

/** The strip has the most common actions, in order of use; the menu has the others. */
function FileToolbar(props: HeadProps) {
  const { file, newest, view, runs } = props;
  const { versions, shares } = useText();
  const old = getOldVersion({ file, newest });
  const [parameters] = useSearchParams();
  const lines = parseLineRange(parameters.get("L"));
  const share = atVersion(`/file/${file.id}/share`, old);
  const onHeading = view === "preview" && file.language === "markdown";
  return (
    <div className="actions surface button-strip button-row file-strip">
      {old === null && (
        <a className="button" href={`/edit/${file.id}`} data-key="e">
          <Icon name="edit" />
          {versions.edit}
        </a>
      )}
      <CopyButton from={atVersion(`/download/${file.id}`, old)} />
      <RunAction file={file} old={old} view={view} runs={runs} />
      <a className="button" href={lines ? addParameter(share, "L", formatRange(lines)) : share} data-share="">
        <Icon name="share" />
        {shares.share}
      </a>
      {old === null && <AddNoteLink on={toNotedLibraryFile(file.id)} onHeading={onHeading} />}
      <FileMenu {...props} />
    </div>
  );
}

type RunActionProps = Pick<HeadProps, "file" | "view" | "runs"> & { old: OldVersionNumber };

function RunAction({ file, view, runs, old }: RunActionProps) {
  if (file.language === "html" && view !== "preview") return <RunPageLink id={file.id} old={old} />;
  if (runs?.barred === "too_large") return <RunUnavailableLink id={file.id} old={old} />;
  return runs?.barred === null ? <RunButton /> : null;
}

function FileMenu({ file, newest, sendable, placing }: HeadProps) {
  const { file: text, fileActions, tools, shares, repos } = useText();
  const folder = placing.trail.at(-1);
  const old = getOldVersion({ file, newest });
  return (
    <details className="menu">
      <summary className="button" aria-label={fileActions.more} title={fileActions.more}>
        <Icon name="more" />
      </summary>
      <div className="surface menu-sheet menu-list">
        {old === null && <DetailLinks fileId={file.id} hasFolders={placing.choices.offered.length > 0} />}
        <a className="button" href={atVersion(`/download/${file.id}`, old)}>
          <Icon name="download" />
          {text.download}
        </a>
        <a className="button" href={rawAddress(file.id, old)}>
          <Icon name="files" />
          {shares.raw}
        </a>
        {hasTool(file.language) && old === null && (
          <a className="button" href={`/tools/code?file=${file.id}`}>
            <Icon name="code" />
            {tools.open}
          </a>
        )}
        {sendable && old === null && (
          <a className="button" href={`/file/${file.id}/upload`}>
            <Icon name="repo" />
            {repos.upload}
          </a>
        )}
        <ReadingMenu />
        {old === null && <SingleFileForms file={file} list={folder ? folderAddress(folder.id) : "/files"} />}
      </div>
    </details>
  );
}
