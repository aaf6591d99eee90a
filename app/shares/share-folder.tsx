import { FileActionForm } from "#app/files/file-actions.tsx";
import type { ShownFolder } from "#app/files/folders/folder-forms.tsx";
import { useText } from "#app/i18n/text.ts";
import { ShareEndFields } from "#app/shares/share-end-fields.tsx";
import { Alert } from "#app/web/ui/alert.tsx";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { SelectField } from "#app/web/ui/choice.tsx";
import { Field } from "#app/web/ui/field.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { useRefusedForm } from "#app/web/ui/refused-form.ts";

/** Creates one link to everything in a folder. `secrets` are the paths of files that may contain secrets. */
export function ShareFolderForm({ folder, secrets }: { folder: ShownFolder; secrets: readonly string[] }) {
  const { folders: text, shares } = useText();
  const form = useRefusedForm(`folder-share:${folder.id}`);
  return (
    <details className="menu" open={form !== undefined}>
      <summary className="button">
        <Icon name="share" />
        {text.share}
      </summary>
      <FileActionForm className="surface menu-sheet folder-sheet gap-3">
        <SelectField
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
          <SecretFilesNotice paths={secrets} isTicked={form?.fields.with_secrets !== undefined} />
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
function SecretFilesNotice({ paths, isTicked }: { paths: readonly string[]; isTicked: boolean }) {
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
