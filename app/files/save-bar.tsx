import type { ReactNode } from "react";
import { NameTakenHint, type RenamedFile } from "#app/files/name-hint.tsx";
import { useText } from "#app/i18n/text.ts";
import { SelectField } from "#app/web/ui/choice.tsx";
import { Field } from "#app/web/ui/field.tsx";
import { LANGUAGE_NAMES, languageLabel } from "#domain/files/language.ts";
import type { RefusalCode } from "#domain/refusal.ts";

type SaveBarProps = {
  shown: { file_name?: string; language?: string };
  code: RefusalCode | undefined;
  renamed?: RenamedFile;
  children?: ReactNode;
};

const NAME_REFUSALS: readonly (RefusalCode | undefined)[] = [
  "invalid_file_name",
  "missing_file_name",
  "reserved_file_name",
  "path_with_empty_part",
  "path_with_dots",
  "path_with_backslash",
  "file_name_taken",
];

export function SaveBar({ shown, code, renamed, children }: SaveBarProps) {
  const text = useText().upload;
  return (
    <div className="save-bar grid pad-block-2 edge-below">
      <Field
        name="file_name"
        label={text.fileName}
        value={shown.file_name}
        code
        invalid={NAME_REFUSALS.includes(code)}
      />
      <NameTakenHint renamed={renamed} />
      <SelectField
        name="language"
        label={text.language}
        chosen={shown.language ?? ""}
        none={text.detect}
        options={LANGUAGE_NAMES}
        write={languageLabel}
      />
      <div className="actions">
        <button className="button button-primary" type="submit">
          {text.save}
        </button>
        {children}
      </div>
    </div>
  );
}
