import { useText } from "#app/i18n/text.ts";
import { Choice } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import type { RefusalCode } from "#domain/refusal.ts";
import { SHARE_DAYS, SHARE_LIFETIMES_DAYS, SHARE_MODES } from "#domain/shares/share.ts";

export type TypedShare = { mode?: string; lines?: string; lifetime?: string; max_views?: string };

/** How a file is made public. */
export function ShareFields({ typed, refused }: { typed: TypedShare; refused?: RefusalCode }) {
  const text = useText().shares;
  return (
    <fieldset className="fieldset">
      <legend className="visually-hidden">{text.share}</legend>
      <div className="fields-row">
        <Choice name="mode" label={text.what} chosen={typed.mode}>
          {SHARE_MODES.map((mode) => (
            <option key={mode} value={mode}>
              {text.modes[mode]}
            </option>
          ))}
        </Choice>
        <Field
          name="lines"
          label={text.lines}
          value={typed.lines}
          hint={text.linesHint}
          invalid={refused === "invalid_share_lines"}
        />
      </div>
      <div className="fields-row">
        <Choice name="lifetime" label={text.lifetime} chosen={typed.lifetime ?? String(SHARE_DAYS)}>
          {SHARE_LIFETIMES_DAYS.map((days) => (
            <option key={days} value={String(days)}>
              {days === null ? text.forGood : text.days(days)}
            </option>
          ))}
        </Choice>
        <Field
          name="max_views"
          label={text.maxViews}
          value={typed.max_views}
          hint={text.maxViewsHint}
          invalid={refused === "invalid_share_views"}
        />
      </div>
      <Field
        name="password"
        label={text.password}
        value={undefined}
        hint={text.passwordHint}
        type="password"
        autoComplete="new-password"
        invalid={refused === "invalid_share_password"}
      />
    </fieldset>
  );
}
