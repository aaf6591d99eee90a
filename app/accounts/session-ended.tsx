import { useLocation } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import type { KeptForm } from "#app/web/session/kept-form.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Problem } from "#app/web/ui/frame/problem.tsx";

const isLong = (text: string) => text.length > 80 || text.includes("\n");

/** A form that was sent after its session had ended, with all its values, to be sent again. */
export function SessionEnded({ kept }: { kept: KeptForm }) {
  const text = useText().sessionEnded;
  const { pathname, search } = useLocation();
  return (
    <Problem>
      <h1>{text.title}</h1>
      <p role="alert">{kept.isTyped ? text.explanation : text.nothingTyped}</p>
      {kept.files > 0 && <Alert caution>{text.filesLost(kept.files)}</Alert>}
      <form
        className="form"
        method="post"
        action={pathname + search}
        encType="multipart/form-data"
        data-session-ended
      >
        {kept.texts.map(([name, value]) =>
          isLong(value) ? (
            <textarea
              key={`${name}=${value}`}
              className="input code"
              name={name}
              rows={10}
              aria-label={text.typed}
              defaultValue={value}
              dir="auto"
            />
          ) : (
            <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
          ),
        )}
        <div className="actions">
          <a className="button" href="/login" target="_blank" rel="noopener">
            {text.logIn}
          </a>
          <button className="button button-primary" type="submit">
            {text.sendAgain}
          </button>
        </div>
      </form>
    </Problem>
  );
}
