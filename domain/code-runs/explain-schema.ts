import { z } from "zod";
import { checkExplainRequest, EXPLAIN_MAX_BYTES, QUESTION_MAX } from "#domain/code-runs/explanation.ts";
import { transformByRule } from "#domain/schema.ts";

export const explainRequest = transformByRule(
  z
    .object({
      code: z
        .string()
        .optional()
        .meta({ description: `At most ${EXPLAIN_MAX_BYTES} bytes.` }),
      context: z
        .string()
        .optional()
        .meta({ description: `Anything else: a traceback, a log. At most ${EXPLAIN_MAX_BYTES} bytes.` }),
      language: z.string().max(40).optional(),
      question: z.string().optional().meta({ maxLength: QUESTION_MAX }),
    })
    .meta({
      description: "Either code or context.",
      anyOf: [{ required: ["code"] }, { required: ["context"] }],
    }),
  checkExplainRequest,
);
