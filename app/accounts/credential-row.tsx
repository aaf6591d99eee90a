import type { ReactNode } from "react";
import { type Fact, Facts } from "#app/ui/facts.tsx";

type CredentialRowProps = {
  name: ReactNode;
  marks?: ReactNode;
  facts: readonly Fact[];
  /** The hash of a device, by which the browser finds its own row. */
  device?: string;
  /** The way to end it. */
  children: ReactNode;
};

/** Something that opens an account: what it is, what is known of it, and its end. */
export function CredentialRow({ name, marks, facts, device, children }: CredentialRowProps) {
  return (
    <li className="credential-row two-ends grid gap-4 rows-2 pad-4 pad-block-3" data-device={device}>
      <div className="cluster gap-2 rows-1">
        <h3>{name}</h3>
        {marks}
      </div>
      <Facts facts={facts} inline />
      {children}
    </li>
  );
}

type EndFormProps = {
  /** Where the form goes, if not to the page it is on. */
  action?: string;
  /** The hidden field that says which one. */
  field: string;
  value: string;
  intent: string;
  /** What the button ends, for screen readers. */
  label: string;
  children: ReactNode;
};

export function EndForm({ action, field, value, intent, label, children }: EndFormProps) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name={field} value={value} />
      <button className="button button-small" type="submit" name="intent" value={intent} aria-label={label}>
        {children}
      </button>
    </form>
  );
}

/** The end of a token, as those see it who know the rest of it. */
export function TokenEnding({ ending }: { ending: string }) {
  return (
    <bdi className="code soft" dir="ltr">
      …{ending}
    </bdi>
  );
}
