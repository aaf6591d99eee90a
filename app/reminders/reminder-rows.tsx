import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { ReminderForm } from "#app/notes/note-reminder.tsx";
import { usePage } from "#app/page-context.ts";
import { ConcreteTime, useConcreteTime, useZone } from "#app/web/ui/concrete-time.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { presetMoment } from "#domain/reminders/reminder-time.ts";

export type ReminderRow = {
  note_id: string;
  preview: string;
  /** The name of the note's file or board, or its path in a repository. */
  place: string | null;
  remind_at: string;
  ack_at: string | null;
};

type RowsProps = {
  rows: readonly ReminderRow[];
  describe: (row: ReminderRow) => ReactNode;
  renderActions: (row: ReminderRow) => ReactNode;
};

function ReminderRows({ rows, describe, renderActions }: RowsProps) {
  return (
    <ul className="rows">
      {rows.map((row) => (
        <li key={row.note_id} className="cluster spread gap-4 rows-2 pad-4 pad-block-3">
          <ReminderSummary row={row}>{describe(row)}</ReminderSummary>
          {renderActions(row)}
        </li>
      ))}
    </ul>
  );
}

export function DueRows({ rows }: { rows: readonly ReminderRow[] }) {
  const text = useText().reminders;
  return (
    <ReminderRows
      rows={rows}
      describe={(row) => <ConcreteTime at={row.remind_at} words={text.wasDue} />}
      renderActions={(row) => (
        <ReminderForm about={{ note_id: row.note_id }} remindAt={row.remind_at} className="actions">
          <button className="button button-small button-primary" type="submit" name="intent" value="done">
            <Icon name="check" />
            {text.markDone}
          </button>
          <SnoozeButtons noteId={row.note_id} />
        </ReminderForm>
      )}
    />
  );
}

const SNOOZES = [10, 60] as const;

/** Short delays are shown as durations, which stay true while the page is open. */
function SnoozeButtons({ noteId }: { noteId: string }) {
  const text = useText().reminders;
  const { now } = usePage();
  const zone = useZone();
  const writeTime = useConcreteTime();
  return (
    <fieldset className="choices cluster">
      <legend className="visually-hidden">{text.snooze}</legend>
      <span className="soft small" aria-hidden="true">
        {text.snooze}
      </span>
      {SNOOZES.map((minutes) => (
        <button
          key={minutes}
          className="button button-small"
          type="submit"
          name="intent"
          value={`snooze:${minutes}`}
        >
          {text.inMinutes(minutes)}
        </button>
      ))}
      <button className="button button-small" type="submit" name="intent" value="set:tomorrow-09">
        {writeTime(presetMoment("tomorrow-09", zone, new Date(now)))}
      </button>
      <a className="button button-small button-quiet" href={`/reminders/${noteId}`}>
        {text.otherTime}
      </a>
    </fieldset>
  );
}

export function UpcomingRows({ rows }: { rows: readonly ReminderRow[] }) {
  const text = useText().reminders;
  return (
    <ReminderRows
      rows={rows}
      describe={(row) => <ConcreteTime at={row.remind_at} />}
      renderActions={(row) => (
        <ReminderForm about={{ note_id: row.note_id }} remindAt={row.remind_at} className="actions">
          <a className="button button-small" href={`/reminders/${row.note_id}`}>
            {text.change}
          </a>
          <button className="button button-small button-quiet" type="submit" name="intent" value="remove">
            {text.remove}
          </button>
        </ReminderForm>
      )}
    />
  );
}

export function DoneRows({ rows }: { rows: readonly ReminderRow[] }) {
  const text = useText().reminders;
  return (
    <ReminderRows
      rows={rows}
      describe={(row) => <ConcreteTime at={row.ack_at ?? row.remind_at} words={text.doneAt} />}
      renderActions={(row) => (
        <a className="button button-small button-quiet" href={`/reminders/${row.note_id}`}>
          {text.snooze}
        </a>
      )}
    />
  );
}

function ReminderSummary({ row, children }: { row: ReminderRow; children: ReactNode }) {
  const text = useText().reminders;
  return (
    <div className="reminder-words small breaks grid shrinks">
      <a className="plain-size strong ink contained fit" href={`/note/${row.note_id}`} title={text.open}>
        <bdi>{row.preview || text.untitled}</bdi>
      </a>
      <span className="soft">
        {children}
        {row.place && <> · {text.on(row.place)}</>}
      </span>
    </div>
  );
}
