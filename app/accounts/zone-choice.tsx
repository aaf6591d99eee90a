import { useLocation } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { useZone } from "#app/web/ui/concrete-time.tsx";

export function TimeZones({ zones }: { zones: readonly string[] }) {
  return (
    <datalist id="time-zones">
      {zones.map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
  );
}

/** A refused zone comes back in the address. */
const useTypedZone = () => new URLSearchParams(useLocation().search).get("zone");

type ZoneInputProps = { id?: string; "aria-labelledby"?: string; "aria-describedby"?: string };

export function ZoneInput(names: ZoneInputProps) {
  const zone = useZone();
  const typedZone = useTypedZone();
  return (
    <input
      className="input"
      name="timezone"
      dir="ltr"
      required
      list="time-zones"
      autoComplete="off"
      defaultValue={typedZone ?? zone}
      aria-invalid={typedZone !== null || undefined}
      {...names}
    />
  );
}

export function ZoneChoice({ zones }: { zones: readonly string[] }) {
  const text = useText().reminders;
  const zone = useZone();
  return (
    <details className="small above-6" open={useTypedZone() !== null}>
      <summary className="soft fit reach">{text.yourZone(zone)}</summary>
      <form className="toolbar top above-3" method="post" action="/preferences">
        <input type="hidden" name="next" value="/reminders" />
        <div className="field">
          <label htmlFor="timezone">{text.zone}</label>
          <ZoneInput id="timezone" aria-describedby="timezone-hint" />
          <p className="soft small" id="timezone-hint">
            {text.zoneHint}
          </p>
        </div>
        <button className="button" type="submit">
          {text.saveZone}
        </button>
      </form>
      <TimeZones zones={zones} />
    </details>
  );
}
