import { isKnownAlert, type KnownAlert } from "#domain/alerts/alert.ts";
import type { ExplainRequest } from "#domain/code-runs/explanation.ts";
import type { Severity } from "#domain/events/severity.ts";

/** An alert that the built-in rules explain without asking a model. */
export type ExplainedAlert = {
  name: string;
  severity?: Severity;
  summary?: string;
  metadata?: Record<string, unknown>;
};
type AlertExplanation = { root_cause: string; actions: string[]; signals: string[] };

/** The text of a rule in the reader's language. */
export type AlertReading = { causes: string; actions: string[] };
type AlertWords = {
  readings: Record<KnownAlert | "unknown", AlertReading>;
  severityIs(severity: Severity): string;
};

const SIGNALS_MAX = 12;
const WORD_MAX = 200;

export function explainAlert(
  { name, severity, summary, metadata = {} }: ExplainedAlert,
  { readings, severityIs }: AlertWords,
): AlertExplanation {
  const reading = readings[isKnownAlert(name) ? name : "unknown"];
  const summaries = summary ? [summary.slice(0, WORD_MAX)] : [];
  const facts = Object.entries(metadata)
    .filter(([, value]) => value !== null && value !== "" && typeof value !== "object")
    .map(([key, value]) => `${key}: ${String(value).slice(0, WORD_MAX)}`);
  return {
    root_cause: reading.causes,
    actions: reading.actions,
    signals: [...(severity ? [severityIs(severity)] : []), ...summaries, ...facts].slice(0, SIGNALS_MAX),
  };
}

/** Returns the question to a model, with the answer of the built-in rules. */
export function alertQuestion(alert: ExplainedAlert, words: AlertWords): ExplainRequest {
  const { root_cause, actions, signals } = explainAlert(alert, words);
  const ruleLines = isKnownAlert(alert.name)
    ? ["What is known of this kind of alert:", root_cause, ...actions]
    : [];
  return {
    text: [`Alert: ${alert.name}`, ...signals, ...ruleLines].join("\n"),
    language: null,
    question: "What does this alert of a web application mean, and what should its operator do now?",
  };
}
