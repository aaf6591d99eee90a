import type { ReactNode } from "react";
import { type CodeProps, CodeView } from "#app/files/code-view.tsx";
import { useText } from "#app/i18n/text.ts";
import { NoteAnchor, type PlacedNote } from "#app/notes/note-anchor.tsx";
import { NoteCard, useNoteName } from "#app/notes/note-card.tsx";
import { besideRules, NotePlaces, paperRules } from "#app/notes/note-places.tsx";
import { asking, type NotedFile } from "#app/notes/noted-file.ts";
import { usePage } from "#app/page-context.ts";
import noteStyles from "#app/styles/notes.css?url";
import { writtenLines } from "#domain/notes/note-place.ts";

type NotedProps = Pick<CodeProps, "code" | "raw"> & { on: NotedFile; notes: readonly PlacedNote[] };

/** Code with notes: markers on its lines, and the notes beside them or below. A file without notes costs nothing of this. */
export function NotedCode({ code, raw, on, notes }: NotedProps) {
  const text = useText().notes;
  const getNoteName = useNoteName();
  const { code_size } = usePage().reading;
  const { first, last } = code.shown;
  const onLines = notes.flatMap((note) =>
    note.at?.line_start ? [{ ...note, line: note.at.line_start }] : [],
  );
  const beside = notes.map((note) => ({
    ...note,
    line: Math.min(Math.max(note.at?.line_start ?? first, first), last) - first + 1,
    hasReminder: note.reminder !== null,
    hasNews: note.at !== null && note.at.state !== "same",
  }));
  return (
    <NotedPlace
      on={on}
      rules={besideRules(beside, code_size) + paperRules(notes)}
      className="noted noted-lines"
    >
      <CodeView
        code={code}
        raw={raw}
        notes={onLines.map((note) => ({ ...note, label: text.onLine(getNoteName(note)) }))}
      />
      <NoteList on={on} notes={notes} />
    </NotedPlace>
  );
}

type PlaceProps = { on: NotedFile; rules: string; className: string; children: ReactNode };

/** The style sheet of notes is loaded where there are some. */
export function NotedPlace({ on, rules, className, children }: PlaceProps) {
  const text = useText().notes;
  return (
    <>
      <link rel="stylesheet" href={noteStyles} />
      <NotePlaces rules={rules} />
      <div className={className} data-notes={on.list} data-said={JSON.stringify(text.said)}>
        {children}
      </div>
    </>
  );
}

export function NoteList({ on, notes }: { on: NotedFile; notes: readonly PlacedNote[] }) {
  const text = useText().notes;
  return (
    <section className="noted-list">
      <h2 className="visually-hidden">{text.onFile}</h2>
      {notes.map((note) => (
        <NoteCard
          key={note.id}
          note={note}
          place={<NoteWhere on={on} note={note} />}
          anchor={<NoteAnchor note={note} />}
          moving={moveAddress(note.id)}
        />
      ))}
    </section>
  );
}

/** Where a board is chosen for a note of a file. */
export const moveAddress = (noteId: string) => `/boards?move=${noteId}`;

/** The lines or the heading of a note, as the way there. */
function NoteWhere({ on, note: { at, anchor_text } }: { on: NotedFile; note: PlacedNote }) {
  const text = useText().notes;
  if (!at) return <span className="note-place">{text.wholeFile}</span>;
  if (at.line_start === null) return null;
  const heading = anchor_text === null ? null : at.anchor_id;
  const [from, to] = [at.line_start, at.line_end ?? at.line_start];
  const href =
    heading === null
      ? `${asking(on.page, "L", writtenLines(from, to))}#L${from}`
      : `${on.prose}#${encodeURIComponent(heading)}`;
  return (
    <a className="note-place" href={href} dir="auto">
      {heading === null ? text.line(from, to) : anchor_text}
    </a>
  );
}
