import { RestoreFolderForm } from "#app/files/folders/folder-forms.tsx";
import {
  UndoDeletion,
  UndoDetails,
  UndoFolderEdit,
  UndoMove,
  UndoSaving,
  UndoTick,
  UndoVersion,
} from "#app/files/undo-forms.tsx";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { toBoardName } from "#app/notes/boards/board-rows.tsx";
import { MoveBackForm, UndoDeleteForm } from "#app/notes/note-forms.tsx";
import { UndoReminder } from "#app/notes/note-reminder.tsx";
import type { Flash } from "#app/web/session/flash.ts";
import { useConcreteTime } from "#app/web/ui/concrete-time.tsx";
import { CopyField } from "#app/web/ui/copy-field.tsx";
import { Notice } from "#app/web/ui/frame/notice.tsx";

type Write<Message> = (flash: Message, text: Dictionary, writeTime: (moment: Date) => string) => string;
type FlashWriters = { [Say in Flash["say"]]: Write<Extract<Flash, { say: Say }>> };

const WORDS: FlashWriters = {
  logged_in: (_, text) => text.flash.loggedIn,
  logged_out: (_, text) => text.flash.loggedOut,
  logged_out_everywhere: (_, text) => text.flash.loggedOutEverywhere,
  file_saved: ({ name, version }, text) => text.upload.saved(name, version),
  no_changes: (_, text) => text.upload.noChanges,
  version_restored: ({ name, from, version }, text) => text.versions.restored(name, from, version),
  files_saved: ({ count }, text) => text.upload.savedMany(count),
  files_trashed: ({ count, name }, text) => text.fileActions.trashed(count, name),
  files_changed: ({ what, count, name }, text) => text.fileActions.done[what](count, name),
  files_moved: ({ count, name }, text) => text.folders.movedTo(count, name),
  folder_changed: ({ what, name, count }, text) => text.folders.done[what](name, count),
  folder_trashed: ({ name, count }, text) => text.folders.trashed(name, count),
  settings: ({ what }, text) => text.settings.said[what],
  sessions_ended: ({ count }, text) => text.settings.sessionsEnded(count),
  identity_changed: ({ what }, text) => text.signIn.done[what],
  credential_ended: ({ kind }, text) => text.credentials.ended[kind],
  token_revoked: (_, text) => text.tokens.revoked,
  feed_revoked: (_, text) => text.feeds.revoked,
  task_ticked: ({ checked, version }, text) => text.viewers.ticked(checked, version),
  note_saved: (_, text) => text.notes.saved,
  note_removed: ({ name }, text) => text.notes.removed(name || text.notes.untitled),
  note_moved: ({ name, place }, text) =>
    text.notes.moved(name || text.notes.untitled, toBoardName(text, place)),
  note_unremoved: ({ name }, text) => text.notes.unremoved(name || text.notes.untitled),
  note_restored: (_, text) => text.notes.restored,
  board_named: ({ what, name }, text) => text.boards[what](name),
  board_removed: ({ moved }, text) => text.boards.removed(moved),
  shared: ({ count, name, lines }, text) =>
    [text.shares.made(count, name), ...(lines ? [text.shares.range(lines)] : [])].join(", "),
  share_revoked: (_, text) => text.shares.revoked,
  refused: ({ code }, text) => text.refusals[code],
  devices_removed: ({ count }, text) => text.devices.removedMany(count),
  push_tested: ({ sent, errors }, text) => text.devices.tested(sent, errors),
  person_changed: ({ what }, text) => text.people.done[what],
  reminded: ({ what, at }, text, writeTime) =>
    text.reminders.said[what](at === undefined ? "" : writeTime(new Date(at))),
  quick_fixed: ({ what }, text) => text.observability.fixed[what],
  indexes_built: ({ built, failed }, text) => text.operators.indexes.built(built, failed),
  repo: ({ what, name }, text) => text.repos[what](name),
  host_upload: ({ path, sync_queued }, text) =>
    text.repos[sync_queued ? "uploaded" : "uploadedUnsynced"](path),
  reattached: ({ count, path }, text) => text.repos.reattached(count, path),
  runs_retried: ({ count }, text) => text.jobs.retried(count),
  runs_dismissed: ({ count }, text) => text.jobs.runsDismissed(count),
  runs_restored: ({ count }, text) => text.jobs.runsRestored(count),
  job_queued: ({ job_id }, text) => text.jobs.queued(toJobName(text, job_id)),
};

