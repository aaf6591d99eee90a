import { CredentialRow, EndForm } from "#app/accounts/credential-row.tsx";
import { useText } from "#app/i18n/text.ts";
import type { Fact } from "#app/web/ui/facts.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { Section } from "#app/web/ui/section.tsx";
import type { DeviceKind } from "#domain/accounts/device.ts";

type ListedDevice = DeviceKind & {
  endpoint_hash: string;
  created_at: string;
  last_success_at: string | null;
  failing_since: string | null;
};

const STATES = ["working", "off", "on", "denied", "unsupported", "iosTab", "insecure", "failed"] as const;

/** The state of notifications in this browser. Only the browser knows it, so `enhance/push.ts` shows it. */
export function ThisDevice({ publicKey }: { publicKey: string }) {
  const text = useText().devices;
  return (
    <section
      className="card card-roomy reading-wide above-4 below-6"
      data-push={publicKey}
      aria-labelledby="devices-here"
    >
      <h2 id="devices-here">{text.here}</h2>
      <noscript>
        <p>{text.needsScript}</p>
      </noscript>
      <div className="packed stack items-start needs-script" data-push-controls="">
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
    <Section id="devices-all" title={text.all}>
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
    </Section>
  );
}

function DeviceRow({ device }: { device: ListedDevice }) {
  const text = useText().devices;
  const name = text.kind(text.browsers[device.browser], text.systems[device.system]);
  const { endpoint_hash, created_at, last_success_at, failing_since } = device;
  const marks = (
    <>
      <span className="word-mark accent-ground small pad-inline-2 round" data-this-device="" hidden>
        {text.thisOne}
      </span>
      {failing_since && <span className="status status-failed">{text.failing}</span>}
    </>
  );
  const code = (
    <code dir="ltr" title={endpoint_hash}>
      {endpoint_hash.slice(0, 8)}
    </code>
  );
  const facts: Fact[] = [
    [text.code, code],
    [text.added, <Moment key="added" at={created_at} />],
    [text.reached, last_success_at ? <Moment key="reached" at={last_success_at} /> : text.neverReached],
  ];
  return (
    <CredentialRow name={name} marks={marks} facts={facts} device={endpoint_hash}>
      <EndForm field="endpoint_hash" value={endpoint_hash} intent="remove" label={text.removeLabel(name)}>
        {text.remove}
      </EndForm>
    </CredentialRow>
  );
}

/** Removing all devices cannot be undone, so it takes a second press. */
function ListActions({ count }: { count: number }) {
  const text = useText().devices;
  return (
    <form className="actions around-3" method="post">
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

export function TestPushForm() {
  const text = useText().devices;
  return (
    <Section id="devices-try" title={text.testTitle}>
      <p>{text.testLead}</p>
      <form className="actions around-3" method="post">
        <button className="button" type="submit" name="intent" value="test_worker">
          <Icon name="bell" />
          {text.testWorker}
        </button>
        <button className="button button-quiet" type="submit" name="intent" value="test_local">
          {text.testLocal}
        </button>
      </form>
      <p className="soft">{text.testWhich}</p>
    </Section>
  );
}
