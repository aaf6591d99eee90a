import { Moment } from "#app/components/moment.tsx";
import { useText } from "#app/i18n/text.ts";
import type { DeviceKind } from "#domain/device.ts";

type Session = { key: string; device: DeviceKind; created_at: string; used_at: string; is_here: boolean };

export function SessionRows({ sessions }: { sessions: Session[] }) {
  return (
    <ul className="device-rows">
      {sessions.map((session) => (
        <SessionRow key={session.key} session={session} />
      ))}
    </ul>
  );
}

function SessionRow({ session: { key, device, created_at, used_at, is_here } }: { session: Session }) {
  const { settings: text, devices } = useText();
  const name = devices.kind(devices.browsers[device.browser], devices.systems[device.system]);
  return (
    <li className="device-row">
      <div className="device-name">
        <h2>{name}</h2>
        {is_here && <span className="device-this">{text.here}</span>}
      </div>
      <dl className="device-facts">
        <div>
          <dt>{text.since}</dt>
          <dd>
            <Moment at={created_at} />
          </dd>
        </div>
        <div>
          <dt>{text.lastUse}</dt>
          <dd>
            <Moment at={used_at} />
          </dd>
        </div>
      </dl>
      {!is_here && (
        <form method="post">
          <input type="hidden" name="key" value={key} />
          <button
            className="button button-small"
            type="submit"
            name="intent"
            value="end"
            aria-label={text.endOf(name)}
          >
            {text.end}
          </button>
        </form>
      )}
    </li>
  );
}
