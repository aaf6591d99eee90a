/** Programs: run, formatted, checked and explained. */
import { TOOL_CODE_MAX_BYTES } from "#domain/code-runs/code-tool.ts";
import { EXPLAIN_MAX_BYTES, QUESTION_MAX } from "#domain/code-runs/explanation.ts";
import { type Entry, NOTHING, WORD } from "./entry.ts";

const code = () => ({ code: "print(1)", language: "python" });
/** A program of the greatest length, each character of which may be escaped. */
const TOOL_MAX_BYTES = 6 * TOOL_CODE_MAX_BYTES + 1024;
const RUN_MAX_BYTES = 1_192_960;

export const CODE_API: readonly Entry[] = [
  {
    call: "POST /api/code/format",
    door: "person",
    json: code,
    bodyMaxBytes: TOOL_MAX_BYTES,
    statedMaxBytes: TOOL_CODE_MAX_BYTES,
    takes: { code: TOOL_CODE_MAX_BYTES, language: WORD },
  },
  {
    call: "POST /api/code/check",
    door: "person",
    json: code,
    bodyMaxBytes: TOOL_MAX_BYTES,
    statedMaxBytes: TOOL_CODE_MAX_BYTES,
    takes: { code: TOOL_CODE_MAX_BYTES, language: WORD },
  },
  { call: "GET /api/code/run/limits", door: "premium", without: NOTHING },
  {
    call: "POST /api/code/run",
    door: "premium",
    json: () => ({ code: "" }),
    ok: 400,
    otherShape: { error: "Missing code" },
    bodyMaxBytes: RUN_MAX_BYTES,
    takes: { code: 50 * 1024, stdin: 64 * 1024, args: WORD },
  },
  {
    call: "POST /api/code/run/:run_id/stop",
    door: "person",
    ok: 404,
    absent: "run_not_found",
    without: NOTHING,
  },
  {
    call: "POST /api/ai/explain",
    door: "person",
    json: code,
    takes: { code: EXPLAIN_MAX_BYTES, context: EXPLAIN_MAX_BYTES, question: QUESTION_MAX, language: WORD },
  },
];

export const CODE_PAGES: readonly Entry[] = [
  { call: "GET /tools/code", door: "person", shows: ["file"] },
  {
    call: "POST /tools/code",
    door: "person",
    form: () => ({ intent: "check", language: "python", text: "x" }),
    takes: { text: TOOL_CODE_MAX_BYTES, language: WORD },
  },
];
