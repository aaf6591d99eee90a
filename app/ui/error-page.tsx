import { useLocation } from "@remix-run/react";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { REASONS, type RefusalCode } from "#domain/refusal.ts";
import { hasKey } from "#domain/typed-keys.ts";

// What passes by itself, so that asking again is good advice.
const PASSING: readonly number[] = [429, 500, 503, 504];

/** What went wrong, in the visitor's words, what to do next, and the id under which the log has the rest. */
export function ErrorPage({ status, body }: { status: number; body: unknown }) {
  const text = useText();
  const { requestId, person } = usePage();
  const { pathname, search } = useLocation();
  const code = codeIn(body);
  return (
    <section className="problem">
      <p className="problem-status">{text.errors.title(status)}</p>
      <h1>{chooseHeading(text, status, body)}</h1>
      <p role="alert">{text.refusals[code]}</p>
      <div className="actions">
        {PASSING.includes(status) && (
          <a className="button button-primary" href={pathname + search}>
            {text.errors.tryAgain}
          </a>
        )}
        {code === "account_locked" ? (
          <LogOut />
        ) : (
          <a className="button" href={person ? "/dashboard" : "/"}>
            {text.errors.backHome}
          </a>
        )}
      </div>
      <p className="problem-id">
        {text.errors.requestId}: <code dir="ltr">{requestId}</code>
      </p>
    </section>
  );
}

/** All that is left to do with a locked account. */
function LogOut() {
  const { nav } = useText();
  return (
    <form method="post" action="/logout">
      <button className="button button-primary" type="submit">
        {nav.logout}
      </button>
    </form>
  );
}

export function chooseHeading({ errors }: Dictionary, status: number, body: unknown): string {
  if (codeIn(body) === "account_locked") return errors.lockedHeading;
  return errors.headings[status] ?? errors.heading;
}

function codeIn(body: unknown): RefusalCode {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : null;
  return hasKey(REASONS, code) ? code : "internal";
}
