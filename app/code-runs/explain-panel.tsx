import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Field } from "#app/web/ui/field.tsx";
import { EXPLAIN_MAX_BYTES, type Explanation, LOCAL_PROVIDER } from "#domain/code-runs/explanation.ts";
import type { RefusalBody } from "#domain/refusal.ts";
import { toFields } from "#domain/typed-keys.ts";

export type Explained = {
  explanation?: Explanation;
  refusal?: RefusalBody;
  typed: { intent: "explain"; question: string };
};

export function isExplained(actionData: object | undefined): actionData is Explained {
  return toFields(toFields(actionData).typed).intent === "explain";
}

type FormProps = { action: string; provider: string; explained: Explained | undefined };

export function ExplainPanel({ action, provider, explained }: FormProps) {
  const text = useText().explain;
  return (
    <details
      className="explain screen-only"
      name="file-panel"
      open={explained !== undefined}
      id="explanation"
    >
      <summary>{text.open}</summary>
      <form className="stack around-3" method="post" action={`${action}#explanation`}>
        <Field
          name="question"
          label={text.question}
          hint={text.questionHint}
          value={explained?.typed.question ?? ""}
        />
        <div className="actions">
          <button className="button" type="submit" name="intent" value="explain">
            {text.ask}
          </button>
          <span className="soft small">
            {provider === LOCAL_PROVIDER ? text.staysHere : text.goesOut(provider)}
          </span>
        </div>
      </form>
      {explained?.refusal && <ExplainRefusal refusal={explained.refusal} />}
      {explained?.explanation && <ExplanationView explanation={explained.explanation} />}
    </details>
  );
}

function ExplainRefusal({ refusal: { code } }: { refusal: RefusalBody }) {
  const { explain, refusals } = useText();
  return (
    <Alert>
      {code === "payload_too_large" ? explain.tooLarge(EXPLAIN_MAX_BYTES / 1024) : refusals[code]}
    </Alert>
  );
}

function ExplanationView({ explanation }: { explanation: Explanation }) {
  const text = useText().explain;
  const { root_cause, actions, signals, provider } = explanation;
  // The rules use the language of the page, even if a sentence begins with a name in another script.
  const dir = provider === LOCAL_PROVIDER ? undefined : "auto";
  return (
    <section className="card breaks" aria-label={text.title}>
      <p dir={dir} className="keeps-breaks">
        {root_cause}
      </p>
      <ExplanationLines title={text.actions} lines={actions} dir={dir} />
      <ExplanationLines title={text.signals} lines={signals} dir={dir} />
      <ExplainedBy provider={provider} />
    </section>
  );
}

/** Names who explained. Without a model, administrators read how to set one up. */
function ExplainedBy({ provider }: { provider: string }) {
  const text = useText().explain;
  const { person } = usePage();
  if (provider !== LOCAL_PROVIDER) return <p className="soft">{text.byModel(provider)}</p>;
  const sentences = [text.byRules, text.noModel, ...(person?.role === "admin" ? [text.setModel] : [])];
  return <p className="soft">{sentences.join(" ")}</p>;
}

type LinesProps = { title: string; lines: readonly string[]; dir: "auto" | undefined };

function ExplanationLines({ title, lines, dir }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <>
      <h2 className="plain-size">{title}</h2>
      <ul className="discs grid gap-2">
        {lines.map((line) => (
          <li key={line} dir={dir}>
            {line}
          </li>
        ))}
      </ul>
    </>
  );
}
