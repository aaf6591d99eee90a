import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { reportTrashExpiry } from "#db/files/trash/trash-repair.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { recordHeartbeat, removeWorker } from "#db/jobs/workers.server.ts";
import { type CollectionRow, listIndexRows } from "#db/open/indexes/index-report.server.ts";
import { toBackupName } from "#domain/backups/backup-schedule.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";
import { replaceVerb } from "#tests/support/databases/changed-store.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const admin = await web.person(ADMIN_ID);
const reader = await web.person("77");
const page = async (path: string) => (await admin.page(path)).text();
const JSON_BY_NAME = { headers: { Accept: "application/json" } };
const report = async () => (await admin.ask("/admin/verify-indexes", JSON_BY_NAME)).json();
const findState = (collections: CollectionRow[], collection: string, index: string) =>
  collections.find((row) => row.collection === collection)?.indexes.find((row) => row.index === index)?.state;

async function givenTrashed(file_name: string): Promise<string> {
  const { id } = await web.given.file("77", file_name);
  await trashFile(web.db, "77", id, web.clock());
  return id;
}

describe("the overview", () => {
  it("lists each worker's layers of the sandbox, and the missing ones", async () => {
    await recordHeartbeat(web.db, "whole", web.clock(), web.clock(), {
      isolation: { missing: [], git: true },
    });
    await recordHeartbeat(web.db, "lacking", web.clock(), web.clock(), {
      isolation: { missing: ["syscalls"], git: false },
    });
    const findRow = (html: string, worker: string) =>
      required(
        html
          .slice(html.indexOf('id="isolation"'))
          .split("<tr")
          .find((row) => row.includes(`>${worker}<`)),
      );
    const missingIn = (row: string) => row.match(/status-failed">[^<]*/g);

    const html = await page("/admin");

    expect(html).toMatch(/Needs attention:.*<a href="#isolation">Sandbox<\/a>/s);
    expect(missingIn(findRow(html, "whole"))).toBe(null);
    expect(findRow(html, "whole").match(/status-completed/g)).toHaveLength(8);
    expect(missingIn(findRow(html, "lacking"))).toEqual([
      'status-failed">Dangerous system calls are not blocked',
      'status-failed">Git can see other files',
    ]);
    for (const id of ["whole", "lacking"]) await removeWorker(web.db, id);
  });

  it("lists the backups with their sizes, and says how old the newest is in the figures", async () => {
    expect(await page("/admin")).toContain("Automatic backups are off.");
    const directory = await temporaryDirectory("admin-backups");
    web.env.backups = { directory, everyMs: DAY_MS, keep: 7 };
    expect(await page("/admin")).toContain("No backups yet.");
    const hourAgo = new Date(web.clock().getTime() - HOUR_MS);
    await writeFile(join(directory, toBackupName(hourAgo)), "x".repeat(2_000));
    await writeFile(join(directory, "notes.txt"), "not ours");

    const html = await page("/admin");
    const figures = (await web.visitor().send("GET", "/metrics")).body;

    expect(html).toContain(toBackupName(hourAgo));
    expect(html).not.toContain("notes.txt");
    expect(figures).toContain("codeshelf_backup_age_seconds 3600");
    expect(figures).toContain("codeshelf_backup_bytes 2000");
    web.env.backups = null;
  });

  it("says that no worker runs, then which one does", async () => {
    const places = ["/admin", "/admin/jobs"];
    for (const path of places) expect(await page(path)).toContain("No worker is running");
    await recordHeartbeat(web.db, "w-one", web.clock(), web.clock());
    for (const path of places) expect(await page(path)).not.toContain("No worker is running");
    expect(await page("/admin")).toContain("w-one");
    await removeWorker(web.db, "w-one");
  });

  it("shows how much waits and since when, and sorts it by link", async () => {
    expect(await page("/admin")).toContain("All queues are empty");
    for (const job of ["trash_check", "trash_check", "stuck_monitor"] as const)
      await triggerJob(web.db, web.queue, job, "manual", web.clock());
    const readOrder = (html: string) =>
      [...html.matchAll(/<th scope="row">(Check the trash|Find stuck runs)/g)].map(([, name]) => name);
    expect(readOrder(await page("/admin?sort=-waiting"))).toEqual(["Check the trash", "Find stuck runs"]);
    expect(readOrder(await page("/admin?sort=waiting"))).toEqual(["Find stuck runs", "Check the trash"]);
    const backlog = await web.queue.backlog();
    expect(backlog).toMatchObject([
      { job_id: "stuck_monitor", waiting: 1, active: 0 },
      { job_id: "trash_check", waiting: 2, active: 0 },
    ]);
    expect(itemAt(backlog, 0).oldest_at).toBeInstanceOf(Date);
  });
});

describe("the indexes", () => {
  it("are available as JSON by an explicit Accept header", async () => {
    const { ok, collections, recycle_bin_ttl } = await report();
    expect(ok).toBe(true);
    expect(findState(collections, "files", "bin_expiry")).toBe("present");
    expect(recycle_bin_ttl).toEqual({ state: "present", overdue: 0 });
    expect(await page("/admin/verify-indexes")).not.toContain("Build missing indexes");
  });

  it("that are missing or different are distinguished and built by a form", async () => {
    await web.mongo.collection("files").dropIndex("by_creation");
    await web.mongo.collection("events").dropIndex("by_event");
    await web.mongo.collection("events").createIndex({ event: 1 }, { name: "by_event" });
    const { collections } = await report();
    expect(findState(collections, "files", "by_creation")).toBe("missing");
    expect(findState(collections, "events", "by_event")).toBe("different");
    expect(await page("/admin/verify-indexes")).toContain("2 indexes missing or different");

    const sent = await admin.submit("/admin/verify-indexes", {});
    expect([sent.status, sent.headers.get("Location")]).toEqual([303, "/admin/verify-indexes"]);
    expect(await page("/admin/verify-indexes")).toContain("2 indexes built");
    const built = (await report()).collections;
    expect(findState(built, "files", "by_creation")).toBe("present");
    expect(findState(built, "events", "by_event")).toBe("present");
  });

  it("are built once by two who press at the same time", async () => {
    await web.mongo.collection("files").dropIndex("by_creation");
    await Promise.all([1, 2].map(() => admin.submit("/admin/verify-indexes", {})));
    expect(findState((await report()).collections, "files", "by_creation")).toBe("present");
    expect(await web.events("db_index_create_error")).toEqual([]);
  });

  it("that cannot be built report why, and do not hold up the others", async () => {
    const users = web.mongo.collection("users");
    await users.dropIndex("by_creation");
    await users.createIndex({ created_at: -1, _id: -1 }, { name: "in_the_way" });
    await web.mongo.collection("files").dropIndex("by_creation");
    await admin.submit("/admin/verify-indexes", {});
    expect(await page("/admin/verify-indexes")).toMatch(/1 index built, 1 failed/);
    expect(await web.events("db_index_create_error")).toMatchObject([
      { collection: "users", index: "by_creation" },
    ]);
    await users.dropIndex("in_the_way");
    await admin.submit("/admin/verify-indexes", {});
  });

  it("that cannot be checked are not called missing", async () => {
    const { reports, trash } = await unreachable();
    expect(findState(reports, "files", "bin_expiry")).toBe("unchecked");
    expect(trash).toEqual({ state: "unchecked", overdue: null });
  });
});

/** The page's text about a store that answers no query about files. */
async function unreachable() {
  const gone = () => {
    throw new Error("gone");
  };
  const db = replaceVerb(replaceVerb(web.db, "files", "listIndexes", gone), "files", "countDocuments", gone);
  return { reports: await listIndexRows(db), trash: await reportTrashExpiry(db, web.clock()) };
}

describe("the trash", () => {
  it("says so if it does not keep its dates, wherever the overdue file is in the list", async () => {
    const trash = async () => (await reader.page("/trash")).text();
    const BROKEN = "not being deleted right now";
    const id = await givenTrashed("late.txt");
    expect(await trash()).not.toContain(BROKEN);
    const hourAgo = new Date(web.clock().getTime() - 3_600_000);
    await web.db.files.updateOne(
      { _id: new ObjectId(id) },
      { $set: { expires_at: hourAgo, expiring: false } },
    );
    expect(await trash()).toContain(BROKEN);
    expect((await report()).recycle_bin_ttl).toEqual({ state: "present", overdue: 1 });
    await web.db.files.deleteOne({ _id: new ObjectId(id) });
    expect(await trash()).not.toContain(BROKEN);

    await web.mongo.collection("file_bodies").dropIndex("bin_expiry");
    expect(await trash()).toContain(BROKEN);
    expect((await report()).recycle_bin_ttl.state).toBe("missing");
    await admin.submit("/admin/verify-indexes", {});
    expect(await trash()).not.toContain(BROKEN);
  });

  it("shows a file without a date", async () => {
    const id = await givenTrashed("dateless.txt");
    await web.db.files.updateOne({ _id: new ObjectId(id) }, { $set: { expires_at: null } });
    expect((await reader.show("/trash")).html).toContain("No date yet");
  });
});
