import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { canAnyoneRunCode, listPeople } from "#db/accounts/people.server.ts";
import { listFiringAlerts } from "#db/alerts/alert-life.server.ts";
import { listAlerts } from "#db/alerts/alerts.server.ts";
import { listAnnouncements } from "#db/alerts/announcements.server.ts";
import { countQuickFixUses } from "#db/alerts/quick-fix-uses.server.ts";
import type { Db } from "#db/client.ts";
import { listRunResults } from "#db/code-runs/run-results.server.ts";
import { listJunk } from "#db/dav/dav-junk.server.ts";
import { sumEventCounts } from "#db/events/event-counts.server.ts";
import { listEvents } from "#db/events/event-history.server.ts";
import { sumTimingsByEndpoint } from "#db/events/request-timings.server.ts";
import { finishFolderDeletions } from "#db/files/folders/folder-trash.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { setSharesExpiry } from "#db/files/trash/share-trash.server.ts";
import { listTrash } from "#db/files/trash/trash.server.ts";
import { finishDeletions, resetLivingFilesExpiry } from "#db/files/trash/trash-upkeep.server.ts";
import { measureLibrary } from "#db/files/usage/library-measuring.server.ts";
import { tallyLibrary } from "#db/files/usage/library-tally.server.ts";
import { recountLibraries } from "#db/files/usage/library-usage.server.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { listAbandonedImports } from "#db/library-zip/library-import-work.server.ts";
import { listBoards } from "#db/notes/boards/boards.server.ts";
import { listEveryNote, listFileNotes } from "#db/notes/note-overview.server.ts";
import { INDEXES } from "#db/open/indexes/indexes.ts";
import { listLeavingUserIds, REMOVALS } from "#db/operations/account-removal.server.ts";
import { listDueEvents } from "#db/reminders/push/push-events.server.ts";
import { listDevices, removeFailingDevices } from "#db/reminders/push/push-subscriptions.server.ts";
import { listDuePushes } from "#db/reminders/reminder-pushes.server.ts";
import { hideReminders, listDoneReminders, listDueReminders } from "#db/reminders/reminders.server.ts";
import { removeRepoContents } from "#db/repos/repo-contents.server.ts";
import { removeUnusedTexts } from "#db/repos/repo-manifest.server.ts";
import { listAbandonedSyncs, listDueRepos } from "#db/repos/repo-sync.server.ts";
import { listCommits, listTree } from "#db/repos/repo-tree.server.ts";
import { listRemovedRepos, listReposByUrl, type RepoRecord } from "#db/repos/repos.server.ts";
import { searchRepo } from "#db/search/repo-search.server.ts";
import { indexOwner } from "#db/segments/index-owner.ts";
import { allocateNumbers, createSegments } from "#db/segments/segments.server.ts";
import { listShares } from "#db/shares/shares.server.ts";
import type { FileNarrowing } from "#domain/files/file-query.ts";
import { needleKeys } from "#domain/search/search-keys.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { readExplained, recordQueries } from "#tests/support/databases/recorded-queries.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db } = await openTestStore();
const OWNER = "1";
const ID = new ObjectId();
const REPO = { id: ID.toHexString(), user_id: OWNER } as RepoRecord;
const HOURS = { start: new Date(NOON.getTime() - 5 * HOUR_MS), end: NOON };
const page = { sort: "created_at_desc", limit: 20 } as const;

type Verb = (store: Db) => Promise<unknown>;
const listing =
  (narrowing: FileNarrowing): Verb =>
  (store) =>
    listFiles(store, OWNER, { ...narrowing, ...page });
const alerts = { window: HOURS, page: 1, perPage: 20 };

