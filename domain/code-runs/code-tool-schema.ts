import { z } from "zod";
import { hasTool, TOOL_CODE_MAX_BYTES, TOOL_LANGUAGES } from "#domain/code-runs/code-tool.ts";
import { findLanguage } from "#domain/files/language.ts";
import { Refusal } from "#domain/refusal.ts";
import { toRefusalText, withRule } from "#domain/schema.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { isObject } from "#domain/typed-keys.ts";

function replaceLanguageName(body: unknown): unknown {
  if (!isObject(body) || typeof body.language !== "string") return body;
  const name = findLanguage(body.language);
  return name && hasTool(name) ? { ...body, language: name } : body;
}

const MISSING_CODE = toRefusalText("missing_code");
const language = z.enum(TOOL_LANGUAGES, {
  error: ({ input }) => toRefusalText("no_tool", { language: input, supported: TOOL_LANGUAGES }),
});

export const toolRequest = z.preprocess(
  replaceLanguageName,
  withRule(
    z.object(
      { code: z.string(MISSING_CODE).refine((code) => code.trim() !== "", MISSING_CODE), language },
      toRefusalText("invalid_payload"),
    ),
    (request) =>
      utf8Bytes(request.code) > TOOL_CODE_MAX_BYTES
        ? Refusal("payload_too_large", { max: TOOL_CODE_MAX_BYTES })
        : request,
  ),
);
