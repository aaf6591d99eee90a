import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { explain } from "#app/i18n/en/explain.ts";
import { type CodeReading, readCode } from "#domain/code-runs/code-reading.ts";
import type { ExplainRequest } from "#domain/code-runs/explanation.ts";
import { type Failure, readFailure } from "#domain/code-runs/failure-reading.ts";
import { languageLabel } from "#domain/files/language.ts";
import type { Locale } from "#domain/locale.ts";
import { redact } from "#platform/secrets/redact.ts";

export type ExplanationText = { root_cause: string; actions: string[]; signals: string[] };
type ExplainText = typeof explain;

type ExplanationToPrepare = { request: ExplainRequest; locale: Locale; byRules: boolean };
/** The request without its secrets, and what the rules say about it where they are needed. */
export type PreparedExplanation = { safe: ExplainRequest; said: ExplanationText | null };

/** Reads a text, on a thread: secrets are taken out before anything else looks at it. */
export function prepareExplanation({ request, locale, byRules }: ExplanationToPrepare): PreparedExplanation {
  const safe = redact(request);
  return { safe, said: byRules ? explainLocally(safe, getDictionary(locale).explain) : null };
}

/** What the rules see in a text that has no secrets in it any more, in the person's own language. */
function explainLocally({ text, language, question }: ExplainRequest, words: ExplainText): ExplanationText {
  const failure = readFailure(text);
  const reading = readCode(text, language);
  const inOrder = reading.smells.toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
  const advice = inOrder.map(({ kind, lines }) => words.atLines(lines, words.smells[kind]));
  const said = failure ? ofFailure(failure, words) : ofCode(reading, words);
  const actions = [...said.actions, ...advice];
  const unanswered = question === null ? [] : [words.unanswered];
  return {
    root_cause: [...unanswered, said.root_cause].join(" "),
    actions,
    signals: said.signals,
  };
}

function ofFailure({ kind, type, message, subject, place }: Failure, words: ExplainText): ExplanationText {
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

function ofCode(
  { language, lines, imports, functions, classes, calls }: CodeReading,
  words: ExplainText,
): ExplanationText {
  const { facts, fact } = words;
  const defined = [...classes, ...functions];
  const lists = { imports, functions, classes, calls };
  const named = (["imports", "functions", "classes", "calls"] as const).filter(
    (name) => lists[name].length > 0,
  );
  return {
    root_cause: [
      words.summary(languageLabel(language), lines),
      ...(defined.length > 0 ? [words.defines(defined)] : []),
      ...(imports.length > 0 ? [words.uses(imports)] : []),
      ...(calls.length > 0 ? [words.calls(calls)] : []),
    ].join(" "),
    actions: [],
    signals: [
      fact(facts.language, languageLabel(language)),
      fact(facts.lines, String(lines)),
      ...named.map((name) => fact(facts[name], lists[name].join(", "))),
    ],
  };
}
