import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/ui/alert.tsx";

type EditConflictProps = {
  fileId: string;
  /** The version the edit began with. */
  startedFrom: number;
  conflict: { version: number; mine: string; theirs: string; collisions: number };
};

/** Why an edit was not saved, and both texts as they are; the form below has them put together. */
export function EditConflict({ fileId, startedFrom, conflict }: EditConflictProps) {
  const text = useText().versions;
  const { version, mine, theirs, collisions } = conflict;
  const sides = [
    ["mine", text.mine, mine],
    ["theirs", text.theirs(version), theirs],
  ] as const;
  return (
    <section className="stack conflict" aria-labelledby="conflict">
      <h2 id="conflict">{text.conflictTitle}</h2>
      <Alert caution>{collisions === 0 ? text.conflictMerged : text.conflictCollides(collisions)}</Alert>
      <div className="conflict-sides">
        {sides.map(([side, label, body]) => (
          <div key={side} className="field">
            <label htmlFor={side}>{label}</label>
            <textarea
              className="input code"
              id={side}
              rows={10}
              dir="ltr"
              wrap="off"
              spellCheck={false}
              readOnly
              defaultValue={body}
            />
          </div>
        ))}
      </div>
      <p>
        <a href={`/file/${fileId}/compare?from=${startedFrom}&to=${version}`}>{text.whatTheyChanged}</a>
      </p>
    </section>
  );
}
