import type { SerializeFrom } from "@remix-run/node";
import { useText } from "#app/i18n/text.ts";
import { Moment } from "#app/ui/moment.tsx";
import { Section } from "#app/ui/section.tsx";
import type { SecurityEntry } from "#domain/accounts/security-event.ts";

type SecurityEventsProps = { events: SerializeFrom<SecurityEntry[]>; isLocal: boolean };

export function SecurityEvents({ events, isLocal }: SecurityEventsProps) {
  const { signIn, devices, credentials } = useText();
  const text = signIn.security;
  if (events.length === 0) return null;
  const describe = (event: SerializeFrom<SecurityEntry>) => {
    if (event.what === "credential_ended") return credentials.ended[event.credential];
    const entry = text.events[event.what];
    if (!("method" in event)) return entry;
    const method = isLocal && event.method === "messenger" ? signIn.local : signIn.kinds[event.method];
    return `${entry}: ${method}`;
  };
  return (
    <Section id="security-events" title={text.title}>
      <ul className="rows">
        {events.map((event) => (
          <li className="flex wraps spread gap-4 rows-1 pad-4 pad-block-3" key={`${event.at} ${event.what}`}>
            <p>{describe(event)}</p>
            <p className="soft cluster">
              <Moment at={event.at} />
              {event.device && (
                <span>
                  {devices.kind(devices.browsers[event.device.browser], devices.systems[event.device.system])}
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
