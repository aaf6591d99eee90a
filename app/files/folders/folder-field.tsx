import type { FolderChoices } from "#app/files/folders/listed-folder.server.ts";
import { useText } from "#app/i18n/text.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";

/** The value of the option for a new folder. No path can have this value. */
export const NEW_FOLDER = "/";

type FolderFieldProps = {
  id: string;
  choices: FolderChoices;
  /** The folder selected at first; null for the root, undefined for none. */
  chosen?: string | null;
  /** Replaces the visible label. */
  label?: string;
  offersNew?: boolean;
  /** True if the person came to the page for this field. */
  takesFocus?: boolean;
};

/** Selects a folder by its path. A person with more folders than the list can show types the path. */
export function FolderInput({ id, choices, chosen, label, offersNew = false, takesFocus }: FolderFieldProps) {
  const text = useText().folders;
  const props = { id, name: "folder", "aria-label": label, autoFocus: takesFocus };
  const className = label ? "input input-small shrinks" : "input";
  if (!choices.isWhole) {
    const path = choices.offered.find((folder) => folder.id === chosen)?.path;
    return (
      <>
        <input
          {...props}
          className={className}
          dir="auto"
          list={`${id}-paths`}
          autoComplete="off"
          defaultValue={path ?? chosen ?? ""}
          placeholder={label && text.choose}
        />
        <datalist id={`${id}-paths`}>
          <option value={ROOT_FOLDER}>{text.noFolder}</option>
          {choices.offered.map((folder) => (
            <option key={folder.id} value={folder.path} />
          ))}
        </datalist>
      </>
    );
  }
  return (
    <select {...props} className={className} dir="auto" defaultValue={chosen === null ? ROOT_FOLDER : chosen}>
      {chosen === undefined && <option value="">{text.choose}</option>}
      {offersNew && <option value={NEW_FOLDER}>{text.newFolderChoice}</option>}
      <option value={ROOT_FOLDER}>{text.noFolder}</option>
      {choices.offered.map((folder) => (
        <option key={folder.id} value={folder.id}>
          {folder.path}
        </option>
      ))}
    </select>
  );
}

/** Shows the folder input with a visible label, or nothing if there are no folders. */
export function FolderField({ name, ...field }: FolderFieldProps & { name: string }) {
  const text = useText().folders;
  if (field.choices.offered.length === 0) return null;
  return (
    <div className="field">
      <label htmlFor={field.id}>{name}</label>
      <FolderInput {...field} />
      {!field.choices.isWhole && <p className="soft small">{text.pathHint}</p>}
    </div>
  );
}
