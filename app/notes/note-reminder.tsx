import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { ConcreteTime, useConcreteTime, useZone } from "#app/web/ui/concrete-time.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { daysAhead, presetMoment, REMINDER_PRESETS } from "#domain/reminders/reminder-time.ts";

export type ShownReminder = { remind_at: string; status: "pending" | "acknowledged" };

/** The field of the form that names what the reminder is about: a note, or a file that gets a note when the reminder is set. */
type ReminderSubject = { note_id: string } | { file: string };

export function ReminderForm({
  about,
  remindAt,
  next,
  className,
  children,
}: {
  about: ReminderSubject;
  /** Ties the action to the reminder time that was on the screen. */
  remindAt?: string;
  next?: string;
  className?: string;
  children: ReactNode;
}) {
  const { pathname, search } = useLocation();
  return (
    <form className={className} method="post" action="/reminders">
      {Object.entries(about).map(([name, id]) => (
        <input key={name} type="hidden" name={name} value={id} />
      ))}
      {remindAt && <input type="hidden" name="remind_at" value={remindAt} />}
      <input type="hidden" name="next" value={next ?? pathname + search} />
      {children}
    </form>
  );
}

export function ReminderChip({ noteId, reminder }: { noteId: string; reminder: ShownReminder }) {
  const text = useText().reminders;
  const { now } = usePage();
  const isDue = Date.parse(reminder.remind_at) <= now;
  return (
    <a
      className={isDue ? "chip reminder-chip fit caution-ground ink" : "chip reminder-chip fit"}
      href={`/reminders/${noteId}`}
    >
      <Icon name="bell" />
      <ConcreteTime at={reminder.remind_at} words={isDue ? text.wasDue : text.setFor} />
    </a>
  );
}

export function ReminderEditor({
  about,
  reminder,
  next,
}: {
  about: ReminderSubject;
  reminder: ShownReminder | null;
  next?: string;
}) {
  const text = useText().reminders;
  const isPending = reminder?.status === "pending";
  return (
    <div className="grid gap-4 form-wide">
      {isPending && (
        <ReminderForm about={about} remindAt={reminder.remind_at} next={next} className="actions">
          <PendingReminderChip reminder={reminder} />
          <button className="button button-small" type="submit" name="intent" value="done">
            <Icon name="check" />
            {text.markDone}
          </button>
          <button className="button button-small button-quiet" type="submit" name="intent" value="remove">
            {text.remove}
          </button>
        </ReminderForm>
      )}
      <PresetButtons about={about} next={next} />
      <ChosenTimeForm about={about} next={next} />
    </div>
  );
}

function PendingReminderChip({ reminder }: { reminder: ShownReminder }) {
  const text = useText().reminders;
  const { now } = usePage();
  const isDue = Date.parse(reminder.remind_at) <= now;
  return (
    <span className={isDue ? "chip caution-ground ink" : "chip"}>
      <Icon name="bell" />
      <ConcreteTime at={reminder.remind_at} words={isDue ? text.wasDue : text.setFor} />
    </span>
  );
}

/** Each button shows the time that it sets. */
function PresetButtons({ about, next }: { about: ReminderSubject; next?: string }) {
  const text = useText().reminders;
  const { now } = usePage();
  const zone = useZone();
  const writeTime = useConcreteTime();
  return (
    <ReminderForm about={about} next={next} className="presets grid gap-2">
      {REMINDER_PRESETS.map((preset) => {
        const moment = presetMoment(preset, zone, new Date(now));
        const isNextEvening = preset === "today-21" && daysAhead(moment, zone, new Date(now)) > 0;
        return (
          <button key={preset} type="submit" name="intent" value={`set:${preset}`}>
            <span className="soft">{isNextEvening ? text.tomorrowEvening : text.presets[preset]}</span>
            <span className="strong">{writeTime(moment)}</span>
          </button>
        );
      })}
    </ReminderForm>
  );
}

/**
 * Accepts any time in any zone. The server refuses past times, because the zone may not be the browser's. A refused entry comes back in the
 * address.
 */
function ChosenTimeForm({ about, next }: { about: ReminderSubject; next?: string }) {
  const text = useText().reminders;
  const ownZone = useZone();
  const typed = new URLSearchParams(useLocation().search);
  const zone = typed.get("tz") ?? ownZone;
  return (
    <ReminderForm about={about} next={next} className="toolbar">
      <div className="field">
        <label htmlFor="reminder-at">{text.chosenTime}</label>
        <input
          className="input"
          id="reminder-at"
          type="datetime-local"
          name="at"
          required
          defaultValue={typed.get("at") ?? ""}
        />
      </div>
      <div className="field">
        <label htmlFor="reminder-zone">{text.zone}</label>
        <input
          className="input"
          id="reminder-zone"
          name="tz"
          dir="ltr"
          list="time-zones"
          autoComplete="off"
          defaultValue={zone}
          data-time-zone=""
        />
      </div>
      <button className="button" type="submit" name="intent" value="at">
        {text.setChosen}
      </button>
    </ReminderForm>
  );
}

type UndoProps = { noteId: string; intent: "reopen" | "remove" | "back"; before?: string };

export function UndoReminder({ noteId, intent, before }: UndoProps) {
  const text = useText().reminders;
  return (
    <ReminderForm about={{ note_id: noteId }} remindAt={before}>
      <button className="button button-small" type="submit" name="intent" value={intent}>
        <Icon name="undo" />
        {text.undo}
      </button>
    </ReminderForm>
  );
}
