import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/ui/alert.tsx";
import type { RefusalCode } from "#domain/refusal.ts";

/** Why a form came back, and which of its files is to blame where it is one. */
export function RefusalAlert({ code, fileName }: { code: RefusalCode | undefined; fileName?: unknown }) {
  const text = useText();
  if (!code) return null;
  return (
    <Alert>
      {typeof fileName === "string" && (
        <>
          <bdi dir="ltr">{fileName}</bdi>
          {": "}
        </>
      )}
      {text.refusals[code]}
    </Alert>
  );
}
