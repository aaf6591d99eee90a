import { CredentialRow, EndForm } from "#app/accounts/credential-row.tsx";
import { PasskeyProblems } from "#app/accounts/passkey-problems.tsx";
import { useText } from "#app/i18n/text.ts";
import type { PasskeyHindrance } from "#app/web/session/passkeys/passkey-login.server.ts";
import type { Fact } from "#app/web/ui/facts.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { DateText, Moment } from "#app/web/ui/moment.tsx";
import { Section } from "#app/web/ui/section.tsx";
import type { IdentityKind } from "#domain/accounts/identity.ts";
import { PASSKEY_NAME_MAX } from "#domain/accounts/passkey.ts";

type LoginMethod = {
  key: string;
  kind: IdentityKind;
  label: string;
  created_at: string;
  last_used_at: string | null;
};

type Provider = { name: string; href: string };
type LoginMethodsProps = {
  methods: LoginMethod[];
  provider: Provider | null;
  /** Null if passkeys can be used. */
  noPasskeys: PasskeyHindrance | null;
  isLocal: boolean;
};

export function LoginMethods({ methods, provider, noPasskeys, isLocal }: LoginMethodsProps) {
  const text = useText().signIn;
  const chooseName = (kind: IdentityKind) => {
    if (kind === "messenger" && isLocal) return text.local;
    return kind === "oidc" && provider ? provider.name : text.kinds[kind];
  };
  return (
    <Section id="login-methods" title={text.methods}>
      <ul className="rows">
        {methods.map((method) => (
          <MethodRow
            key={method.key}
            method={method}
            name={chooseName(method.kind)}
            isOnly={methods.length === 1}
            canAdd={provider !== null || noPasskeys === null}
          />
        ))}
      </ul>
      {provider && (
        <p className="actions around-3">
          <a className="button" href={provider.href}>
            {text.add(provider.name)}
          </a>
        </p>
      )}
      {noPasskeys ? <p className="soft around-3">{text.passkeys.none[noPasskeys]}</p> : <NewPasskey />}
    </Section>
  );
}

/** The script opens the browser's dialogue for a new passkey. */
function NewPasskey() {
  const text = useText().signIn.passkeys;
  return (
    <>
      <form className="cluster around-3 needs-script" method="post" data-passkey-new>
        <input type="hidden" name="intent" value="add_passkey" />
        <input type="hidden" name="credential" />
        <label className="soft" htmlFor="passkey-name">
          {text.name}
        </label>
        <input
          className="input input-small"
          id="passkey-name"
          name="name"
          dir="auto"
          maxLength={PASSKEY_NAME_MAX}
          autoComplete="off"
          placeholder={text.nameExample}
        />
        <button className="button" type="submit">
          <Icon name="key" />
          {text.add}
        </button>
      </form>
      <PasskeyProblems />
    </>
  );
}

type MethodRowProps = { method: LoginMethod; name: string; isOnly: boolean; canAdd: boolean };

function MethodRow({ method, name, isOnly, canAdd }: MethodRowProps) {
  const { signIn: text, credentials } = useText();
  const facts: Fact[] = [[text.added, <DateText key="added" at={method.created_at} />]];
  if (method.last_used_at) facts.push([credentials.lastUse, <Moment key="used" at={method.last_used_at} />]);
  return (
    <CredentialRow
      name={name}
      marks={method.label && <bdi className="soft">{method.label}</bdi>}
      facts={facts}
    >
      {isOnly ? (
        canAdd && <p className="soft">{text.onlyOne}</p>
      ) : (
        <EndForm
          field="key"
          value={method.key}
          intent="part"
          label={text.removeLabel(`${name} ${method.label}`.trim())}
        >
          {text.remove}
        </EndForm>
      )}
    </CredentialRow>
  );
}
