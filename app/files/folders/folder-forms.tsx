import type { ReactNode } from "react";
import { FileActionForm } from "#app/files/file-actions.tsx";
import { FolderField } from "#app/files/folders/folder-field.tsx";
import { folderAddress } from "#app/files/folders/folder-trail.tsx";
import type { FolderChoices, TrailStep } from "#app/files/folders/listed-folder.server.ts";
import { useText } from "#app/i18n/text.ts";
import { Field } from "#app/web/ui/field.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { isAboutFolder, useRefusedForm } from "#app/web/ui/refused-form.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";

export function NewFolderForm({ parent_id }: { parent_id: string | null }) {
  const text = useText().folders;
  const form = useRefusedForm("folder-create");
  return (
    <details className="menu" open={form !== undefined}>
      <summary className="button">
        <Icon name="folder" />
        {text.newFolder}
      </summary>
      <FileActionForm className="surface menu-sheet folder-sheet gap-3">
        <input type="hidden" name="folder" value={parent_id ?? ROOT_FOLDER} />
        <Field
          name="name"
          id="new-folder-name"
          label={text.name}
          value={form?.fields.name}
          required
          invalid={form !== undefined}
        />
        <button className="button button-primary" type="submit" name="intent" value="folder-create">
          {text.create}
        </button>
      </FileActionForm>
    </details>
  );
}

export type ShownFolder = TrailStep & { parent_id: string | null };
type FolderProps = { folder: ShownFolder; choices: FolderChoices };

/** `children` is the form for a link to the folder. */
export function FolderActions({ folder, choices, children }: FolderProps & { children: ReactNode }) {
  const text = useText().folders;
  const parent = folder.parent_id === null ? "/files" : folderAddress(folder.parent_id);
  return (
    <>
      <a className="button" href={`/api/folders/${folder.id}/zip`} download>
        <Icon name="download" />
        {text.zip}
      </a>
      {children}
      <EditFolderForm folder={folder} choices={choices} />
      <FileActionForm next={parent}>
        <button className="button" type="submit" name="intent" value={`folder-delete:${folder.id}`}>
          <Icon name="trash" />
          {text.remove}
        </button>
      </FileActionForm>
    </>
  );
}

function EditFolderForm({ folder, choices }: FolderProps) {
  const text = useText().folders;
  const form = useRefusedForm(`folder-edit:${folder.id}`);
  return (
    <details className="menu" open={form !== undefined}>
      <summary className="button">
        <Icon name="edit" />
        {text.edit}
      </summary>
      <FileActionForm className="surface menu-sheet folder-sheet gap-3">
        <Field
          name="name"
          id="folder-name"
          label={text.name}
          value={form?.fields.name ?? folder.name}
          required
          invalid={form !== undefined && !isAboutFolder(form)}
        />
        <FolderField
          id="folder-parent"
          name={text.parent}
          choices={choices}
          chosen={form?.fields.folder ?? folder.parent_id}
          takesFocus={isAboutFolder(form)}
        />
        <button
          className="button button-primary"
          type="submit"
          name="intent"
          value={`folder-edit:${folder.id}`}
        >
          {text.save}
        </button>
      </FileActionForm>
    </details>
  );
}

export function RestoreFolderForm({ folderId, label }: { folderId: string; label: string }) {
  return (
    <FileActionForm>
      <button
        className="button button-small"
        type="submit"
        name="intent"
        value={`folder-restore:${folderId}`}
      >
        <Icon name="undo" />
        {label}
      </button>
    </FileActionForm>
  );
}
