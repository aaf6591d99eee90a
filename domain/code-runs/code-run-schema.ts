import { z } from "zod";
import { CODE_LIMITS, RUNNABLE_LANGUAGES } from "#domain/code-runs/code-run.ts";
import { checkFileName } from "#domain/files/file.ts";
import { Refusal } from "#domain/refusal.ts";
import { createShortListSchema, defaultToEmptyObject, toRefusalText, withRule } from "#domain/schema.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { isObject } from "#domain/typed-keys.ts";

const code = withRule(z.string(toRefusalText("missing_code")), (text) => {
  const { max_code_length_bytes: max } = CODE_LIMITS;
  if (text.trim() === "") return Refusal("missing_code");
  return utf8Bytes(text) > max ? Refusal("payload_too_large", { max }) : text;
});

const createAmountSchema = (field: string, description: string) =>
  z
    .number(toRefusalText("invalid_payload", { field, message: `${field} must be a number.` }))
    .optional()
    .meta({ description });

const stdin = withRule(
  z.string(toRefusalText("invalid_payload", { field: "stdin", message: "stdin must be text." })),
  (text) => {
    const { max_stdin_bytes: max } = CODE_LIMITS;
    return utf8Bytes(text) > max ? Refusal("payload_too_large", { field: "stdin", max }) : text;
  },
);

const wrongArgs = (message: string) => Refusal("invalid_payload", { field: "args", message });

const args = withRule(createShortListSchema(z.string(), CODE_LIMITS.max_args), (words) => {
  const { max_arg_bytes: max } = CODE_LIMITS;
  return words.some((word) => utf8Bytes(word) > max)
    ? wrongArgs(`An argument is longer than ${max} bytes.`)
    : words;
});

const language = z.enum(
  RUNNABLE_LANGUAGES,
  toRefusalText("invalid_payload", {
    field: "language",
    message: `language must be one of ${RUNNABLE_LANGUAGES.join(", ")}.`,
  }),
);

const within = (value: number, from: number, to: number) => Math.min(Math.max(value, from), to);

const requestedOptions = {
  timeout: createAmountSchema("timeout", "Seconds; brought within the limits."),
  memory_limit_mb: createAmountSchema("memory_limit_mb", "Brought within the limits."),
  stdin: stdin.default("").meta({ description: "What the program reads from its standard input." }),
  args: args
    .default([])
    .meta({ description: "What follows the program's name in `sys.argv` or `process.argv`." }),
};
type RequestedOptions = { timeout?: number; memory_limit_mb?: number; stdin: string; args: string[] };

function limitOptions({ timeout, memory_limit_mb, stdin, args }: RequestedOptions) {
  const { min_timeout_seconds, max_timeout_seconds, default_timeout_seconds } = CODE_LIMITS;
  const { min_memory_mb, max_memory_mb, default_memory_mb } = CODE_LIMITS;
  return {
    timeout: within(timeout ?? default_timeout_seconds, min_timeout_seconds, max_timeout_seconds),
    memory_limit_mb: within(memory_limit_mb ?? default_memory_mb, min_memory_mb, max_memory_mb),
    stdin,
    args,
  };
}

const NO_LANG = toRefusalText("invalid_payload", {
  field: "lang",
  message: "There is no field “lang” here. Send the name of the language as “language”.",
});

/** Ignores unknown fields but refuses `lang`, the name that search uses: without it the program would run as Python. */
function refuseLang(body: unknown, context: z.RefinementCtx): unknown {
  if (isObject(body) && body.lang !== undefined) context.addIssue({ code: "custom", message: NO_LANG });
  return body;
}

/**
 * A request to run a program, or a file with the files of its folder. Limits are clamped to the allowed range. With both, the
 * program replaces the file's text.
 */
export const codeRunRequest = defaultToEmptyObject(
  z.preprocess(
    refuseLang,
    withRule(
      z.object({
        code: code.optional(),
        language: language.default("python").meta({ description: "What `code` is written in." }),
        file_name: withRule(z.string(), checkFileName)
          .optional()
          .meta({ description: "What `code` is called, `main.py` by default; a file has its own name." }),
        file_id: z.string().optional().meta({ description: "A file to run, with the files of its folder." }),
        version: z.int().min(1).optional().meta({ description: "Of the file; by default the newest." }),
        keep: z.boolean().default(false).meta({ description: "Saves the output beside the file." }),
        ...requestedOptions,
      }),
      (request) =>
        request.code === undefined && request.file_id === undefined
          ? Refusal("missing_code", {
              message: "Send a program as `code`, or the id of a file as `file_id`.",
            })
          : request,
    ),
  ),
).transform(({ code, language, file_name, file_id, version, keep, ...options }) => ({
  code,
  language,
  file_name,
  file_id,
  version,
  keep,
  ...limitOptions(options),
}));
export type CodeRunRequest = z.output<typeof codeRunRequest>;

/** The text of a stored file as a program: the limit of a program applies. */
export const programText = code;
