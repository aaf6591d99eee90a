import { useText } from "#app/i18n/text.ts";
import { ShareEndFields, type TypedShareEnd } from "#app/shares/share-end-fields.tsx";
import { Field } from "#app/web/ui/field.tsx";
import type { RefusalCode } from "#domain/refusal.ts";
import { SHARE_CONTENTS } from "#domain/shares/share.ts";

export type TypedShare = TypedShareEnd & { content?: string; lines?: string; max_views?: string };
type FieldsProps = { typed: TypedShare; refused?: RefusalCode };

export function ShareFields({ typed, refused }: FieldsProps) {
  const text = useText().shares;
  return (
    <fieldset className="fieldset">
      <legend className="visually-hidden">{text.share}</legend>
      <ContentChoice typed={typed} refused={refused} />
      <div className="fields-row">
        <ShareEndFields typed={typed} refused={refused} />
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

function ContentChoice({ typed, refused }: FieldsProps) {
  const text = useText().shares;
  const chosen = typed.content ?? "full";
  return (
    <fieldset className="choices share-content grid gap-2">
      <legend className="firm ink">{text.what}</legend>
      {SHARE_CONTENTS.map((content) => (
        <label key={content} className="inline gap-2 reach fit">
          <input type="radio" name="content" value={content} defaultChecked={content === chosen} />
          {text.contents[content]}
        </label>
      ))}
      <Field
        name="lines"
        label={text.lines}
        value={typed.lines}
        hint={text.linesHint}
        dir="ltr"
        invalid={refused === "invalid_share_lines"}
      />
    </fieldset>
  );
}
