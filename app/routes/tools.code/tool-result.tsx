import { CodeText, RunResultView } from "#app/code-runs/run-result.tsx";
import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import type { RefusalBody } from "#domain/refusal.ts";
import type { ToolResult } from "./form.server.ts";

type ResultProps = { result: ToolResult | undefined; refusal: RefusalBody | undefined; language: string };

export function ToolResultView({ result, refusal, language }: ResultProps) {
  const text = useText().tools;
  return (
    <section
      className="card tool-result packed shrinks"
      id="result"
      aria-label={text.result}
      aria-live="polite"
      data-tool-result
    >
      {refusal && <ToolRefusal refusal={refusal} />}
      {result?.did === "run" && <RunResultView run={result.run} />}
      {result?.did === "check" && <Issues {...result} />}
      {result?.did === "format" && <FormatResult formatted={result.formatted} language={language} />}
      {!refusal && (!result || result.did === "take") && <p className="soft">{text.nothingYet}</p>}
    </section>
  );
}

function ToolRefusal({ refusal }: { refusal: RefusalBody }) {
  const { tools, refusals } = useText();
  const { code, max, line, column, message } = refusal;
  if (code === "payload_too_large") return <Alert>{tools.tooLarge(Number(max))}</Alert>;
  if (code !== "syntax_error") return <Alert>{refusals[code]}</Alert>;
  return (
    <Alert>
      {refusals.syntax_error} {tools.place(Number(line), Number(column))} <bdi dir="ltr">{message}</bdi>
    </Alert>
  );
}

function Issues({ count, issues }: Extract<ToolResult, { did: "check" }>) {
  const text = useText().tools;
  if (count === 0) return <p className="status status-completed">{text.noIssues}</p>;
  return (
    <>
      <h2 className="plain-size">{text.issues(count)}</h2>
      <ul className="tool-issues small grid gap-2">
        {issues.map((issue) => (
          <li
            className="flex wraps gap-3 rows-0 edge-below"
            key={`${issue.line}:${issue.column}:${issue.code}:${issue.message}`}
          >
            <span className={issue.severity === "error" ? "status status-failed" : "status"}>
              {text.severities[issue.severity]}
            </span>
            <span>{text.place(issue.line, issue.column)}</span>
            <code dir="ltr">{issue.code}</code>
            <bdi dir="ltr">{issue.message}</bdi>
          </li>
        ))}
      </ul>
      {count > issues.length && <p className="soft">{text.firstIssues(issues.length)}</p>}
    </>
  );
}

type FormatOutcome = Extract<ToolResult, { did: "format" }>["formatted"];

function FormatResult({ formatted, language }: { formatted: FormatOutcome; language: string }) {
  const text = useText().tools;
  if (!formatted.has_changes)
    return <p className="status status-completed">{text.inOrder(formatted.tool)}</p>;
  return (
    <>
      <form
        className="cluster gap-3"
        method="post"
        action="/tools/code#text"
        encType="multipart/form-data"
        data-tool-take
      >
        <p className="soft">{text.formatted(formatted.tool)}</p>
        <input type="hidden" name="text" value={formatted.formatted_code} />
        <input type="hidden" name="language" value={language} />
        <button className="button" type="submit" name="intent" value="take">
          <Icon name="check" />
          {text.take}
        </button>
      </form>
      <h2 className="plain-size">{text.changes}</h2>
      <CodeText name={text.changes} text={formatted.diff} />
    </>
  );
}
