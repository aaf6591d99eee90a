import type { SerializeFrom } from "@remix-run/node";
import { useText } from "#app/i18n/text.ts";
import { DateText } from "#app/web/ui/moment.tsx";
import type { PersonRecord } from "#db/accounts/people.server.ts";
import { ROLES, type Role } from "#domain/accounts/role.ts";

type Person = SerializeFrom<Omit<PersonRecord, "identity_keys">> & {
  /** The role that the environment assigns. */
  appointed: Role | null;
  isYou: boolean;
};

export function PersonRow({ person }: { person: Person }) {
  const { people: text, roles } = useText();
  return (
    <li className="cluster person-row gap-6 rows-2 pad-4 pad-block-3">
      <div className="breaks shrinks grow-16">
        <h3>
          <bdi>{person.name}</bdi>
          {person.isYou && <span className="soft"> {text.you}</span>}
          {person.locked_at && <span className="status status-failed">{text.locked}</span>}
        </h3>
        <p className="soft cluster small gap-4 rows-0">
          <span>
            {text.byId} <bdi dir="ltr">{person.id}</bdi>
          </span>
          {person.username && <bdi dir="ltr">@{person.username}</bdi>}
          <span>
            {text.lastSeen} <DateText at={person.last_seen_at} />
          </span>
          <span>{text.sessions(person.sessions)}</span>
        </p>
      </div>
      {person.appointed || person.isYou ? (
        <p>
          {roles[person.appointed ?? person.role]}
          {person.appointed && <span className="soft tiny block">{text.appointed}</span>}
        </p>
      ) : (
        <RoleForm person={person} />
      )}
      {!person.isYou && <AccessForm person={person} />}
    </li>
  );
}

/** Locking an account takes a second press, beside a sentence that says what it does. An administrator from the configuration cannot be locked. */
function AccessForm({ person }: { person: Person }) {
  const text = useText().people;
  return (
    <form className="actions" method="post">
      <input type="hidden" name="user_id" value={person.id} />
      <ConfirmedAction
        person={person}
        intent="revoke"
        verb={text.revoke}
        sure={text.revoke}
        hint={text.revokeHint}
      />
      {person.locked_at ? (
        <button
          className="button button-small"
          type="submit"
          name="intent"
          value="unlock"
          aria-label={text.actionLabel(text.unlock, person.name)}
        >
          {text.unlock}
        </button>
      ) : (
        person.appointed !== "admin" && (
          <ConfirmedAction
            person={person}
            intent="lock"
            verb={text.lock}
            sure={text.lockSure}
            hint={text.lockHint}
          />
        )
      )}
    </form>
  );
}

type ConfirmedActionProps = { person: Person; intent: string; verb: string; sure: string; hint: string };

function ConfirmedAction({ person, intent, verb, sure, hint }: ConfirmedActionProps) {
  const text = useText().people;
  return (
    <details className="menu">
      <summary className="button button-small" aria-label={text.actionLabel(verb, person.name)}>
        {verb}
      </summary>
      <div className="surface menu-sheet">
        <p>{hint}</p>
        <button className="button button-wrong" type="submit" name="intent" value={intent}>
          {sure}
        </button>
      </div>
    </details>
  );
}

function RoleForm({ person }: { person: Person }) {
  const { people: text, roles } = useText();
  return (
    <form className="actions" method="post">
      <input type="hidden" name="user_id" value={person.id} />
      <select
        className="input input-small auto-wide"
        name="role"
        defaultValue={person.role}
        aria-label={text.roleLabel(person.name)}
      >
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {roles[role]}
          </option>
        ))}
      </select>
      <button className="button button-small" type="submit" name="intent" value="role">
        {text.setRole}
      </button>
    </form>
  );
}
