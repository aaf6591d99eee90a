import type { ComponentProps, ReactNode } from "react";
import { TimeZones } from "#app/accounts/zone-choice.tsx";
import { useText } from "#app/i18n/text.ts";
import { NoteReminder } from "#app/notes/note-reminder.tsx";
import { Trail } from "#app/ui/frame/trail.tsx";

type ReminderPageProps = ComponentProps<typeof NoteReminder> & {
  zones: readonly string[];
  /** The link to what the reminder is about. */
  children: ReactNode;
};

/** The page of one reminder, with every time it can be set to. */
export function ReminderPage({ zones, children, ...reminder }: ReminderPageProps) {
  const text = useText().reminders;
  return (
    <>
      <Trail href="/reminders">{text.all}</Trail>
      <div className="page-head">
        <h1>{text.set}</h1>
      </div>
      <p className="reminder-about">{children}</p>
      <NoteReminder {...reminder} />
      <TimeZones zones={zones} />
    </>
  );
}
