import type { ReactNode } from "react";
import { CredentialRow, EndForm, TokenEnding } from "#app/accounts/credential-row.tsx";
import type { WireCredentials } from "#app/accounts/credential-wire.server.ts";
import { useText } from "#app/i18n/text.ts";
import type { Fact } from "#app/web/ui/facts.tsx";
import { FileName } from "#app/web/ui/file-name.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { DateText, Moment } from "#app/web/ui/moment.tsx";
import { Section } from "#app/web/ui/section.tsx";
import type { CredentialKind } from "#domain/accounts/credential.ts";

const SESSIONS = "/settings/sessions";

type Credential = { key: string; created_at: string; last_used_at: string | null; expires_at: string | null };
type Row = Credential & { name: string; shown?: ReactNode; more?: ReactNode; isHere?: boolean };

const MANAGED_AT: Partial<Record<CredentialKind, string>> = {
  token: "/settings/tokens",
  feed: "/settings/feeds",
  device: "/settings/devices",
  share_password: "/shares",
};

/** Everything that gives access to the account, by kind. Empty kinds are left out. */
export function CredentialGroups({ credentials }: { credentials: WireCredentials }) {
  const { credentials: text, devices, settings, tokens } = useText();
  const describeClient = ({
    browser,
    system,
  }: WireCredentials["sessions"][number] | WireCredentials["devices"][number]) =>
    devices.kind(devices.browsers[browser], devices.systems[system]);
  const rows: [kind: CredentialKind, rows: Row[]][] = [
    [
      "session",
      credentials.sessions.map((session) => ({
        ...session,
        name: describeClient(session),
        isHere: session.is_here,
        more: session.is_here && (
          <span className="word-mark accent-ground small pad-inline-2 round">{settings.here}</span>
        ),
      })),
    ],
    [
      "token",
      credentials.tokens.map((token) => ({
        ...token,
        shown: <bdi>{token.name}</bdi>,
        more: (
          <>
            <TokenEnding ending={token.ending} />
            <span className="word-mark accent-ground small pad-inline-2 round">
              {tokens.scopes[token.scope]}
            </span>
          </>
        ),
      })),
    ],
    ["feed", credentials.feeds.map((feed) => ({ ...feed, name: text.feed }))],
    ["device", credentials.devices.map((device) => ({ ...device, name: describeClient(device) }))],
    [
      "share_password",
      credentials.share_passwords.map((share) => ({
        ...share,
        name: share.file_name,
        shown: <FileName name={share.file_name} />,
      })),
    ],
  ];
  return rows.map(([kind, rows]) => rows.length > 0 && <Group key={kind} kind={kind} rows={rows} />);
}

function Group({ kind, rows }: { kind: CredentialKind; rows: Row[] }) {
  const text = useText().credentials;
  const managedAt = MANAGED_AT[kind];
  const aside = managedAt && (
    <a href={managedAt} aria-label={text.manageLabel(text.groups[kind])}>
      {text.manage}
    </a>
  );
  return (
    <Section id={`credentials-${kind}`} title={text.groups[kind]} aside={aside}>
      {text.hints[kind] && <p className="soft reading-wide below-4">{text.hints[kind]}</p>}
      <ul className="rows">
        {rows.map((row) => (
          <ListedCredential key={row.key} kind={kind} row={row} />
        ))}
      </ul>
      {kind === "session" && <EndOthers count={rows.length - 1} />}
    </Section>
  );
}

function EndOthers({ count }: { count: number }) {
  const text = useText().settings;
  if (count === 0) return <p className="soft around-3">{text.onlyHere}</p>;
  return (
    <form className="actions around-3" method="post" action={SESSIONS}>
      <button className="button" type="submit" name="intent" value="end_others">
        <Icon name="leave" />
        {text.endOthers}
      </button>
    </form>
  );
}

function ListedCredential({ kind, row }: { kind: CredentialKind; row: Row }) {
  const text = useText().credentials;
  const verb = text.ends[kind];
  const facts: Fact[] = [[text.created, <DateText key="created" at={row.created_at} />]];
  // The mark of the current session says that already.
  if (!row.isHere)
    facts.push([text.lastUse, row.last_used_at ? <Moment key="used" at={row.last_used_at} /> : text.never]);
  if (row.expires_at) facts.push([text.expires, <DateText key="expires" at={row.expires_at} />]);
  return (
    <CredentialRow name={row.shown ?? row.name} marks={row.more} facts={facts}>
      {row.isHere ? (
        <LogOutHere />
      ) : (
        <EndForm
          action={SESSIONS}
          field="key"
          value={row.key}
          intent="end"
          label={text.endLabel(verb, row.name)}
        >
          {verb}
        </EndForm>
      )}
    </CredentialRow>
  );
}

/** Ends the current session like the menu does, which also clears what this browser stores. */
function LogOutHere() {
  const { credentials: text, offline, settings } = useText();
  return (
    <form method="post" action="/logout" data-leaving={offline.leaving}>
      <button
        className="button button-small"
        type="submit"
        aria-label={text.endLabel(text.ends.session, settings.here)}
      >
        {text.ends.session}
      </button>
    </form>
  );
}

/** Ending everything cannot be undone, so it takes a second press. */
export function EndAll() {
  const { credentials: text, offline } = useText();
  return (
    <Section id="credentials-all" title={text.all}>
      <p className="soft reading-wide below-4">{text.allLead}</p>
      <form className="actions around-3" method="post" action={SESSIONS} data-leaving={offline.leaving}>
        <details className="confirm">
          <summary className="button">{text.all}</summary>
          <button className="button button-wrong" type="submit" name="intent" value="end_all">
            {text.allSure}
          </button>
        </details>
      </form>
    </Section>
  );
}
