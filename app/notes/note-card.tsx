import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { NoteBody } from "#app/notes/note-body.tsx";
import { ReminderChip, type ShownReminder } from "#app/notes/note-reminder.tsx";
import type { NoteHtml } from "#app/viewers/markdown/notes-html.server.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { NOTE_COLORS, type TargetedNote } from "#domain/notes/note.ts";
import { chooseTextColor } from "#domain/notes/note-ink.ts";
import { getFirstPlainLine } from "#domain/notes/note-markdown.ts";

export type ShownNote = TargetedNote & {
  id: string;
  title: string | null;
  /** Replaces a missing title, and lets the page estimate the height. */
  beginning: string;
  html: NoteHtml;
  position: { x: number; y: number };
  size: { width: number; height: number };
  color: string;
  is_minimized: boolean;
  line_start: number | null;
  line_end: number | null;
  anchor_id: string | null;
  anchor_text: string | null;
  updated_at: string;
  reminder: ShownReminder | null;
};

type CardProps = {
  note: ShownNote;
  place?: ReactNode;
  anchor?: ReactNode;
  /** True on a board, where it can be moved and resized. */
  movable?: boolean;
  /** The address where a board is chosen for it. */
  moving?: string;
  /** The name of the file that it came from and can return to. */
  leftFile?: string;
};

export const noteAnchor = (id: string) => `note-${id}`;
export const noteFormId = (id: string) => `form-${id}`;

export function NoteCard({ note, place, anchor, movable = false, moving, leftFile }: CardProps) {
  return (
    <article
      className="note"
      id={noteAnchor(note.id)}
      data-note={note.id}
      data-updated={note.updated_at}
      data-color={note.color}
      data-ink={chooseTextColor(note.color) ?? undefined}
      data-minimized={note.is_minimized || undefined}
      aria-labelledby={`title-${note.id}`}
    >
      <NoteHead note={note} movable={movable} moving={moving} leftFile={leftFile} place={place} />
      {place && note.title !== null && <div className="cluster note-about tiny gap-2 rows-0">{place}</div>}
      {anchor}
      <NoteBody html={note.html} />
      <p className="note-said tiny pad-3 pad-block-1" data-note-said="" role="status" />
      <footer className="cluster spread note-foot tiny gap-2 rows-1">
        <Moment at={note.updated_at} />
        {note.reminder?.status === "pending" && <ReminderChip noteId={note.id} reminder={note.reminder} />}
      </footer>
      {movable && <span className="note-corner" data-note-corner="" aria-hidden="true" />}
    </article>
  );
}

export function useNoteName(): (note: Pick<ShownNote, "title" | "beginning">) => string {
  const text = useText().notes;
  return ({ title, beginning }) => title ?? (getFirstPlainLine(beginning).slice(0, 80) || text.untitled);
}

type HeadProps = {
  note: ShownNote;
  movable: boolean;
  moving: string | undefined;
  leftFile: string | undefined;
  place: ReactNode;
};

/** A note without a title shows its first words only while it is minimized. */
function NoteHead({ note, movable, moving, leftFile, place }: HeadProps) {
  const { notes: text, reminders } = useText();
  const name = useNoteName()(note);
  const isNamed = note.title !== null || note.is_minimized;
  return (
    <header className="note-head gap-1 target">
      <div className="note-title" data-note-handle="">
        {!isNamed && place}
        <h3 className={isNamed ? "cut" : "visually-hidden"} id={`title-${note.id}`} dir="auto">
          {name}
        </h3>
      </div>
      {movable && (
        <button
          className="note-tool bare middle square-small rigid shrinks round note-grip needs-script"
          type="button"
          data-note-grip=""
          aria-label={text.grip(name)}
          title={text.gripHint}
        >
          <Icon name="grip" />
        </button>
      )}
      <a
        className="note-tool bare middle square-small rigid shrinks round"
        href={`/reminders/${note.id}`}
        aria-label={`${reminders.set}: ${name}`}
        title={reminders.set}
      >
        <Icon name="bell" />
      </a>
      <a
        className="note-tool bare middle square-small rigid shrinks round"
        href={`/note/${note.id}/edit`}
        aria-label={text.editOne(name)}
        title={text.edit}
        data-note-edit=""
        data-save={text.save}
      >
        <Icon name="edit" />
      </a>
      <details className="menu note-menu">
        <summary
          className="note-tool bare middle square-small rigid shrinks round"
          aria-label={text.more(name)}
        >
          <Icon name="more" />
        </summary>
        <NoteMenu note={note} moving={moving} leftFile={leftFile} />
      </details>
    </header>
  );
}

/** The page where a board is chosen for a note of a file. */
export const moveAddress = (noteId: string) => `/boards?move=${noteId}`;

/** Everything that can be done with a note, as buttons of one form. The checkboxes of the note belong to the same form. */
function NoteMenu({ note, moving, leftFile }: Pick<HeadProps, "note" | "moving" | "leftFile">) {
  const text = useText().notes;
  const { pathname, search } = useLocation();
  return (
    <form
      className="surface menu-sheet gap-2 pad-2 ink"
      id={noteFormId(note.id)}
      method="post"
      action={`/note/${note.id}`}
    >
      <input type="hidden" name="next" value={pathname + search} />
      <input type="hidden" name="prev_updated_at" value={note.updated_at} data-note-prev="" />
      <fieldset className="choices flex wraps gap-1 shrinks">
        <legend className="visually-hidden">{text.color}</legend>
        {NOTE_COLORS.map((color) => (
          <button
            key={color}
            className="note-color square-small pill"
            type="submit"
            name="intent"
            value={`color:${color}`}
            data-color={color}
            aria-pressed={note.color === color}
            aria-label={text.colors[color]}
            title={text.colors[color]}
          />
        ))}
      </fieldset>
      <button
        className="button button-small"
        type="submit"
        name="intent"
        value={note.is_minimized ? "expand" : "minimize"}
      >
        <Icon name={note.is_minimized ? "plus" : "minus"} />
        {note.is_minimized ? text.expand : text.minimize}
      </button>
      {moving && (
        <a
          className="button button-small"
          href={moving}
          data-note-move={note.board_id !== null ? "" : undefined}
        >
          <Icon name="board" />
          {text.moveToBoard}
        </a>
      )}
      {leftFile && (
        <button className="button button-small" type="submit" name="intent" value="return">
          <Icon name="undo" />
          <span className="words-wrap breaks from-start shrinks">{text.returnTo(leftFile)}</span>
        </button>
      )}
      <a className="button button-small" href={`/note/${note.id}/history`}>
        <Icon name="clock" />
        {text.history}
      </a>
      <button className="button button-small" type="submit" name="intent" value="remove">
        <Icon name="trash" />
        {text.remove}
      </button>
    </form>
  );
}
