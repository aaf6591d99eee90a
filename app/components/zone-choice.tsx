import { useZone } from "#app/components/concrete-time.tsx";
import { useText } from "#app/i18n/text.ts";

/** The names that a field for a time zone offers. */
export function TimeZones({ zones }: { zones: readonly string[] }) {
  return (
    <datalist id="time-zones">
      {zones.map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
  );
}

/** In which zone times are told, and the way to change it. */
export function ZoneChoice({ zones }: { zones: readonly string[] }) {
  const text = useText().reminders;
  const zone = useZone();
  return (
    <details className="zone-choice">
      <summary>{text.yourZone(zone)}</summary>
      <form className="chosen-time" method="post" action="/preferences">
        <input type="hidden" name="next" value="/reminders" />
        <div className="field">
          <label htmlFor="timezone">{text.zone}</label>
          <input
            className="input"
            id="timezone"
            name="timezone"
            dir="ltr"
            required
            list="time-zones"
            autoComplete="off"
            defaultValue={zone}
            aria-describedby="timezone-hint"
          />
          <p className="field-hint" id="timezone-hint">
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
