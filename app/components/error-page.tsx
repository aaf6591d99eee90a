import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { REASONS, type RefusalCode } from "#domain/refusal.ts";

/** What went wrong, in the visitor's words, and the id under which the log has the rest. */
export function ErrorPage({ status, body }: { status: number; body: unknown }) {
  const text = useText();
  const { requestId } = usePage();
  return (
    <section>
      <h1>{text.errors.title(status)}</h1>
      <p role="alert">{text.refusals[codeIn(body)]}</p>
      <p>
        <a href="/">{text.errors.backHome}</a>
      </p>
      <p>
        {text.errors.requestId}: <code>{requestId}</code>
      </p>
    </section>
  );
}

function codeIn(body: unknown): RefusalCode {
  const code = (body as { code?: unknown } | null)?.code;
  return typeof code === "string" && Object.hasOwn(REASONS, code) ? (code as RefusalCode) : "internal";
}
