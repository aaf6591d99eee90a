import { MarkedText } from "#app/files/list/marked.tsx";
import { useText } from "#app/i18n/text.ts";
import { NoteStyleRules, toColorRules } from "#app/notes/note-places.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { chooseTextColor } from "#domain/notes/note-ink.ts";
import { plainLines } from "#domain/notes/note-markdown.ts";
import { markedParts } from "#domain/search/matching-line.ts";
import { foldCase } from "#domain/text/folded.ts";
import { NoteTarget, type Targeted } from "./note-target.tsx";

type NoteHit = Targeted & {
  title: string | null;
  color: string;
  preview: string;
  preview_truncated: boolean;
  updated_at: string;
};

export function FoundNotes({ found, needle }: { found: { rows: NoteHit[]; more: boolean }; needle: string }) {
  const text = useText().notes;
  const foldedNeedle = foldCase(needle);
  return (
    <>
      <NoteStyleRules rules={toColorRules(found.rows)} />
      <div className="section-head">
        <h2>{text.found(found.rows.length, found.more)}</h2>
        <a href="/notes">{text.showAll}</a>
      </div>
      <ul className="note-rows">
        {found.rows.map((note) => (
          <li key={note.id}>
            <FoundNote note={note} needle={foldedNeedle} />
          </li>
        ))}
      </ul>
      {found.more && <p className="soft">{text.hasMore(found.rows.length)}</p>}
    </>
  );
}

/** Returns the text without its markup, unless the search matches only the markup. */
function chooseExcerptText({ preview }: NoteHit, needle: string): string {
  const plain = plainLines(preview);
  return foldCase(plain).includes(needle) ? plain : preview;
}

function FoundNote({ note, needle }: { note: NoteHit; needle: string }) {
  return (
    <article
      className="note"
      id={`note-${note.id}`}
      data-color={note.color}
      data-ink={chooseTextColor(note.color) ?? undefined}
    >
      <div className="cluster note-about tiny gap-2 rows-0">
        <NoteTarget note={note} />
      </div>
      <div className="note-body">
        {note.title !== null && (
          <h3 dir="auto">
            <MarkedText parts={markedParts(note.title, needle)} />
          </h3>
        )}
        <p className="keeps-breaks" dir="auto">
          <MarkedText parts={markedParts(chooseExcerptText(note, needle), needle)} />
          {note.preview_truncated && " …"}
        </p>
      </div>
      <footer className="cluster spread note-foot tiny gap-2 rows-1">
        <Moment at={note.updated_at} />
      </footer>
    </article>
  );
}
