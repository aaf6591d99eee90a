import { removeBidiOverrides } from "#app/files/code/bidi-controls.ts";
import { FileActionForm } from "#app/files/file-actions.tsx";
import { FolderField } from "#app/folders/folder-field.tsx";
import { folderAddress } from "#app/folders/folder-trail.tsx";
import type { FolderChoices, TrailStep } from "#app/folders/listed-folder.server.ts";
import { useText } from "#app/i18n/text.ts";
import { ShareEndFields } from "#app/shares/share-end-fields.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Choice } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { isAboutFolder, useRefusedForm } from "#app/ui/refused-form.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";

export function NewFolder({ parent_id }: { parent_id: string | null }) {
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
type ActionsProps = FolderProps & { secrets: readonly string[] };

export function FolderActions({ folder, choices, secrets }: ActionsProps) {
  const text = useText().folders;
  const parent = folder.parent_id === null ? "/files" : folderAddress(folder.parent_id);
  return (
    <>
      <a className="button" href={`/api/folders/${folder.id}/zip`} download>
        <Icon name="download" />
        {text.zip}
      </a>
      <ShareFolder folder={folder} secrets={secrets} />
      <EditFolder folder={folder} choices={choices} />
      <FileActionForm next={parent}>
        <button className="button" type="submit" name="intent" value={`folder-delete:${folder.id}`}>
          <Icon name="trash" />
          {text.remove}
        </button>
      </FileActionForm>
    </>
  );
}

/** Creates one link to everything in a folder. `secrets` are the paths of files that may contain secrets. */
function ShareFolder({ folder, secrets }: { folder: ShownFolder; secrets: readonly string[] }) {
  const { folders: text, shares } = useText();
  const form = useRefusedForm(`folder-share:${folder.id}`);
  return (
    <details className="menu" open={form !== undefined}>
      <summary className="button">
        <Icon name="share" />
        {text.share}
      </summary>
      <FileActionForm className="surface menu-sheet folder-sheet gap-3">
        <Choice
          name="mode"
          id="share-folder-mode"
          label={shares.what}
          chosen={form?.fields.mode}
          options={["now", "follow"] as const}
          write={(mode) => text.shareModes[mode]}
        />
        <ShareEndFields idPrefix="share-folder-" typed={form?.fields ?? {}} refused={form?.code} />
        <Field
          name="password"
          id="share-folder-password"
          label={shares.password}
          value={undefined}
          hint={shares.passwordHint}
          type="password"
          autoComplete="new-password"
          invalid={form?.code === "invalid_share_password"}
        />
        <p className="soft small">{text.shareHint}</p>
        {secrets.length > 0 && (
          <SharedSecrets paths={secrets} isTicked={form?.fields.with_secrets !== undefined} />
        )}
        <button
          className="button button-primary"
          type="submit"
          name="intent"
          value={`folder-share:${folder.id}`}
        >
          {shares.make}
        </button>
      </FileActionForm>
    </details>
  );
}

const SECRETS_NAMED_MAX = 5;

/** The files that a link leaves out unless they are ticked. */
function SharedSecrets({ paths, isTicked }: { paths: readonly string[]; isTicked: boolean }) {
  const text = useText().folders;
  return (
    <div className="stack">
      <Alert caution>{text.secretsLeftOut}</Alert>
      <ul>
        {paths.slice(0, SECRETS_NAMED_MAX).map((path) => (
          <li key={path}>
            <bdi dir="ltr">{removeBidiOverrides(path)}</bdi>
          </li>
        ))}
        {paths.length > SECRETS_NAMED_MAX && <li>{text.more(paths.length - SECRETS_NAMED_MAX)}</li>}
      </ul>
      <label className="inline gap-2 reach fit">
        <input type="checkbox" name="with_secrets" value="1" defaultChecked={isTicked} />
        {text.shareSecrets}
      </label>
    </div>
  );
}

function EditFolder({ folder, choices }: FolderProps) {
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
