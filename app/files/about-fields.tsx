import { useText } from "#app/i18n/text.ts";
import { Choice } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import type { TypedDetails } from "#domain/files/file-details.ts";
import { LANGUAGE_NAMES, languageLabel } from "#domain/files/language.ts";
import type { RefusalCode } from "#domain/refusal.ts";

type AboutFieldsProps = {
  shown: Partial<TypedDetails & { language: string }>;
  code: RefusalCode | undefined;
};

/** What is told about a file besides its name and its text. */
export function AboutFields({ shown, code }: AboutFieldsProps) {
  const text = useText().upload;
  return (
    <fieldset className="fieldset">
      <legend>{text.about}</legend>
      <div className="fields-row">
        <Choice
          name="language"
          label={text.language}
          chosen={shown.language ?? ""}
          none={text.detect}
          options={LANGUAGE_NAMES}
          write={languageLabel}
        />
        <Field
          name="tags"
          label={text.tags}
          value={shown.tags}
          hint={text.tagsHint}
          invalid={code === "invalid_tags"}
        />
      </div>
      <Field
        name="description"
        label={text.description}
        value={shown.description}
        invalid={code === "description_too_long"}
      />
    </fieldset>
  );
}
