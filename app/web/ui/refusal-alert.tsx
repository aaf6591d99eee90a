import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import type { RefusalCode } from "#domain/refusal.ts";

type Refused = {
  code: RefusalCode | undefined;
  fileName?: unknown;
  words?: Partial<Record<RefusalCode, string>>;
  children?: ReactNode;
};

export function RefusalAlert({ code, fileName, words, children }: Refused) {
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
      {words?.[code] ?? text.refusals[code]}
      {children}
    </Alert>
  );
}
