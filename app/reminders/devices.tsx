import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Moment } from "#app/ui/moment.tsx";
import type { DeviceKind } from "#domain/accounts/device.ts";

export type ListedDevice = DeviceKind & {
  endpoint_hash: string;
  created_at: string;
  last_success_at: string | null;
  failing_since: string | null;
};

const STATES = ["working", "off", "on", "denied", "unsupported", "iosTab", "insecure", "failed"] as const;

/** How it stands with the browser that shows the page. Only the browser knows, so `enhance/push.ts` says it. */
export function ThisDevice({ publicKey }: { publicKey: string }) {
  const text = useText().devices;
  return (
    <section className="card card-roomy devices-here" data-push={publicKey} aria-labelledby="devices-here">
      <h2 id="devices-here">{text.here}</h2>
      <noscript>
        <p>{text.needsScript}</p>
      </noscript>
      <div className="devices-state needs-script" data-push-controls="">
        <div aria-live="polite">
          {STATES.map((state) => (
            <p key={state} data-push-state={state} hidden={state !== "working"}>
              {text.states[state]}
            </p>
          ))}
        </div>
        <button className="button button-primary" type="button" data-push-on="" hidden>
          <Icon name="bell" />
          {text.turnOn}
        </button>
        <button className="button" type="button" data-push-off="" hidden>
          {text.turnOff}
        </button>
      </div>
    </section>
  );
}

export function DeviceList({ devices }: { devices: ListedDevice[] }) {
  const text = useText().devices;
  return (
    <section className="section" aria-labelledby="devices-all">
      <div className="section-head">
        <h2 id="devices-all">{text.all}</h2>
      </div>
      {devices.length === 0 ? (
        <p className="soft">{text.none}</p>
      ) : (
        <>
          <ul className="rows">
            {devices.map((device) => (
              <DeviceRow key={device.endpoint_hash} device={device} />
            ))}
          </ul>
          <ListActions count={devices.length} />
        </>
      )}
    </section>
  );
}

function DeviceRow({ device }: { device: ListedDevice }) {
  const text = useText().devices;
  const name = text.kind(text.browsers[device.browser], text.systems[device.system]);
  const { endpoint_hash, created_at, last_success_at, failing_since } = device;
  return (
    <li className="credential-row" data-device={endpoint_hash}>
      <div className="cluster credential-name">
        <h3>{name}</h3>
        <span className="credential-mark" data-this-device="" hidden>
          {text.thisOne}
        </span>
        {failing_since && <span className="status status-failed">{text.failing}</span>}
      </div>
      <dl className="cluster credential-facts">
        <div>
          <dt>{text.code}</dt>
          <dd>
            <code dir="ltr" title={endpoint_hash}>
              {endpoint_hash.slice(0, 8)}
            </code>
          </dd>
        </div>
        <div>
          <dt>{text.added}</dt>
          <dd>
            <Moment at={created_at} />
          </dd>
        </div>
        <div>
          <dt>{text.reached}</dt>
          <dd>{last_success_at ? <Moment at={last_success_at} /> : text.neverReached}</dd>
        </div>
      </dl>
      <form method="post">
        <input type="hidden" name="endpoint_hash" value={endpoint_hash} />
        <button
          className="button button-small"
          type="submit"
          name="intent"
          value="remove"
          aria-label={text.removeOf(name)}
        >
          {text.remove}
        </button>
      </form>
    </li>
  );
}

/** What cannot be undone takes a second press. */
function ListActions({ count }: { count: number }) {
  const text = useText().devices;
  return (
    <form className="actions credential-actions" method="post">
      <button className="button button-small button-quiet" type="submit" name="intent" value="cleanup">
        {text.cleanup}
      </button>
      <details className="confirm">
        <summary className="button button-small button-quiet">{text.removeAll}</summary>
        <button className="button button-small button-wrong" type="submit" name="intent" value="remove_all">
          {text.removeAllSure(count)}
        </button>
      </details>
    </form>
  );
}

export function TryIt() {
  const text = useText().devices;
  return (
    <section className="section" aria-labelledby="devices-try">
      <div className="section-head">
        <h2 id="devices-try">{text.testTitle}</h2>
      </div>
      <p>{text.testLead}</p>
      <form className="actions credential-actions" method="post">
        <button className="button" type="submit" name="intent" value="test_worker">
          <Icon name="bell" />
          {text.testWorker}
        </button>
        <button className="button button-quiet" type="submit" name="intent" value="test_local">
          {text.testLocal}
        </button>
      </form>
      <p className="soft">{text.testWhich}</p>
    </section>
  );
}
