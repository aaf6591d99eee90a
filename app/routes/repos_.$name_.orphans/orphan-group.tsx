import { useText } from "#app/i18n/text.ts";
import { NoteCard, type ShownNote } from "#app/notes/note-card.tsx";
import { Field } from "#app/web/ui/field.tsx";
import { FileName } from "#app/web/ui/file-name.tsx";

type Group = { path: string; notes: readonly ShownNote[]; renamed: string | null; likely: readonly string[] };
type GroupProps = { name: string; group: Group; mirrored: boolean; typed: string | undefined };

/** The notes of one lost path, with that path and the possible new ones. */
export function OrphanGroup({ name, group, mirrored, typed }: GroupProps) {
  const text = useText().repos;
  const { path, notes } = group;
  const heading = `orphans-${encodeURIComponent(path)}`;
  return (
    <section className="stack below-8" aria-labelledby={heading}>
      <h2 id={heading}>
        <span className="soft">{text.wasOn}</span> <FileName name={path} className="mono plain-size" />
      </h2>
      {mirrored && <ReattachForms group={group} typed={typed} />}
      <ul className="note-rows">
        {notes.map((note) => (
          <li key={note.id}>
            <NoteCard note={note} place={<LastPlace name={name} note={note} />} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LastPlace({ name, note }: { name: string; note: ShownNote }) {
  const { notes } = useText();
  const { line_start: from, line_end } = note;
  return (
    <span className="note-place reach-wide inline contained fit reach">
      {from === null ? notes.wholeFile : notes.line(from, line_end ?? from)}
      <span className="visually-hidden">{`${name}/${note.repo_path}`}</span>
    </span>
  );
}

function ReattachForms({
  group: { path, renamed, likely },
  typed,
}: {
  group: Group;
  typed: string | undefined;
}) {
  const text = useText().repos;
  return (
    <div className="stack form-wide">
      {renamed && <p>{text.movedTo(renamed)}</p>}
      {likely.length > 0 && (
        <form className="actions" method="post">
          <input type="hidden" name="from" value={path} />
          {likely.map((to) => (
            <button
              key={to}
              className={to === renamed ? "button button-primary button-wrap" : "button button-wrap"}
              type="submit"
              name="path"
              value={to}
            >
              {text.reattachTo(to)}
            </button>
          ))}
        </form>
      )}
      <PathForm path={path} typed={typed} />
    </div>
  );
}

function PathForm({ path, typed }: { path: string; typed: string | undefined }) {
  const text = useText().repos;
  return (
    <form className="repo-line flex wraps top gap-3 around-3" method="post">
      <input type="hidden" name="from" value={path} />
      <Field
        name="path"
        id={`new-path-${encodeURIComponent(path)}`}
        label={text.newPath}
        value={typed}
        hint={text.newPathHint}
        code
        dir="ltr"
        required
        invalid={typed !== undefined}
      />
      <button className="button" type="submit">
        {text.reattach}
      </button>
    </form>
  );
}
