import { usePage } from "#app/page-context.ts";

/** The name that was typed into the form of this intent and refused a moment ago. */
export function useRefusedName(intent: string): string | undefined {
  const { flash } = usePage();
  if (flash?.say !== "refused" || flash.typed?.intent !== intent) return undefined;
  return flash.typed.name;
}
