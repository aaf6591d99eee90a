import { Refusal } from "#domain/refusal.ts";
import { codePoints, utf8Bytes } from "#domain/text/text.ts";

/** An explanation of code or of a failure, by our own rules or by a model. */
export type Explanation = {
  root_cause: string;
  actions: string[];
  signals: string[];
  /** `local` for the rules of this server, otherwise the model's name. */
  provider: string;
  /** True if this is the stored answer to an earlier equal question. */
  cached: boolean;
  generated_at: string;
};

export const LOCAL_PROVIDER = "local";
export const EXPLAIN_MAX_BYTES = 100 * 1024;
export const QUESTION_MAX = 1_000;

export type ExplainRequest = { text: string; language: string | null; question: string | null };

/** Takes the text from `code` or `context`. */
export function checkExplainRequest(request: {
  code?: string;
  context?: string;
  language?: string;
  question?: string;
}): ExplainRequest | Refusal {
  const text = [request.code, request.context].find((text) => text !== undefined && text.trim() !== "");
  if (text === undefined) return Refusal("missing_context");
  if (utf8Bytes(text) > EXPLAIN_MAX_BYTES) return Refusal("payload_too_large", { max: EXPLAIN_MAX_BYTES });
  const question = request.question?.trim() || null;
  if (codePoints(question ?? "") > QUESTION_MAX)
    return Refusal("invalid_payload", {
      field: "question",
      message: `Ask in at most ${QUESTION_MAX} characters.`,
    });
  return { text, language: request.language?.trim() || null, question };
}
