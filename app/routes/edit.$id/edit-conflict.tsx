import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { FIELD_NAMES, type Fields, InitialValueFields } from "./edit-fields.tsx";

type EditConflictProps = {
  file: Fields & { id: string };
  typed: Fields;
  conflict: { from: number; version: number; mine: string; theirs: string; collisions: number };
};

/** Explains why an edit was not saved, and shows both texts to choose from. The form below contains the merged text. */
export function EditConflict({ file, typed, conflict }: EditConflictProps) {
  const text = useText().versions;
  const { from, version, mine, theirs, collisions } = conflict;
  return (
    <section className="stack below-6" aria-labelledby="conflict">
      <h2 id="conflict">{text.conflictTitle}</h2>
      <Alert caution>{collisions === 0 ? text.conflictMerged : text.conflictCollides(collisions)}</Alert>
      <div className="columns-20 grid gap-4">
        <form className="field" method="post" encType="multipart/form-data">
          <InitialValueFields version={version} file={file} />
          {FIELD_NAMES.map((name) => (
            <input key={name} type="hidden" name={name} value={typed[name]} />
          ))}
          <Side id="mine" name="text" label={text.mine} body={mine}>
            <button className="button button-small" type="submit">
              {text.keepMine}
            </button>
          </Side>
        </form>
        <div className="field">
          <Side id="theirs" label={text.theirs(version)} body={theirs}>
            <a className="button button-small" href={`/file/${file.id}`}>
              {text.keepTheirs(version)}
            </a>
          </Side>
        </div>
      </div>
      <p>
        <a href={`/file/${file.id}/compare?from=${from}&to=${version}`}>{text.whatTheyChanged}</a>
      </p>
    </section>
  );
}

/** Sends the texts that were merged along with the form, so that they can be shown again if conflict marks are left. */
export function MergedTextFields({ conflict: { from, mine } }: Pick<EditConflictProps, "conflict">) {
  return (
    <>
      <input type="hidden" name="from" value={from} />
      <textarea hidden readOnly name="mine" defaultValue={mine} />
    </>
  );
}

type SideProps = { id: string; name?: string; label: string; body: string; children: ReactNode };

function Side({ id, name, label, body, children }: SideProps) {
  return (
    <>
      <div className="cluster spread">
        <label className="small firm" htmlFor={id}>
          {label}
        </label>
        {children}
      </div>
      <textarea
        className="input code sunk"
        id={id}
        name={name}
        rows={10}
        dir="ltr"
        wrap="off"
        spellCheck={false}
        readOnly
        defaultValue={body}
      />
    </>
  );
}