/** A verb that needs each index which is neither unique nor an expiry. */
const USES: Record<string, Verb> = {
  "users.by_creation": (store) => listPeople(store, { q: "", after: "", limit: 20 }),
  "users.by_role": canAnyoneRunCode,
  "users.leaving": listLeavingUserIds,
  "identities.of_user": (store) => REMOVALS.identities(store, OWNER),
  "announcements.by_creation": listAnnouncements,
  "files.by_creation": listing({}),
  "files.by_update": (store) => listFiles(store, OWNER, { ...page, sort: "updated_at_desc" }),
  "files.by_size": (store) => listFiles(store, OWNER, { ...page, sort: "size_asc" }),
  "files.by_name_order": (store) => listFiles(store, OWNER, { ...page, sort: "name_asc" }),
  "files.files_of_folder_by_name": (store) =>
    listFiles(store, OWNER, { ...page, sort: "name_asc", folder: ID.toHexString() }),
  "files.files_of_folder": listing({ folder: ID.toHexString() }),
  "dav_junk.of_folder": (store) => listJunk(store, OWNER, null, NOON),
  "folder_changes.expiring": (store) => finishFolderDeletions(store, NOON),
  "files.by_day": (store) => tallyLibrary(store, OWNER),
  "files.files_of_language": listing({ lang: "go" }),
  "files.files_with_tag": listing({ category: "web" }),
  "files.files_of_repo": listing({ repo: "o/one" }),
  "files.files_from_repos": listing({ category: "repo" }),
  "files.favorite_files": listing({ category: "favorites" }),
  "files.favorite_files_of_language": listing({ category: "favorites", lang: "go" }),
  "files.pinned_files": listing({ category: "pinned" }),
  "files.large_files": listing({ category: "large" }),
  "files.opened_files": listing({ category: "recent" }),
  "files.trashed_files": (store) => listTrash(store, OWNER, { limit: 20 }),
  "files.unindexed": async (store) => {
    await tallyLibrary(store, OWNER);
    await tallyLibrary(store, OWNER);
  },
  "files.bin_dates": (store) => finishDeletions(store, NOON),
  "file_versions.of_user": (store) => measureLibrary(store, OWNER),
  "file_versions.dated": resetLivingFilesExpiry,
  "library_usage.by_count": (store) => recountLibraries(store, NOON),
  "notes.by_target": (store) => listFileNotes(store, OWNER, ID.toHexString()),
  "notes.by_change": (store) => listEveryNote(store, OWNER, { limit: 20 }),
  "notes.of_user": (store) => measureLibrary(store, OWNER),
  "boards.by_creation": (store) => listBoards(store, OWNER, NOON),
  "run_results.of_file": (store) => listRunResults(store, OWNER, ID.toHexString()),
  "run_results.of_user": (store) => measureLibrary(store, OWNER),
  "reminders.by_moment": (store) => listDueReminders(store, OWNER, NOON, 20),
  "reminders.by_ack": (store) => listDoneReminders(store, OWNER, NOON, 20),
  "reminders.by_file": (store) => hideReminders(store, [ID], NOON),
  "reminders.push_owed": (store) => listDuePushes(store, NOON, 20),
  "shares.by_creation": (store) => listShares(store, OWNER, NOON),
  "shares.of_file": (store) => setSharesExpiry(store, [ID], NOON),
  "push_subscriptions.of_person": (store) => listDevices(store, { id: OWNER, credential_epoch: 0 }),
  "push_subscriptions.failing": (store) => removeFailingDevices(store, NOON),
  "push_events.of_person": (store) => REMOVALS.push_events(store, OWNER),
  "push_events.owed": (store) => listDueEvents(store, NOON, 20),
  "job_runs.of_job": (store) => listRuns(store, { job_id: "trash_check", limit: 20 }),
  "job_runs.in_status": (store) => listRuns(store, { status: "failed", unretried: true, limit: 20 }),
  "library_imports.by_state": (store) => listAbandonedImports(store, [], NOON, 20),
  "library_import_chunks.of_import": (store) => REMOVALS.library_import_chunks(store, OWNER),
  "events.by_event": (store) => listEvents(store, { window: HOURS, event: "auth_refused", limit: 20 }),
  "events.by_time": (store) => listEvents(store, { window: HOURS, limit: 20 }),
  "events.by_severity": (store) => listEvents(store, { window: HOURS, severity: "error", limit: 20 }),
  "events.of_person": (store) => REMOVALS.events(store, OWNER),
  "event_counts.by_time": (store) => sumEventCounts(store, HOURS),
  "request_timings.by_time": (store) => sumTimingsByEndpoint(store, HOURS),
  "alerts.by_time": (store) => listAlerts(store, alerts),
  "alerts.by_severity": (store) => listAlerts(store, { ...alerts, severity: "error" }),
  "alerts.firing": (store) => listFiringAlerts(store),
  "quick_fix_uses.of_alert": (store) => countQuickFixUses(store, ["a"]),
  "quick_fix_uses.of_person": (store) => REMOVALS.quick_fix_uses(store, OWNER),
  "repos.by_address": (store) => listReposByUrl(store, "host/o/one"),
  "repos.due": (store) => listDueRepos(store, NOON, 20),
  "repos.held": (store) => listAbandonedSyncs(store, [], 20),
  "repos.removed": listRemovedRepos,
  "repo_files.by_directory": (store) => listTree(store, REPO, ""),
  "repo_files.by_blob": (store) => removeUnusedTexts(store, { _id: ID, user_id: OWNER }, ["b"]),
  "repo_files.unindexed": async (store) => {
    const n = await allocateNumbers(db, indexOwner(ID), 1);
    await createSegments(db, indexOwner(ID), [{ n, keys: Uint32Array.from(needleKeys("text", "abc")) }]);
    await searchRepo(store, REPO, { q: "abc", limit: 20 });
  },
  "repo_folders.by_directory": (store) => listTree(store, REPO, ""),
  "repo_texts.of_repo": (store) => removeRepoContents(store, ID),
  "repo_commits.by_time": (store) => listCommits(store, REPO, { limit: 20 }),
  "repo_commits.by_path": (store) => listCommits(store, REPO, { path: "a.txt", limit: 20 }),
};

