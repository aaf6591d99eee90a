import { useText } from "#app/i18n/text.ts";
import { Field } from "#app/web/ui/field.tsx";
import { DETAIL_NAMES, FILE_DETAILS, type TypedDetails } from "#domain/files/file-details.ts";
import type { RefusalCode } from "#domain/refusal.ts";

type AboutFieldsProps = { shown: Partial<TypedDetails>; code?: RefusalCode };

export function AboutFields({ shown, code }: AboutFieldsProps) {
  const text = useText().upload;
  return (
    <fieldset className="fieldset">
      <legend>{text.about}</legend>
      <div className="fields-row">
        <DetailFields shown={shown} code={code} />
      </div>
    </fieldset>
  );
}

export function DetailFields({ shown, code }: AboutFieldsProps) {
  const { details } = useText().upload;
  return DETAIL_NAMES.map((name) => (
    <Field
      key={name}
      name={name}
      label={details[name].label}
      value={shown[name]}
      hint={details[name].hint}
      invalid={code === FILE_DETAILS[name].refusal}
    />
  ));
}
