import { TrashedFile, type TrashedFilePage } from "#app/files/trashed-file.tsx";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { Problem } from "#app/web/ui/frame/problem.tsx";
import { REASONS, type RefusalCode } from "#domain/refusal.ts";
import { hasKey, toFields } from "#domain/typed-keys.ts";

// Temporary problems, so the page offers to try again.
const TEMPORARY: readonly number[] = [429, 500, 503, 504];

/** The address in the browser; a page refused early is rendered under another one. */
const OPENED_ADDRESS = "";

export function ErrorPage({ status, body }: { status: number; body: unknown }) {
  const text = useText();
  const { requestId, person, isSending } = usePage();
  const isTemporary = TEMPORARY.includes(status);
  const code = readCode(body);
  const { retry_after: seconds } = toFields(body);
  if (code === "file_in_trash")
    return (
      <Problem>
        <h1>{chooseHeading(text, status, body)}</h1>
        {/* A refusal with this code has the data of the page. */}
        <TrashedFile file={body as TrashedFilePage} />
      </Problem>
    );
  return (
    <Problem>
      <p className="large mono soft">{text.errors.title(status)}</p>
      <h1>{chooseHeading(text, status, body)}</h1>
      <p className="large" role="alert">
        {code === "internal" ? text.errors.internal : text.refusals[code]}
      </p>
      {isTemporary && typeof seconds === "number" && <p>{text.errors.tryIn(seconds)}</p>}
      {isTemporary && isSending && <p>{text.errors.sendAgain}</p>}
      <div className="actions">
        {isTemporary && !isSending && (
          <a className="button button-primary" href={OPENED_ADDRESS}>
            {text.errors.tryAgain}
          </a>
        )}
        {code === "account_locked" ? (
          <LogoutForm />
        ) : (
          <a className="button" href={person ? "/dashboard" : "/"}>
            {text.errors.backHome}
          </a>
        )}
      </div>
      <p className="small soft">
        {text.errors.requestId}: <code dir="ltr">{requestId}</code>
      </p>
    </Problem>
  );
}

/** A person whose account is locked can only log out. */
function LogoutForm() {
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
  if (readCode(body) === "account_locked") return errors.lockedHeading;
  if (readCode(body) === "file_in_trash") return errors.trashedHeading;
  return errors.headings[status] ?? errors.heading;
}

function readCode(body: unknown): RefusalCode {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : null;
  return hasKey(REASONS, code) ? code : "internal";
}
