import { Alert } from "#app/components/alert.tsx";
import { useText } from "#app/i18n/text.ts";
import type { RefusalCode } from "#domain/refusal.ts";

/** Why a form came back. */
export function RefusalAlert({ code }: { code: RefusalCode | undefined }) {
  const text = useText();
  return code ? <Alert>{text.refusals[code]}</Alert> : null;
}