const single = (options: { unique?: boolean; expireAfterSeconds?: number } = {}) =>
  options.unique === true || options.expireAfterSeconds !== undefined;
const WANTED = Object.entries(INDEXES).flatMap(([collection, rows]) =>
  rows.filter(({ options }) => !single(options)).map(({ name }) => `${collection}.${name}`),
);

it("every index makes something unique, lets something expire, or has a verb that needs it", () => {
  expect(Object.keys(USES).toSorted()).toEqual(WANTED.toSorted());
});

describe("of the indexes", () => {
  needsEngine("MongoDB chooses by trying, and with nothing stored every index is as good as another");

  it.each(Object.entries(USES))("%s is read by its verb", async (index, verb) => {
    const [collection, name] = index.split(".");
    const { store, queries } = recordQueries(db);
    await verb(store);
    const matching = queries.filter((query) => query.collection === collection);
    const plans = await Promise.all(matching.map(async (query) => readExplained(await query.explain())));
    expect(plans.flatMap(({ indexes }) => indexes)).toContain(name);
  });
});

/** The arguments of each call of a function in a source, by its parentheses. */
function callsIn(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`\\b${name}\\(`, "g"))].map(({ index }) => {
    const from = index + name.length + 1;
    let depth = 1;
    let offset = from;
    for (; depth > 0; offset += 1) depth += text[offset] === "(" ? 1 : text[offset] === ")" ? -1 : 0;
    return text.slice(from, offset - 1);
  });
}

it("every count names its index, or counts among documents whose ids are known", () => {
  const sources = ["db", "app", "worker"].flatMap((room) =>
    readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.tsx?$/.test(path) && !(room === "db" && path.startsWith("engine")))
      .map((path) => join(room, path)),
  );
  const counts = sources.flatMap((path) =>
    callsIn(readFileSync(join(PROJECT_ROOT, path), "utf8"), "countDocuments").map(
      (call) => `${path}: ${call}`,
    ),
  );
  expect(counts.length).toBeGreaterThan(5);
  expect(counts.filter((call) => !/\bhint\b|\b_id:/.test(call))).toEqual([]);
});
