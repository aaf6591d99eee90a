import { usePage } from "#app/page-context.ts";
import type { RefusalCode } from "#domain/refusal.ts";

/** What was typed into a form that was refused a moment ago, and why. */
export type RefusedForm = {
  code: RefusalCode;
  fields: Readonly<Record<string, string>>;
  /** The rows of a list that were chosen. */
  chosen: readonly string[];
};

/** The form of this intent, where it was refused a moment ago. */
export function useRefusedForm(...intents: string[]): RefusedForm | undefined {
  const { flash } = usePage();
  if (flash?.say !== "refused" || !flash.typed || !intents.includes(flash.typed.intent)) return undefined;
  const { fields, chosen = [] } = flash.typed;
  return { code: flash.code, fields, chosen };
}

const FOLDER_CODES: readonly RefusalCode[] = [
  "folder_not_found",
  "folder_not_chosen",
  "folder_into_itself",
  "folder_too_deep",
];

/** Whether the folder that was chosen is what was refused. */
export const isAboutFolder = (refused: RefusedForm | undefined): boolean =>
  refused !== undefined && FOLDER_CODES.includes(refused.code);
