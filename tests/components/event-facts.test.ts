import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { listFacts } from "#app/routes/admin.observability/event-facts.server.ts";
import { NAMING_FIELDS } from "#domain/events/event-resource.ts";
import { EVENTS } from "#domain/events/events.ts";
import { LOCALE_NAMES } from "#domain/locale.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const sources = ["app", "db", "worker"].flatMap((room) =>
  readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("engine"))
    .map((name) => readFileSync(join(PROJECT_ROOT, room, name), "utf8")),
);
/** The resource types in calls that emit events, and those that follow from a field. */
const resourceTypes = new Set([
  ...sources.flatMap((source) =>
    [...source.matchAll(/type: "([a-z_]+)", id\b/g)].map(([, type = ""]) => type),
  ),
  ...NAMING_FIELDS.map(([, type]) => type),
]);

describe("the description of an event", () => {
  it.each(LOCALE_NAMES)("has a name for every field and every kind of thing, in %s", (locale) => {
    const { detailNames } = getDictionary(locale).observability;
    const fields = Object.values(EVENTS).flatMap(({ fields: { shape } }) => Object.keys(shape));
    expect(resourceTypes.size).toBeGreaterThan(15);
    const all = [...fields, ...resourceTypes].filter((name) => name !== "resource");
    expect(all.filter((name) => !detailNames[name])).toEqual([]);
  });

  it("is shown in words, with a link to its run", () => {
    const failed = {
      resource: { type: "job_run", id: "r1" },
      request_id: "r1",
      job_id: "repo_sync",
      run_id: "r1",
      ms: 1_520,
      error: "push_given_up",
      reason: "remote_not_found",
    };
    expect(listFacts(failed, getDictionary("en"))).toEqual([
      { name: "Run", value: "r1", href: "/admin/jobs/runs/r1" },
      { name: "Job", value: "Sync mirrors" },
      { name: "Duration", value: "1.5 s" },
      { name: "Error", value: "No device of the person could be reached" },
      { name: "Reason", value: "No repository at this address, or it is private." },
    ]);
    const [, job] = listFacts(failed, getDictionary("he"));
    expect(job).toEqual({ name: "משימה", value: "סנכרון מאגרים" });
  });

  it("does not say twice why a run failed", () => {
    const event = { job_id: "reminder_push", error: "push_given_up", reason: "push_given_up" };
    expect(listFacts(event, getDictionary("en"))).toEqual([
      { name: "Job", value: "Send due reminders" },
      { name: "Error", value: "No device of the person could be reached" },
    ]);
  });

  it("omits empty values and shows unknown ones unchanged", () => {
    const event = { job_ids_sample: ["backup", "of_before"], state: "missing", status: null };
    expect(listFacts(event, getDictionary("en"))).toEqual([
      { name: "Jobs", value: "Make a backup, of_before" },
      { name: "State", value: "missing" },
    ]);
  });
});
