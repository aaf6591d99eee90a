import type { FolderChoices } from "#app/folders/listed-folder.server.ts";
import { useText } from "#app/i18n/text.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";

/** Stands for a folder that is yet to be made; no path is written so. */
export const NEW_FOLDER = "/";

type FolderFieldProps = {
  id: string;
  choices: FolderChoices;
  /** The folder that is chosen at first; null for the root, undefined for none. */
  chosen?: string | null;
  /** Instead of a label of its own. */
  label?: string;
  /** Whether a new folder is offered, too. */
  offersNew?: boolean;
  /** Whether the person came to the page for this field. */
  takesFocus?: boolean;
};

/** One of the folders by its path. Whoever has more than a list can show types the path. */
export function FolderInput({ id, choices, chosen, label, offersNew = false, takesFocus }: FolderFieldProps) {
  const text = useText().folders;
  const more = { id, name: "folder", "aria-label": label, autoFocus: takesFocus };
  const className = label ? "input input-small" : "input";
  if (!choices.isWhole) {
    const path = choices.offered.find((one) => one.id === chosen)?.path;
    return (
      <>
        <input
          {...more}
          className={className}
          dir="auto"
          list={`${id}-paths`}
          autoComplete="off"
          defaultValue={path ?? chosen ?? ""}
          placeholder={label && text.choose}
        />
        <datalist id={`${id}-paths`}>
          <option value={ROOT_FOLDER}>{text.noFolder}</option>
          {choices.offered.map((one) => (
            <option key={one.id} value={one.path} />
          ))}
        </datalist>
      </>
    );
  }
  return (
    <select {...more} className={className} dir="auto" defaultValue={chosen === null ? ROOT_FOLDER : chosen}>
      {chosen === undefined && <option value="">{text.choose}</option>}
      {offersNew && <option value={NEW_FOLDER}>{text.newFolderChoice}</option>}
      <option value={ROOT_FOLDER}>{text.noFolder}</option>
      {choices.offered.map((one) => (
        <option key={one.id} value={one.id}>
          {one.path}
        </option>
      ))}
    </select>
  );
}

/** The same with its label above it. Where there are no folders, there is nothing to choose. */
export function FolderField({ name, ...field }: FolderFieldProps & { name: string }) {
  const text = useText().folders;
  if (field.choices.offered.length === 0) return null;
  return (
    <div className="field">
      <label htmlFor={field.id}>{name}</label>
      <FolderInput {...field} />
      {!field.choices.isWhole && <p className="field-hint">{text.pathHint}</p>}
    </div>
  );
}
