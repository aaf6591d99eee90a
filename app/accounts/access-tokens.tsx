import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Choice } from "#app/ui/choice.tsx";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Day, Moment } from "#app/ui/moment.tsx";
import { TOKEN_LIFETIMES_DAYS, TOKEN_SCOPES, type TokenScope } from "#domain/accounts/access-token.ts";

/** Shown this once. The field is for selecting: without JavaScript that is how it is copied. */
export function NewToken({ secret }: { secret: string }) {
  const text = useText().tokens;
  return (
    <>
      <Alert caution>{text.once}</Alert>
      <div className="field-line token-secret">
        <input className="input code" dir="ltr" readOnly value={secret} aria-label={text.secret} />
        <CopyButton text={secret} named={text.secret} />
      </div>
    </>
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
          <Choice name="scope" label={text.scope} chosen={typed.scope}>
            {TOKEN_SCOPES.map((scope) => (
              <option key={scope} value={scope}>
                {text.scopes[scope]}
              </option>
            ))}
          </Choice>
          <Choice name="lifetime" label={text.lifetime} chosen={typed.lifetime ?? "90"}>
            {TOKEN_LIFETIMES_DAYS.map((days) => (
              <option key={days} value={String(days)}>
                {days === null ? text.forGood : text.days(days)}
              </option>
            ))}
          </Choice>
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
  const facts: [name: string, fact: ReactNode][] = [
    [text.created, <Day key="created" at={token.created_at} />],
    [text.lastUse, token.last_used_at ? <Moment key="used" at={token.last_used_at} /> : text.never],
    [text.expires, token.expires_at ? <Day key="expires" at={token.expires_at} /> : text.forGood],
  ];
  return (
    <li className="credential-row">
      <div className="cluster credential-name">
        <h3>
          <bdi>{token.name}</bdi>
        </h3>
        <bdi className="code soft" dir="ltr">
          …{token.ending}
        </bdi>
        <span className="credential-mark">{text.scopes[token.scope]}</span>
      </div>
      <dl className="cluster credential-facts">
        {facts.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      <form method="post">
        <input type="hidden" name="id" value={token.id} />
        <button
          className="button button-small"
          type="submit"
          name="intent"
          value="revoke"
          aria-label={text.revokeOf(token.name)}
        >
          {text.revoke}
        </button>
      </form>
    </li>
  );
}
