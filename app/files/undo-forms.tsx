import { useLocation } from "@remix-run/react";
import { FileActionForm, IntentButton } from "#app/files/file-actions.tsx";
import type { FormerDetails } from "#app/http/session/flash.ts";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/ui/icon.tsx";

/** Brings back what was moved to the trash at one moment. */
export function UndoDeletion({ at }: { at: number }) {
  const text = useText().fileActions;
  return (
    <FileActionForm>
      <input type="hidden" name="at" value={at} />
      <IntentButton intent="undo" icon="undo" words={text.undo} />
    </FileActionForm>
  );
}

/** Moves files that were saved for the first time to the trash. The page of such a file is left for the list. */
export function UndoSaving({ fileIds }: { fileIds: readonly string[] }) {
  const text = useText().fileActions;
  const { pathname } = useLocation();
  return (
    <FileActionForm next={fileIds.some((id) => pathname.endsWith(id)) ? "/files" : undefined}>
      {fileIds.map((id) => (
        <input key={id} type="hidden" name="file_ids" value={id} />
      ))}
      <IntentButton intent="delete" icon="undo" words={text.undo} />
    </FileActionForm>
  );
}

/** Moves files back to the folders they were in. */
export function UndoMove({ moved }: { moved: readonly string[] }) {
  const text = useText().fileActions;
  return (
    <FileActionForm>
      {moved.map((place) => (
        <input key={place} type="hidden" name="moved" value={place} />
      ))}
      <IntentButton intent="move-back" icon="undo" words={text.undo} />
    </FileActionForm>
  );
}

/** Gives a file its former name, folder and details. */
export function UndoDetails({ file_id, ...former }: FormerDetails) {
  const text = useText().fileActions;
  return (
    <FileActionForm>
      {Object.entries(former).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <IntentButton intent={`describe:${file_id}`} icon="undo" words={text.undo} />
    </FileActionForm>
  );
}

/** Gives a folder its former name and place. */
export function UndoFolderEdit({ folder_id, name, parent }: FormerFolder) {
  const text = useText().fileActions;
  return (
    <FileActionForm>
      <input type="hidden" name="name" value={name} />
      <input type="hidden" name="folder" value={parent} />
      <IntentButton intent={`folder-edit:${folder_id}`} icon="undo" words={text.undo} />
    </FileActionForm>
  );
}

type FormerFolder = { folder_id: string; name: string; parent: string };

/** Gives a file that was replaced the text of the version before. */
export function UndoVersion({ fileId, before }: { fileId: string; before: number }) {
  const text = useText().fileActions;
  return (
    <form method="post" action={`/file/${fileId}/history`}>
      <button className="button button-small" type="submit" name="version" value={before}>
        <Icon name="undo" />
        {text.undo}
      </button>
    </form>
  );
}

type Tick = { file_id: string; version: number; index: number; checked: boolean };

/** Sets a task of a text back to what it was. */
export function UndoTick({ file_id, version, index, checked }: Tick) {
  const text = useText().fileActions;
  return (
    <form method="post" action={`/md/${file_id}`}>
      <input type="hidden" name="version" value={version} />
      <button
        className="button button-small"
        type="submit"
        name="task"
        value={`${index}:${checked ? "off" : "on"}`}
      >
        <Icon name="undo" />
        {text.undo}
      </button>
    </form>
  );
}
