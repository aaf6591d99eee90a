import { useText } from "#app/i18n/text.ts";

export function PasskeyProblems() {
  const text = useText().signIn.passkeys;
  return (
    <>
      <noscript>
        <p className="soft">{text.needsScript}</p>
      </noscript>
      {(["unsupported", "failed", "known"] as const).map((problem) => (
        <p className="soft" role="alert" hidden key={problem} data-passkey-problem={problem}>
          {text[problem]}
        </p>
      ))}
    </>
  );
}
