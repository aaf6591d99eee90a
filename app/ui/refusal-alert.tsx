import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/ui/alert.tsx";
import type { RefusalCode } from "#domain/refusal.ts";

/** Says why a form was refused, and names the file if one of several caused it. */
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
