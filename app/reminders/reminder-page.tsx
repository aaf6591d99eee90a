import type { ComponentProps, ReactNode } from "react";
import { TimeZones } from "#app/accounts/zone-choice.tsx";
import { useText } from "#app/i18n/text.ts";
import { ReminderEditor } from "#app/notes/note-reminder.tsx";
import { ParentLink } from "#app/web/ui/frame/trail.tsx";

type ReminderPageProps = ComponentProps<typeof ReminderEditor> & {
  /** The number of devices that get it; null if this server sends none to devices. */
  devices: number | null;
  zones: readonly string[];
  children: ReactNode;
};

export function ReminderPage({ devices, zones, children, ...reminder }: ReminderPageProps) {
  const { reminders: text, devices: words } = useText();
  return (
    <>
      <ParentLink href="/reminders">{text.all}</ParentLink>
      <div className="page-head">
        <h1>{text.set}</h1>
      </div>
      <p className="large breaks below-4">{children}</p>
      <div className="stack">
        <ReminderEditor {...reminder} />
        <p className="soft">
          {text.comesTo(devices ?? 0)}{" "}
          {devices !== null && <a href="/settings/devices">{devices > 0 ? words.all : words.turnOn}</a>}
        </p>
      </div>
      <TimeZones zones={zones} />
    </>
  );
}
