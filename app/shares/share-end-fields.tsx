import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { SelectField } from "#app/web/ui/choice.tsx";
import { useZone } from "#app/web/ui/concrete-time.tsx";
import { Field } from "#app/web/ui/field.tsx";
import type { RefusalCode } from "#domain/refusal.ts";
import { localTime } from "#domain/reminders/reminder-time.ts";
import { SHARE_DAYS, SHARE_DAYS_MAX, SHARE_LIFETIMES_DAYS, SHARE_ON_DATE } from "#domain/shares/share.ts";
import { DAY_MS } from "#domain/time/durations.ts";

export type TypedShareEnd = { lifetime?: string; expires_on?: string };
type ShareEndFieldsProps = { typed: TypedShareEnd; refused?: RefusalCode; idPrefix?: string };

/** Selects the end of a link. The calendar appears if a date is selected; its days are those of the person's time zone. */
export function ShareEndFields({ typed, refused, idPrefix = "" }: ShareEndFieldsProps) {
  const text = useText().shares;
  const { now } = usePage();
  const zone = useZone();
  const toDate = (days: number) =>
    localTime(new Date(now + days * DAY_MS), zone).slice(0, "2030-01-31".length);
  return (
    <div className="stack share-end">
      <SelectField
        name="lifetime"
        id={`${idPrefix}lifetime`}
        label={text.lifetime}
        chosen={typed.lifetime ?? String(SHARE_DAYS)}
        options={[...SHARE_LIFETIMES_DAYS, SHARE_ON_DATE]}
        write={(days) =>
          days === null ? text.forGood : days === SHARE_ON_DATE ? text.onDate : text.days(days)
        }
      />
      <Field
        name="expires_on"
        id={`${idPrefix}expires-on`}
        label={text.lastDay}
        value={typed.expires_on}
        type="date"
        min={toDate(0)}
        // The last day ends within the limit at any time of day.
        max={toDate(SHARE_DAYS_MAX - 1)}
        invalid={refused === "invalid_share_end"}
      />
    </div>
  );
}
