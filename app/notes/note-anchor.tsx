import { useLocation } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import type { ShownNote } from "#app/notes/note-card.tsx";

/** A note and where its line or heading is now; null for one on the file as a whole. */
export type PlacedNote = ShownNote & {
  at: {
    state: "same" | "moved" | "changed" | "lost";
    line_start: number | null;
    line_end: number | null;
    anchor_id: string | null;
  } | null;
};

/** What happened to the lines of a note, and a button to attach it again. Nothing where they are unchanged. */
export function NoteAnchor({ note }: { note: PlacedNote }) {
  const text = useText().notes.anchors;
  const { at } = note;
  if (!at || at.state === "same") return null;
  const was = note.line_start ?? 1;
  const said =
    at.state === "changed"
      ? text.changed
      : at.state === "lost"
        ? note.line_start === null
          ? text.lostHeading(note.anchor_text ?? "")
          : text.lost(was)
        : note.line_start === null
          ? null
          : text.moved(was);
  if (said === null) return null;
  return (
    <div className="cluster note-anchor">
      <span>{said}</span>
      {at.line_start === null ? (
        <a href={`/note/${note.id}/edit`}>{note.line_start === null ? text.repin : text.attach}</a>
      ) : (
        <PinForm noteId={note.id} />
      )}
    </div>
  );
}

/** The reader says: this is the place. */
function PinForm({ noteId }: { noteId: string }) {
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
