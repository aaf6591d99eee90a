import { useText } from "#app/i18n/text.ts";
import { useTimeZone } from "#app/web/ui/moment.tsx";

export function ZoneNote() {
  const text = useText().operators;
  return <p className="soft below-3">{text.timesIn(useTimeZone())}</p>;
}
