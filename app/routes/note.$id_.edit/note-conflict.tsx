import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import type { DifferenceLine } from "#domain/text/text-difference.ts";

type ConflictProps = {
  conflict: { mine: string; theirs: string; collisions: number; difference: DifferenceLine[] };
};

/** Explains why a text was not saved, and shows both texts and their differences. The form below contains the merged text. */
export function NoteConflict({ conflict }: ConflictProps) {
  const text = useText().notes;
  const { mine, theirs, collisions, difference } = conflict;
  const sides = [
    ["mine", text.mine, mine],
    ["theirs", text.theirs, theirs],
  ] as const;
  return (
    <section className="stack form-wide below-6" aria-label={text.conflictTitle}>
      <Alert caution>{collisions === 0 ? text.conflictMerged : text.conflictCollides(collisions)}</Alert>
      <div className="note-sides grid gap-4">
        {sides.map(([side, label, body]) => (
          <div key={side} className="field">
            <label htmlFor={`side-${side}`}>{label}</label>
            <textarea
              className="input"
              id={`side-${side}`}
              rows={6}
              dir="auto"
              readOnly
              defaultValue={body}
            />
          </div>
        ))}
      </div>
      <h2>{text.difference}</h2>
      <p className="soft small">{text.differenceHint}</p>
      <div className="merge-words breaks keeps-lines pad-3 round raised edge">
        {difference.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text are never reordered
          <Line key={i} line={line} />
        ))}
      </div>
    </section>
  );
}

const MARKS = {
  both: { Mark: "span", look: undefined },
  first: { Mark: "del", look: "wrong-ground wrong" },
  second: { Mark: "ins", look: "good-ground good plain" },
} as const;

function Line({ line: { side, pieces } }: { line: DifferenceLine }) {
  const { Mark, look } = MARKS[side];
  return (
    <div dir="auto" className={`merge-line merge-${side}`}>
      {pieces.map(({ text, changed }, i) => {
        const Piece = changed ? Mark : "span";
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line are never reordered
          <Piece key={i} className={changed ? look : undefined}>
            {text}
          </Piece>
        );
      })}
      {pieces.every(({ text }) => text === "") && <br />}
    </div>
  );
}
