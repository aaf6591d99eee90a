import { detectLanguage, isLanguage, type LanguageName } from "#domain/files/language.ts";

export const SAMPLE_LENGTH = 4096;

export function readFieldValue(form: HTMLFormElement | null, name: string): string | undefined {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : undefined;
}

export function findTypedLanguage(form: HTMLFormElement | null, text: string): LanguageName {
  const chosen = readFieldValue(form, "language") ?? "";
  if (isLanguage(chosen)) return chosen;
  return detectLanguage(readFieldValue(form, "file_name") ?? "", text.slice(0, SAMPLE_LENGTH));
}
