import { useText } from "#app/i18n/text.ts";
import { CopyField } from "#app/web/ui/copy-field.tsx";

export const writeLogin = (origin: string) =>
  `curl -o codeshelf.mjs ${origin}/codeshelf.mjs && node codeshelf.mjs login ${origin}`;

export function CommandLine({ origin }: { origin: string }) {
  const text = useText().tokens;
  return (
    <section className="section" id="command-line">
      <div className="section-head">
        <h2>{text.terminal}</h2>
      </div>
      <p id="command-line-hint">{text.terminalHint}</p>
      <CopyField value={writeLogin(origin)} named={text.login} hintId="command-line-hint" />
    </section>
  );
}
