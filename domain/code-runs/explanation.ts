import { Refusal } from "#domain/refusal.ts";
import { codePoints, utf8Bytes } from "#domain/text/text.ts";

/** What is said about code or about something that went wrong, whoever says it. */
export type Explanation = {
  root_cause: string;
  actions: string[];
  signals: string[];
  /** `local` for the rules of this server, else the model that was asked. */
  provider: string;
  /** Whether the same was asked before, and this is the answer of that time. */
  cached: boolean;
  generated_at: string;
};

export const LOCAL_PROVIDER = "local";
export const EXPLAIN_MAX_BYTES = 100 * 1024;
export const QUESTION_MAX = 1_000;

export type ExplainRequest = { text: string; language: string | null; question: string | null };

/** What may be explained: some text, not too much of it, as `code` or as `context`. */
export function checkExplain(given: {
  code?: string;
  context?: string;
  language?: string;
  question?: string;
}): ExplainRequest | Refusal {
  const text = [given.code, given.context].find((one) => one !== undefined && one.trim() !== "");
  if (text === undefined) return Refusal("missing_context");
  if (utf8Bytes(text) > EXPLAIN_MAX_BYTES) return Refusal("payload_too_large", { max: EXPLAIN_MAX_BYTES });
  const question = given.question?.trim() || null;
  if (codePoints(question ?? "") > QUESTION_MAX)
    return Refusal("invalid_payload", {
      field: "question",
      message: `Ask in at most ${QUESTION_MAX} characters.`,
    });
  return { text, language: given.language?.trim() || null, question };
}
