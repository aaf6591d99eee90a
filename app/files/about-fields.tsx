import { useText } from "#app/i18n/text.ts";
import { Field } from "#app/ui/field.tsx";
import type { TypedDetails } from "#domain/files/file-details.ts";
import type { RefusalCode } from "#domain/refusal.ts";

type AboutFieldsProps = { shown: Partial<TypedDetails>; code: RefusalCode | undefined };

/** What is shown about a file besides its name, its language and its text. */
export function AboutFields({ shown, code }: AboutFieldsProps) {
  const text = useText().upload;
  return (
    <fieldset className="fieldset">
      <legend>{text.about}</legend>
      <div className="fields-row">
        <Field
          name="tags"
          label={text.tags}
          value={shown.tags}
          hint={text.tagsHint}
          invalid={code === "invalid_tags"}
        />
        <Field
          name="description"
          label={text.description}
          value={shown.description}
          invalid={code === "description_too_long"}
        />
      </div>
    </fieldset>
  );
}
