import { PasskeyProblems } from "#app/accounts/passkey-problems.tsx";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/ui/icon.tsx";

/** Browsers offer their passkeys in the field; the button opens their dialogue. Typed text is not sent anywhere. */
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
          <p className="soft small" id="passkey-hint">
            {text.chooseHint}
          </p>
        </div>
        <button className="button full" type="submit">
          <Icon name="key" />
          {text.logIn}
        </button>
      </form>
      <PasskeyProblems />
    </section>
  );
}
