import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EVENTS, type EventName } from "#domain/events/events.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const sources = ["app", "db", "worker"].flatMap((room) =>
  readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("engine"))
    .map((name) => readFileSync(join(PROJECT_ROOT, room, name), "utf8")),
);
const isEmitted = (name: string) => sources.some((source) => source.includes(`"${name}"`));

const tests = readdirSync(join(PROJECT_ROOT, "tests"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(join(PROJECT_ROOT, "tests", name), "utf8"));

/** `events("…")` checks what it reads against the catalogue and its log line. A reading that only expects no event proves nothing. */
const isReadBack = (name: string) =>
  tests.some((source) =>
    [...source.matchAll(new RegExp(`\\bevents\\(\\s*["'\`]${name}["'\`]`, "g"))].some(
      ({ index }) => !/^[^;]{0,80}toEqual\(\[\]\)/.test(source.slice(index)),
    ),
  );

describe("every event of the catalogue", () => {
  it("is emitted, and caused and read back by a test", () => {
    expect(Object.keys(EVENTS).filter((name) => !isEmitted(name))).toEqual([]);
    expect(Object.keys(EVENTS).filter((name) => !isReadBack(name))).toEqual([]);
  });
});

const error = ["error"];
/** Fields in the interface; every event also has event, severity, request_id, timestamp and msg_he. */
const SPECIFIED_FIELDS: Partial<Record<EventName, { severity?: string; fields: string[] }>> = {
  codehost_upload_saved_error: { severity: "error", fields: ["error"] },
  codehost_upload_direct_error: { severity: "error", fields: ["error"] },
  codehost_import_repo_error: { severity: "error", fields: ["error"] },
  db_get_latest_version_error: { severity: "error", fields: error },
  db_save_code_snippet_error: { severity: "error", fields: error },
  db_delete_file_error: { severity: "error", fields: error },
  share_view_error: { fields: ["share_id", "error"] },
  share_view_not_found: { fields: ["share_id"] },
  push_send_error: { fields: ["endpoint_hash"] },
  job_runs_reconciled: { severity: "warn", fields: ["count", "skipped", "truncated", "job_ids_sample"] },
  jobs_orphan_reconcile_skipped: { fields: ["reason"] },
};

describe("the specified fields", () => {
  it.each(Object.entries(SPECIFIED_FIELDS))("of %s cannot be left out", (name, { severity, fields }) => {
    const spec = EVENTS[name as EventName];
    if (severity) expect(spec.severity).toBe(severity);
    const shape = spec.fields.shape as Record<string, { safeParse(value: unknown): { success: boolean } }>;
    expect(fields.filter((field) => shape[field]?.safeParse(undefined).success !== false)).toEqual([]);
  });

  it("of uploads name the repository, or none", () => {
    const resource = { type: "repo", id: "r1" };
    for (const name of ["codehost_upload_saved_error", "codehost_import_repo_error"] as const)
      for (const repo of ["dana/tools", null])
        expect(EVENTS[name].fields.safeParse({ error: "x", repo, resource }).success).toBe(true);
  });
});
