import type { SerializeFrom } from "@remix-run/node";
import { useText } from "#app/i18n/text.ts";
import { CopyField } from "#app/web/ui/copy-field.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { DateText } from "#app/web/ui/moment.tsx";
import type { Invitation } from "#db/accounts/invitations.server.ts";
import { INVITATION_DAYS } from "#domain/accounts/invitation.ts";

type InvitationsProps = { invitations: SerializeFrom<Invitation[]>; invited: string | undefined };

export function Invitations({ invitations, invited }: InvitationsProps) {
  const text = useText().people.invitations;
  return (
    <section className="stack invitations below-6" aria-labelledby="invitations">
      <div className="cluster spread">
        <h2 id="invitations">{text.title}</h2>
        <form method="post">
          <button className="button button-small" type="submit" name="intent" value="invite">
            <Icon name="plus" />
            {text.create}
          </button>
        </form>
      </div>
      <p className="soft">{text.lead(INVITATION_DAYS)}</p>
      {invited && (
        <div className="card stack" role="status">
          <p>{text.once}</p>
          <CopyField value={invited} named={text.link} />
        </div>
      )}
      {invitations.length > 0 && (
        <ul className="rows">
          {invitations.map(({ id, expires_at }) => (
            <li className="cluster spread person-row gap-6 rows-2 pad-4 pad-block-3" key={id}>
              <span>
                {text.until} <DateText at={expires_at} />
              </span>
              <form method="post">
                <input type="hidden" name="id" value={id} />
                <button className="button button-small" type="submit" name="intent" value="uninvite">
                  {text.remove}
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
