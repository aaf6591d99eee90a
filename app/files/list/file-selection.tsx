import type { ReactNode } from "react";
import { FileActionForm, IntentButton, type Marked } from "#app/files/file-actions.tsx";
import { FolderInput } from "#app/files/folders/folder-field.tsx";
import type { FolderChoices } from "#app/files/folders/listed-folder.server.ts";
import { useText } from "#app/i18n/text.ts";
import { useRefusedForm } from "#app/web/ui/refused-form.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import { SELECTION_MAX } from "#domain/files/selection.ts";

type SelectionFormProps = MoveProps & {
  /** The query of the whole list, and whether it has further pages. */
  every: string;
  isPaged: boolean;
  children: ReactNode;
};

/** The rows of a list in one form, with the actions for selected rows. */
export function SelectionForm({ every, isPaged, folders, parent, children }: SelectionFormProps) {
  const { fileActions: text, shares } = useText();
  const refused = useRefusedSelection();
  return (
    <FileActionForm className="selection">
      {/* Enter in a field submits a form with its first button. This one lets the route decide by the field. */}
      <button hidden type="submit" name="intent" value="return" />
      {children}
      <fieldset className="cluster surface button-strip selection-bar screen-only flush above-3 gap-1 shrinks pad-2">
        <legend className="visually-hidden">{text.chosen}</legend>
        <span className="small soft pad-inline-2" aria-hidden="true">
          {text.chosenCount}
        </span>
        <IntentButton intent="delete" icon="trash" words={text.remove} />
        <MoveSelectionFields folders={folders} parent={parent} />
        <IntentButton intent="share" icon="share" words={shares.shareChosen} />
        <IntentButton intent="zip" icon="download" words={text.zip} download />
        <IntentButton intent="favorite" icon="star" words={text.favor} />
        <IntentButton intent="unfavorite" words={text.unfavor} />
        <span className="inline-flex gap-2 shrinks">
          <input
            className="input input-small shrinks"
            name="tags"
            dir="auto"
            autoComplete="off"
            aria-label={text.tagsToAdd}
            placeholder={text.tagsToAdd}
            defaultValue={refused?.fields.tags}
          />
          <IntentButton intent="tag" icon="tag" words={text.tag} />
        </span>
        <label className="target-small small inline gap-2 pad-inline-2">
          <input type="checkbox" name="every" value={every} />
          {isPaged ? text.every(SELECTION_MAX) : text.all}
        </label>
        <button className="button button-small button-quiet" type="reset">
          {text.clearChosen}
        </button>
      </fieldset>
    </FileActionForm>
  );
}

const useRefusedSelection = () => useRefusedForm("tag", "move", "return");

/** `parent` is the listed folder, in which a new folder is created. */
type MoveProps = { folders: FolderChoices; parent: string | null };

function MoveSelectionFields({ folders, parent }: MoveProps) {
  const text = useText().folders;
  const refused = useRefusedSelection();
  return (
    <span className="inline-flex gap-2 shrinks selection-move">
      <FolderInput
        id="move-to"
        choices={folders}
        chosen={refused?.fields.folder || undefined}
        label={text.moveTo}
        offersNew
      />
      <input type="hidden" name="parent" value={parent ?? ROOT_FOLDER} />
      <input
        className="input input-small shrinks"
        name="name"
        dir="auto"
        autoComplete="off"
        aria-label={text.newName}
        placeholder={text.newName}
        defaultValue={refused?.fields.name}
      />
      <IntentButton intent="move" icon="folder" words={text.move} />
    </span>
  );
}

export function RowCheckbox({ file }: { file: Marked }) {
  const text = useText().fileActions;
  const refused = useRefusedSelection();
  return (
    <label className="row-choice middle square-small">
      <input
        type="checkbox"
        name="file_ids"
        value={file.id}
        defaultChecked={refused?.chosen.includes(file.id)}
        aria-label={text.choose(file.file_name)}
      />
    </label>
  );
}
