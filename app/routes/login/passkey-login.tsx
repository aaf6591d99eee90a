import { PasskeyProblems } from "#app/accounts/passkey-problems.tsx";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/ui/icon.tsx";

/** The field is where browsers offer the passkeys they hold; the button opens their dialogue. What is typed goes nowhere. */
export function PasskeyLogin({ action }: { action: string }) {
  const text = useText().signIn.passkeys;
  return (
    <section className="stack">
      <form className="stack needs-script" method="post" action={action} data-passkey-login>
        <input type="hidden" name="credential" />
        <div className="field" data-passkey-field hidden>
          <label htmlFor="passkey">{text.choose}</label>
          <input
            className="input"
            id="passkey"
            dir="auto"
            autoComplete="username webauthn"
            aria-describedby="passkey-hint"
          />
          <p className="field-hint" id="passkey-hint">
            {text.chooseHint}
          </p>
        </div>
        <button className="button button-wide" type="submit">
          <Icon name="key" />
          {text.logIn}
        </button>
      </form>
      <PasskeyProblems />
    </section>
  );
}
