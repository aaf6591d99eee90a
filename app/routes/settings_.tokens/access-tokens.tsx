import { writeLogin } from "#app/accounts/command-line.tsx";
import { CredentialRow, EndForm, TokenEnding } from "#app/accounts/credential-row.tsx";
import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { SelectField } from "#app/web/ui/choice.tsx";
import { CopyField } from "#app/web/ui/copy-field.tsx";
import type { Fact } from "#app/web/ui/facts.tsx";
import { Field } from "#app/web/ui/field.tsx";
import { DateText, Moment } from "#app/web/ui/moment.tsx";
import { TOKEN_LIFETIMES_DAYS, TOKEN_SCOPES, type TokenScope } from "#domain/accounts/access-token.ts";

/** Shows a new token, once, with a first request to try and the command that logs in on the command line, which asks for the token. */
export function NewToken({ secret, origin }: { secret: string; origin: string }) {
  const text = useText().tokens;
  return (
    <section className="stack below-6">
      <Alert caution>{text.once}</Alert>
      <CopyField className="above-3 below-6 form-wide" value={secret} named={text.secret} />
      <p className="soft">{text.tryIt}</p>
      <CopyField value={writeFirstRequest(origin, secret)} named={text.firstRequest} small />
      <p className="soft">{text.commandLine}</p>
      <CopyField value={writeLogin(origin)} named={text.login} small />
    </section>
  );
}

/** A token of any scope can list files. */
const writeFirstRequest = (origin: string, secret: string) =>
  `curl -H "Authorization: Bearer ${secret}" ${origin}/api/files`;

export function FileManagerAddress({ address }: { address: string }) {
  const text = useText().tokens;
  return (
    <section className="section">
      <div className="section-head">
        <h2>{text.fileManager}</h2>
      </div>
      <p id="dav-hint">{text.fileManagerHint}</p>
      <CopyField value={address} named={text.fileManagerAddress} hintId="dav-hint" />
    </section>
  );
}

export type TypedToken = { name: string; scope?: string; lifetime?: string };

export function TokenForm({ typed, wrong }: { typed: TypedToken; wrong: boolean }) {
  const text = useText().tokens;
  return (
    <form className="form" method="post">
      <fieldset className="fieldset">
        <legend>{text.make}</legend>
        <Field name="name" label={text.name} value={typed.name} hint={text.nameHint} invalid={wrong} />
        <div className="fields-row">
          <SelectField
            name="scope"
            label={text.scope}
            chosen={typed.scope}
            options={TOKEN_SCOPES}
            write={(scope) => text.scopes[scope]}
          />
          <SelectField
            name="lifetime"
            label={text.lifetime}
            chosen={typed.lifetime ?? "90"}
            options={TOKEN_LIFETIMES_DAYS}
            write={(days) => (days === null ? text.forGood : text.days(days))}
          />
        </div>
        <div className="actions">
          <button className="button button-primary" type="submit" name="intent" value="create">
            {text.make}
          </button>
        </div>
      </fieldset>
    </form>
  );
}

type ListedToken = {
  id: string;
  name: string;
  ending: string;
  scope: TokenScope;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
};

export function TokenRows({ tokens }: { tokens: ListedToken[] }) {
  return (
    <ul className="rows">
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} />
      ))}
    </ul>
  );
}

function TokenRow({ token }: { token: ListedToken }) {
  const text = useText().tokens;
  const facts: Fact[] = [
    [text.created, <DateText key="created" at={token.created_at} />],
    [text.lastUse, token.last_used_at ? <Moment key="used" at={token.last_used_at} /> : text.never],
    [text.expires, token.expires_at ? <DateText key="expires" at={token.expires_at} /> : text.forGood],
  ];
  const marks = (
    <>
      <TokenEnding ending={token.ending} />
      <span className="word-mark accent-ground small pad-inline-2 round">{text.scopes[token.scope]}</span>
    </>
  );
  return (
    <CredentialRow name={<bdi>{token.name}</bdi>} marks={marks} facts={facts}>
      <details className="confirm">
        <summary className="button button-small" aria-label={text.revokeLabel(token.name)}>
          {text.revoke}
        </summary>
        <EndForm field="id" value={token.id} intent="revoke" label={text.revokeSure}>
          {text.revokeSure}
        </EndForm>
      </details>
    </CredentialRow>
  );
}
