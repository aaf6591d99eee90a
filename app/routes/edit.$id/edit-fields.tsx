import type { ReactNode } from "react";
import { CodeField } from "#app/code-runs/code-field.tsx";
import { AboutFields } from "#app/files/about-fields.tsx";
import type { RenamedFile } from "#app/files/name-hint.tsx";
import { SaveBar } from "#app/files/save-bar.tsx";
import { useText } from "#app/i18n/text.ts";
import { DETAIL_NAMES, type TypedDetails } from "#domain/files/file-details.ts";
import { isProse } from "#domain/files/language.ts";
import type { RefusalCode } from "#domain/refusal.ts";

export type Fields = TypedDetails & { file_name: string; language: string };
type EditFieldsProps = {
  shown: Fields & { version: number; text: string };
  /** The current file; null if it no longer exists. */
  file: (Fields & RenamedFile) | null;
  code: RefusalCode | undefined;
  label?: string;
  children?: ReactNode;
};

export const FIELD_NAMES = ["file_name", "language", ...DETAIL_NAMES] as const;

/** A text to edit and the details of its file. The form sends the initial value of each field along, so that an unchanged one stays as it is. */
export function EditFields({ shown, file, code, label, children }: EditFieldsProps) {
  const text = useText().upload;
  return (
    <>
      {file && <InitialValueFields version={shown.version} file={file} />}
      <SaveBar shown={shown} code={code} renamed={file ?? undefined}>
        {children}
      </SaveBar>
      <CodeField
        label={label ?? text.text}
        text={shown.text}
        rows={24}
        dir={isProse(shown.language) ? "auto" : "ltr"}
        isProse={isProse(shown.language)}
        className="editor"
        previewIn={{ folder: file?.folder_id ?? null }}
      />
      <AboutFields shown={shown} code={code} />
    </>
  );
}

export function InitialValueFields({ version, file }: { version: number; file: Fields }) {
  return (
    <>
      <input type="hidden" name="version" value={version} />
      {FIELD_NAMES.map((name) => (
        <input key={name} type="hidden" name={`shown_${name}`} value={file[name]} />
      ))}
    </>
  );
}
