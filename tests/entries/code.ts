import { TOOL_CODE_MAX_BYTES } from "#domain/code-runs/code-tool.ts";
import { EXPLAIN_MAX_BYTES, QUESTION_MAX } from "#domain/code-runs/explanation.ts";
import { defineEntries, NOTHING, WORD } from "./entry.ts";

const code = () => ({ code: "print(1)", language: "python" });
/** The longest program; each of its characters may be escaped. */
const TOOL_MAX_BYTES = 6 * TOOL_CODE_MAX_BYTES + 1024;
const RUN_MAX_BYTES = 1_192_960;

export const CODE_API = defineEntries({
  "POST /api/code/format": {
    door: "person",
    json: code,
    bodyMaxBytes: TOOL_MAX_BYTES,
    statedMaxBytes: TOOL_CODE_MAX_BYTES,
    takes: { code: TOOL_CODE_MAX_BYTES, language: WORD },
  },
  "POST /api/code/check": {
    door: "person",
    json: code,
    bodyMaxBytes: TOOL_MAX_BYTES,
    statedMaxBytes: TOOL_CODE_MAX_BYTES,
    takes: { code: TOOL_CODE_MAX_BYTES, language: WORD },
  },
  "GET /api/code/run/limits": { door: "premium", without: NOTHING },
  "POST /api/code/run": {
    door: "premium",
    json: () => ({ code: "" }),
    ok: 400,
    otherShape: { error: "Missing code" },
    bodyMaxBytes: RUN_MAX_BYTES,
    takes: { code: 50 * 1024, stdin: 64 * 1024, args: WORD },
  },
  "POST /api/code/run/:run_id/stop": { door: "person", ok: 404, absent: "run_not_found", without: NOTHING },
  "POST /api/ai/explain": {
    door: "person",
    json: code,
    takes: { code: EXPLAIN_MAX_BYTES, context: EXPLAIN_MAX_BYTES, question: QUESTION_MAX, language: WORD },
  },
});

export const CODE_PAGES = defineEntries({
  "GET /tools/code": { door: "person", shows: ["file"] },
  "POST /tools/code": {
    door: "person",
    form: () => ({ intent: "check", language: "python", text: "x" }),
    takes: { text: TOOL_CODE_MAX_BYTES, language: WORD },
  },
});
