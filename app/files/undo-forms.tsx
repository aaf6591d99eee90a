import { useLocation } from "@remix-run/react";
import { FileActionForm, IntentButton } from "#app/files/file-actions.tsx";
import { useText } from "#app/i18n/text.ts";
import type { FormerDetails } from "#app/web/session/flash.ts";
import { Icon } from "#app/web/ui/icon.tsx";

export function UndoDeletion({ at }: { at: number }) {
  const text = useText().fileActions;
  return (
    <FileActionForm>
      <input type="hidden" name="at" value={at} />
      <IntentButton intent="undo" icon="undo" words={text.undo} />
    </FileActionForm>
  );
}

/** Moves newly saved files to the trash. From the page of such a file it leads to the list. */
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

export function UndoMove({ moved }: { moved: readonly string[] }) {
  const text = useText().fileActions;
  return (
    <FileActionForm>
      {moved.map((move) => (
        <input key={move} type="hidden" name="moved" value={move} />
      ))}
      <IntentButton intent="move-back" icon="undo" words={text.undo} />
    </FileActionForm>
  );
}

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
