import type { SerializeFrom } from "@remix-run/node";
import { useText } from "#app/i18n/text.ts";
import { DateText } from "#app/web/ui/moment.tsx";
import type { JoinRequest } from "#db/accounts/join-requests.server.ts";

export function JoinRequests({ requests }: { requests: SerializeFrom<JoinRequest[]> }) {
  const { people, signIn } = useText();
  const text = people.joinRequests;
  if (requests.length === 0) return null;
  return (
    <section className="stack invitations below-6" aria-labelledby="join-requests">
      <h2 id="join-requests">{text.title}</h2>
      <ul className="rows">
        {requests.map(({ id, kind, name, label, created_at }) => (
          <li className="cluster spread person-row gap-6 rows-2 pad-4 pad-block-3" key={id}>
            <div className="breaks shrinks grow-16">
              <h3>
                <bdi>{name || label}</bdi>
              </h3>
              <p className="soft cluster small gap-4 rows-0">
                <span>{signIn.kinds[kind]}</span>
                {label && label !== name && <bdi>{label}</bdi>}
                <DateText at={created_at} />
              </p>
            </div>
            <form className="actions" method="post">
              <input type="hidden" name="id" value={id} />
              {(["approve", "decline"] as const).map((intent) => (
                <button
                  className="button button-small"
                  type="submit"
                  name="intent"
                  value={intent}
                  key={intent}
                  aria-label={people.actionLabel(text[intent], name || label)}
                >
                  {text[intent]}
                </button>
              ))}
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}