const SAVED: readonly Flash["say"][] = ["file_saved", "files_saved", "no_changes", "note_saved"];

/** True if the message reports a saved text; the browser then deletes its draft. */
const saysSaved = (flash: Flash) =>
  SAVED.includes(flash.say) || (flash.say === "files_changed" && flash.what === "described");

function toJobName(text: Dictionary, jobId: string): string {
  return Object.entries(text.jobs.names).find(([id]) => id === jobId)?.[1] ?? jobId;
}

export function FlashMessage({ flash }: { flash: Flash }) {
  // Each function takes only the messages of its key, which the compiler cannot infer.
  const words = WORDS[flash.say] as Write<Flash>;
  const writeTime = useConcreteTime();
  const text = useText();
  const wrong =
    flash.say === "refused" ||
    (flash.say === "push_tested" && flash.errors > 0) ||
    (flash.say === "indexes_built" && flash.failed > 0);
  return (
    <Notice isWrong={wrong} isSaved={saysSaved(flash)}>
      <p>{words(flash, text, writeTime)}</p>
      <FlashActions flash={flash} />
    </Notice>
  );
}

function FlashActions({ flash }: { flash: Flash }) {
  const text = useText();
  return (
    <>
      {flash.say === "logged_out" && flash.provider && (
        <a className="button button-small" href="/auth/oidc/logout" rel="nofollow">
          {text.flash.logOutAt(flash.provider)}
        </a>
      )}
      {flash.say === "files_trashed" && <UndoDeletion at={flash.at} />}
      {(flash.say === "file_saved" || flash.say === "files_saved") && flash.created && (
        <UndoSaving fileIds={flash.created} />
      )}
      {flash.say === "file_saved" && flash.replaced && (
        <UndoVersion fileId={flash.replaced} before={flash.version - 1} />
      )}
      {flash.say === "files_changed" && flash.undo && <UndoDetails {...flash.undo} />}
      {flash.say === "files_moved" && flash.moved && <UndoMove moved={flash.moved} />}
      {flash.say === "task_ticked" && <UndoTick {...flash} />}
      {flash.say === "shared" && flash.url && <SharedLink {...flash} url={flash.url} />}
      {flash.say === "folder_changed" && flash.undo && <UndoFolderEdit {...flash.undo} />}
      {flash.say === "folder_trashed" && (
        <RestoreFolderForm folderId={flash.folder_id} label={text.fileActions.undo} />
      )}
      {flash.say === "reminded" && flash.what === "done" && flash.note_id && (
        <UndoReminder noteId={flash.note_id} intent="reopen" />
      )}
      {flash.say === "reminded" && flash.what === "set" && flash.note_id && flash.before !== undefined && (
        <UndoReminder
          noteId={flash.note_id}
          intent={flash.before === null ? "remove" : "back"}
          before={flash.before ?? undefined}
        />
      )}
      {flash.say === "reminded" && flash.what === "removed" && flash.note_id && (
        <UndoDeleteForm noteId={flash.note_id} />
      )}
      {flash.say === "note_moved" && <MoveBackForm noteId={flash.note_id} from={flash.from} />}
      {flash.say === "note_removed" && <UndoDeleteForm noteId={flash.note_id} />}
    </>
  );
}

function SharedLink({ url, name, count }: { url: string; name?: string; count: number }) {
  const text = useText().shares;
  return (
    <CopyField
      className="notice-link buttons-small"
      value={url}
      named={text.address(name ?? text.several(count))}
      small
    >
      <a className="button" href={url}>
        {text.open}
      </a>
    </CopyField>
  );
}
