import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { explain } from "#app/i18n/en/explain.ts";
import { analyseCode, type CodeReading } from "#domain/code-runs/code-reading.ts";
import type { ExplainRequest } from "#domain/code-runs/explanation.ts";
import { type Failure, parseFailure } from "#domain/code-runs/failure-reading.ts";
import { languageLabel } from "#domain/files/language.ts";
import type { Locale } from "#domain/locale.ts";
import { redact } from "#platform/secrets/redact.ts";

export type ExplanationText = { root_cause: string; actions: string[]; signals: string[] };
type ExplainText = typeof explain;

type ExplanationToPrepare = { request: ExplainRequest; locale: Locale; byRules: boolean };
/** The request without its secrets, and the rules' explanation if it was requested. */
export type PreparedExplanation = { safe: ExplainRequest; explanation: ExplanationText | null };

/** Removes the secrets, on a thread, before anything else reads the text. */
export function prepareExplanation({ request, locale, byRules }: ExplanationToPrepare): PreparedExplanation {
  const safe = redact(request);
  return { safe, explanation: byRules ? explainLocally(safe, getDictionary(locale).explain) : null };
}

function explainLocally({ text, language, question }: ExplainRequest, words: ExplainText): ExplanationText {
  const failure = parseFailure(text);
  const reading = analyseCode(text, language);
  const inOrder = reading.smells.toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
  const advice = inOrder.map(({ kind, lines }) => words.atLines(lines, words.smells[kind]));
  const explanation = failure ? explainFailure(failure, words) : explainCode(reading, words);
  const actions = [...explanation.actions, ...advice];
  const unanswered = question === null ? [] : [words.unanswered];
  return {
    root_cause: [...unanswered, explanation.root_cause].join(" "),
    actions,
    signals: explanation.signals,
  };
}

function explainFailure(
  { kind, type, message, subject, place }: Failure,
  words: ExplainText,
): ExplanationText {
  const { facts, fact } = words;
  const where = place && words.at(place.file, place.line);
  return {
    root_cause: words.failures[kind](subject),
    actions: [words.remedies[kind](subject)],
    signals: [
      fact(facts.error, message ? `${type}: ${message}` : type),
      ...(where ? [fact(facts.place, where)] : []),
    ],
  };
}

function explainCode(
  { language, lines, imports, functions, classes, calls }: CodeReading,
  words: ExplainText,
): ExplanationText {
  const { facts, fact } = words;
  const definitions = [...classes, ...functions];
  const lists = { imports, functions, classes, calls };
  const nonEmptyLists = (["imports", "functions", "classes", "calls"] as const).filter(
    (name) => lists[name].length > 0,
  );
  return {
    root_cause: [
      words.summary(languageLabel(language), lines),
      ...(definitions.length > 0 ? [words.defines(definitions)] : []),
      ...(imports.length > 0 ? [words.uses(imports)] : []),
      ...(calls.length > 0 ? [words.calls(calls)] : []),
    ].join(" "),
    actions: [],
    signals: [
      fact(facts.language, languageLabel(language)),
      fact(facts.lines, String(lines)),
      ...nonEmptyLists.map((name) => fact(facts[name], lists[name].join(", "))),
    ],
  };
}
