import { useText } from "#app/i18n/text.ts";
import { useTimeZone } from "#app/ui/moment.tsx";

/** In which time zone the times of this page are. */
export function ZoneNote() {
  const text = useText().operators;
  return <p className="soft lead">{text.timesIn(useTimeZone())}</p>;
}
