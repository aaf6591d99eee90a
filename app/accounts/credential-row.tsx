import type { ReactNode } from "react";
import { type Fact, Facts } from "#app/web/ui/facts.tsx";

type CredentialRowProps = {
  name: ReactNode;
  marks?: ReactNode;
  facts: readonly Fact[];
  /** The hash of a device, by which the browser finds its own row. */
  device?: string;
  children: ReactNode;
};

export function CredentialRow({ name, marks, facts, device, children }: CredentialRowProps) {
  return (
    <li className="two-ends grid gap-4 rows-2 pad-4 pad-block-3" data-device={device}>
      <div className="cluster gap-2 rows-1">
        <h3>{name}</h3>
        {marks}
      </div>
      <Facts facts={facts} inline className="whole-row" />
      {children}
    </li>
  );
}

type EndFormProps = {
  /** The action, if not the current page. */
  action?: string;
  field: string;
  value: string;
  intent: string;
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

export function TokenEnding({ ending }: { ending: string }) {
  return (
    <bdi className="code soft" dir="ltr">
      …{ending}
    </bdi>
  );
}
