import { useLocation } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import type { ShownNote } from "#app/notes/note-card.tsx";
import { formatLines } from "#domain/notes/note-place.ts";
import type { SuggestedLines } from "#domain/notes/suggested-lines.ts";

/** A note and the current position of its line or heading; `at` is null for a note on the whole file. */
export type PlacedNote = ShownNote & {
  at: {
    state: "same" | "moved" | "changed" | "lost";
    line_start: number | null;
    line_end: number | null;
    anchor_id: string | null;
  } | null;
  /** Lines that resemble the note's own, if those are lost. */
  suggested: SuggestedLines[];
};

/** Says what happened to the lines of a note and offers to attach it again. Shows nothing if they are unchanged. */
export function AnchorNotice({ note }: { note: PlacedNote }) {
  const text = useText().notes.anchors;
  const { at } = note;
  if (!at || at.state === "same") return null;
  const changeText = describeChange(note, at.state, text);
  if (changeText === null) return null;
  return (
    <div className="cluster note-anchor tiny pad-block-1 gap-2 rows-1">
      <span>{changeText}</span>
      {at.line_start === null ? (
        <a href={`/note/${note.id}/edit`}>{note.line_start === null ? text.repin : text.attach}</a>
      ) : (
        <ConfirmAnchorForm noteId={note.id} />
      )}
      {note.suggested.length > 0 && <SuggestedPlaces note={note} />}
    </div>
  );
}

type AnchorWords = ReturnType<typeof useText>["notes"]["anchors"];

/** Uses the line numbers that the note was put on. A heading that moved with its text is not mentioned. */
function describeChange(
  { line_start, line_end, anchor_text }: PlacedNote,
  state: "moved" | "changed" | "lost",
  text: AnchorWords,
): string | null {
  const from = line_start ?? 1;
  if (line_start !== null || state === "changed") return text[state](from, line_end ?? from);
  return state === "lost" ? text.lostHeading(anchor_text ?? "") : null;
}

/** Confirms that the note is attached to the right lines. */
function ConfirmAnchorForm({ noteId }: { noteId: string }) {
  const text = useText().notes.anchors;
  const { pathname, search } = useLocation();
  return (
    <form method="post" action={`/note/${noteId}`}>
      <input type="hidden" name="next" value={pathname + search} />
      <button className="button button-small" type="submit" name="intent" value="pin">
        {text.pin}
      </button>
    </form>
  );
}

function SuggestedPlaces({ note: { id, suggested } }: { note: PlacedNote }) {
  const text = useText().notes.anchors;
  const { pathname, search } = useLocation();
  return (
    <form className="grid column gap-2 full" method="post" action={`/note/${id}`}>
      <input type="hidden" name="next" value={pathname + search} />
      {suggested.map(({ line_start, line_end, text: line }) => (
        <div key={line_start}>
          <code className="block cut" dir="ltr">
            {line}
          </code>
          <button
            className="button button-small"
            type="submit"
            name="intent"
            value={`attach:${formatLines(line_start, line_end)}`}
          >
            {text.attachTo(line_start, line_end)}
          </button>
        </div>
      ))}
    </form>
  );
}
