import { z } from "zod";
import { hasTool, TOOL_CODE_MAX_BYTES, TOOL_LANGUAGES } from "#domain/code-runs/code-tool.ts";
import { languageNamed } from "#domain/files/language.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseWith, withRule } from "#domain/schema.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { isObject } from "#domain/typed-keys.ts";

/** Other names of a language that has a tool stand for it. */
function nameLanguage(given: unknown): unknown {
  if (!isObject(given) || typeof given.language !== "string") return given;
  const name = languageNamed(given.language);
  return name && hasTool(name) ? { ...given, language: name } : given;
}

const MISSING_CODE = refuseWith("missing_code");
const language = z.enum(TOOL_LANGUAGES, {
  error: ({ input }) => refuseWith("no_tool", { language: input, supported: TOOL_LANGUAGES }),
});

/** What a tool may be asked: some code, not too much of it, in a language that has a tool. */
export const toolRequest = z.preprocess(
  nameLanguage,
  withRule(
    z.object(
      { code: z.string(MISSING_CODE).refine((code) => code.trim() !== "", MISSING_CODE), language },
      refuseWith("invalid_payload"),
    ),
    (request) =>
      utf8Bytes(request.code) > TOOL_CODE_MAX_BYTES
        ? Refusal("payload_too_large", { max: TOOL_CODE_MAX_BYTES })
        : request,
  ),
);
