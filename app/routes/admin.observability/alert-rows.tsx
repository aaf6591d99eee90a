import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { type AlertMetadata, type AlertSource, isAlertRule } from "#domain/alerts/alert.ts";
import type { QuickFixId } from "#domain/alerts/quick-fixes.ts";
import { LOCAL_PROVIDER } from "#domain/code-runs/explanation.ts";
import type { Severity } from "#domain/events/severity.ts";
import type { RefusalCode } from "#domain/refusal.ts";
import { AlertDetails, LinkedText } from "./alert-details.tsx";
import { PAGE } from "./page-address.ts";

type Fix = {
  action_id: QuickFixId;
  kind: "link" | "action";
  href: string;
  uses: number;
};
type ShownAlert = {
  alert_uid: string;
  timestamp: string;
  name: string;
  severity: Severity;
  summary: string;
  source: AlertSource;
  metadata: AlertMetadata;
  status: "firing" | "resolved";
  repeats: number;
  ended_at: string | null;
  acked_at: string | null;
  muted_until: string | null;
  quick_fixes: Fix[];
};
type ShownExplanation = {
  name: string;
  root_cause: string;
  actions: string[];
  signals: string[];
  provider?: string;
  refused?: RefusalCode | null;
};

type AlertRowsProps = {
  alerts: ShownAlert[];
  now: string;
  explanation: (ShownExplanation & { alert_uid: string }) | null;
  explainAddress(alertUid: string): string;
};

export function AlertRows({ alerts, now, explanation, explainAddress }: AlertRowsProps) {
  const text = useText().observability;
  return (
    <ul className="rows">
      {alerts.map((alert) => (
        <li key={alert.alert_uid} id={`alert-${alert.alert_uid}`} className="alert-row grid gap-2 pad-3">
          <div className="cluster gap-3 rows-1">
            <SeverityWord severity={alert.severity} />
            <AlertTitle alert={alert} />
            <AlertState alert={alert} now={now} />
          </div>
          <AlertSummary alert={alert} />
          <div className="actions">
            {alert.quick_fixes.map((fix) => (
              <QuickFix key={fix.action_id} fix={fix} alertUid={alert.alert_uid} />
            ))}
            <a className="button button-small button-quiet" href={explainAddress(alert.alert_uid)}>
              {text.explain}
            </a>
            <AlertActions alert={alert} now={now} />
          </div>
          {explanation?.alert_uid === alert.alert_uid && (
            <AlertExplanation explanation={explanation} alert={alert} />
          )}
        </li>
      ))}
    </ul>
  );
}

const isMuted = ({ muted_until }: ShownAlert, now: string) =>
  muted_until !== null && Date.parse(muted_until) > Date.parse(now);

function AlertState({ alert, now }: { alert: ShownAlert; now: string }) {
  const text = useText().observability;
  return (
    <span className="soft small">
      <Moment at={alert.timestamp} /> · {text.statuses[alert.status]}
      {alert.ended_at && (
        <>
          {" "}
          <Moment at={alert.ended_at} />
        </>
      )}
      {alert.repeats > 0 && ` · ${text.repeats(alert.repeats)}`}
      {alert.acked_at && ` · ${text.acked}`}
      {isMuted(alert, now) && ` · ${text.muted}`}
    </span>
  );
}

/** While an alert lasts, an administrator can acknowledge or mute it. */
function AlertActions({ alert, now }: { alert: ShownAlert; now: string }) {
  const text = useText().observability;
  if (alert.status !== "firing") return null;
  return (
    <form className="actions" method="post" action={PAGE}>
      <input type="hidden" name="alert_uid" value={alert.alert_uid} />
      {!alert.acked_at && (
        <button className="button button-small button-quiet" type="submit" name="intent" value="ack">
          {text.ack}
        </button>
      )}
      {!isMuted(alert, now) && (
        <button className="button button-small button-quiet" type="submit" name="intent" value="mute">
          {text.mute}
        </button>
      )}
    </form>
  );
}

type AlertText = Pick<ShownAlert, "name" | "summary" | "source" | "metadata">;

/** Our own alerts are described in the reader's language from their values; others are shown as received. */
function useWording({ name, source }: AlertText) {
  const { alertWords } = useText().observability;
  return source === "internal" && isAlertRule(name) ? alertWords[name] : null;
}

function AlertTitle({ alert }: { alert: AlertText }) {
  const wording = useWording(alert);
  if (!wording)
    return (
      <h3>
        <bdi dir="auto">{alert.name}</bdi>
      </h3>
    );
  return <h3>{wording.title}</h3>;
}

function AlertSummary({ alert }: { alert: AlertText }) {
  const wording = useWording(alert);
  const { description } = alert.metadata;
  return (
    <>
      <p>{wording ? wording.says(alert.metadata) : <bdi dir="auto">{alert.summary}</bdi>}</p>
      {!wording && typeof description === "string" && (
        <p className="soft">
          <bdi dir="auto">{description}</bdi>
        </p>
      )}
    </>
  );
}

function QuickFix({ fix, alertUid }: { fix: Fix; alertUid: string }) {
  const text = useText().observability;
  const label = text.uses(text.quickFixes[fix.action_id], fix.uses);
  if (fix.kind === "link")
    return (
      <a className="button button-small" href={fix.href}>
        {label}
      </a>
    );
  return (
    <form method="post">
      <input type="hidden" name="alert_uid" value={alertUid} />
      <button className="button button-small" type="submit" name="action_id" value={fix.action_id}>
        {label}
      </button>
    </form>
  );
}

/** The explanation of an alert by our rules or by a model. Below an alert it leaves out what that already shows. */
export function AlertExplanation({
  explanation,
  alert,
}: {
  explanation: ShownExplanation;
  alert?: ShownAlert;
}) {
  const { observability: text, explain, refusals } = useText();
  const { name, provider = LOCAL_PROVIDER, refused } = explanation;
  const title = isAlertRule(name) ? text.alertWords[name].title : name;
  return (
    <div className="grid gap-2 pad-3 round sunk">
      {refused && <Alert caution>{refusals[refused]}</Alert>}
      {!alert && <h4 className="flush">{title}</h4>}
      <p dir="auto">{explanation.root_cause}</p>
      <h4 className="flush">{text.actions}</h4>
      <ul className="discs indent-4 breaks grid gap-1">
        {explanation.actions.map((action) => (
          <li key={action} dir="auto">
            <LinkedText words={action} />
          </li>
        ))}
      </ul>
      {provider === LOCAL_PROVIDER && alert && <AlertDetails {...alert} />}
      {provider !== LOCAL_PROVIDER && explanation.signals.length > 0 && (
        <>
          <h4 className="flush">{text.signals}</h4>
          <ul className="discs indent-4 breaks grid gap-1">
            {explanation.signals.map((signal) => (
              <li key={signal} dir="auto">
                {signal}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="soft">{provider === LOCAL_PROVIDER ? explain.byRules : explain.byModel(provider)}</p>
    </div>
  );
}

export function SeverityWord({ severity }: { severity: Severity }) {
  const text = useText().observability;
  return (
    <span className={`severity small strong pad-inline-2 round sunk severity-${severity}`}>
      {text.severities[severity]}
    </span>
  );
}
