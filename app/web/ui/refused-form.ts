import { usePage } from "#app/page-context.ts";
import type { RefusalCode } from "#domain/refusal.ts";

/** The texts of a form that was just refused, and the reason. */
export type RefusedForm = {
  code: RefusalCode;
  fields: Readonly<Record<string, string>>;
  chosen: readonly string[];
};

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

export const isAboutFolder = (refused: RefusedForm | undefined): boolean =>
  refused !== undefined && FOLDER_CODES.includes(refused.code);
