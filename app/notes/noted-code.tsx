import type { ReactNode } from "react";
import { type CodeProps, CodeView } from "#app/files/code/code-view.tsx";
import { useText } from "#app/i18n/text.ts";
import { AnchorNotice, type PlacedNote } from "#app/notes/note-anchor.tsx";
import { moveAddress, NoteCard, useNoteName } from "#app/notes/note-card.tsx";
import { NoteStyleRules, toBesideRules, toColorRules } from "#app/notes/note-places.tsx";
import { addParameter, type NotedFile } from "#app/notes/noted-file.ts";
import { usePage } from "#app/page-context.ts";
import noteStyles from "#app/styles/notes/notes.css?url";
import { formatLines } from "#domain/notes/note-place.ts";
import type { ShownLines } from "#domain/text/text-part.ts";

type NotedCodeProps = Pick<CodeProps, "code" | "raw"> & { on: NotedFile; notes: readonly PlacedNote[] };

/**
 * Code with markers on the lines that have notes, and the notes beside or below. Notes whose lines are lost, or are in another part of the
 * text, are in collapsed lists above.
 */
export function NotedCode({ code, raw, on, notes }: NotedCodeProps) {
  const text = useText().notes;
  const getNoteName = useNoteName();
  const { code_size } = usePage().reading;
  const { detached, elsewhere, here } = groupNotesByPlace(notes, code.shown);
  const beside = here.map((note) => ({
    ...note,
    line: (note.at?.line_start ?? code.shown.first) - code.shown.first + 1,
    hasReminder: note.reminder !== null,
    hasNews: note.at !== null && note.at.state !== "same",
  }));
  const onLines = here.flatMap((note) =>
    note.at?.line_start
      ? [
          {
            ...note,
            line: note.at.line_start,
            last: note.at.line_end ?? note.at.line_start,
            label: text.onLine(getNoteName(note)),
          },
        ]
      : [],
  );
  return (
    <NotesContainer
      on={on}
      rules={toBesideRules(beside, code_size) + toColorRules(notes)}
      className={`noted grid gap-4${here.length > 0 ? " noted-lines" : ""}`}
    >
      <CollapsedNotes on={on} notes={detached} title={text.detached(detached.length)} />
      <CollapsedNotes on={on} notes={elsewhere} title={text.elsewhere(elsewhere.length)} />
      <CodeView code={code} raw={raw} notes={onLines} />
      <NoteList on={on} notes={here} />
    </NotesContainer>
  );
}

/** Groups notes by where they are shown. A note on the whole file is shown beside the first line. */
function groupNotesByPlace(notes: readonly PlacedNote[], { first, last }: ShownLines) {
  const detached = notes.filter(({ at }) => at !== null && at.line_start === null);
  const attached = notes.filter(({ at }) => at?.line_start !== null);
  const isHere = ({ at }: PlacedNote) => !at?.line_start || (at.line_start >= first && at.line_start <= last);
  return { detached, elsewhere: attached.filter((note) => !isHere(note)), here: attached.filter(isHere) };
}

type FoldProps = { on: NotedFile; notes: readonly PlacedNote[]; title: string };

function CollapsedNotes({ on, notes, title }: FoldProps) {
  if (notes.length === 0) return null;
  return (
    <details className="disclosure note-fold">
      <summary>{title}</summary>
      <div className="columns-18 grid top gap-4">
        <NoteCards on={on} notes={notes} />
      </div>
    </details>
  );
}

type NotedPlaceProps = { on: NotedFile; rules: string; className: string; children: ReactNode };

/** Loads the style sheet of notes only on pages that have notes. */
export function NotesContainer({ on, rules, className, children }: NotedPlaceProps) {
  const text = useText().notes;
  return (
    <>
      <link rel="stylesheet" href={noteStyles} />
      <NoteStyleRules rules={rules} />
      <div className={className} data-notes={on.list} data-said={JSON.stringify(text.said)}>
        {children}
      </div>
    </>
  );
}

type ListProps = { on: NotedFile; notes: readonly PlacedNote[] };

export function NoteList({ on, notes }: ListProps) {
  const text = useText().notes;
  return (
    <section className="noted-list packed grid gap-4">
      <h2 className="visually-hidden">{text.onFile}</h2>
      <NoteCards on={on} notes={notes} />
    </section>
  );
}

function NoteCards({ on, notes }: ListProps) {
  return notes.map((note) => (
    <NoteCard
      key={note.id}
      note={note}
      place={<NoteLocation on={on} note={note} />}
      anchor={<AnchorNotice note={note} />}
      moving={moveAddress(note.id)}
    />
  ));
}

/** Links to the lines or the heading of a note. */
function NoteLocation({ on, note: { at, anchor_text } }: { on: NotedFile; note: PlacedNote }) {
  const text = useText().notes;
  if (!at) return <span className="note-place reach-wide inline contained fit reach">{text.wholeFile}</span>;
  if (at.line_start === null) return null;
  const heading = anchor_text === null ? null : at.anchor_id;
  const [from, to] = [at.line_start, at.line_end ?? at.line_start];
  const href =
    heading === null
      ? `${addParameter(on.page, "L", formatLines(from, to))}#L${from}`
      : `${on.prose}#${encodeURIComponent(heading)}`;
  return (
    <a className="note-place reach-wide inline contained fit reach" href={href} dir="auto">
      {heading === null ? text.line(from, to) : anchor_text}
    </a>
  );
}
