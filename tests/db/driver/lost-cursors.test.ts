import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Document, MongoClient, ObjectId } from "mongodb";
import ts from "typescript";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { removeLeaving } from "#db/accounts/account.server.ts";
import { reencryptTokens } from "#db/accounts/encrypted-tokens.server.ts";
import { eachAlert } from "#db/alerts/alerts.server.ts";
import { connectMongo, type Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import { eachEvent } from "#db/events/event-history.server.ts";
import { dateUndated } from "#db/files/trash/trash-repair.server.ts";
import { finishDeletions, undateLiving } from "#db/files/trash/trash-upkeep.server.ts";
import { tallyLibrary } from "#db/files/usage/library-tally.server.ts";
import { recountUsage } from "#db/files/usage/library-usage.server.ts";
import { ensureIndexes } from "#db/indexes/index-builds.ts";
import { exportFiles, exportNotes, exportReminders, listFileNames } from "#db/library-zip/export.server.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { listManifest } from "#db/repos/repo-manifest.server.ts";
import { findNamesakes } from "#db/repos/repo-namesakes.server.ts";
import { searchNotes } from "#db/search/note-search.server.ts";
import { indexLeftovers } from "#db/search/search-index.server.ts";
import { listIndexOwners, mergeSegments } from "#db/search/segment-merge.server.ts";
import { listOwnersToUpgrade } from "#db/search/segment-upgrade.server.ts";
import { createSegments, findCandidates } from "#db/search/segments.server.ts";
import { required } from "#domain/required.ts";
import { encryptSecret } from "#platform/secrets/encrypted-secret.ts";
import { startEngine } from "#tests/support/databases/engine.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { NOON } from "#tests/support/store.ts";

needsEngine("it sets a fail point, of which a server has one for all");

/**
 * Everything that reads long: exports, upkeep, repairs, counts, removals. Each does the same when a cursor is lost on its way as
 * when none is.
 */
const engine = await startEngine({ testCommands: true });
const mongo = await connectMongo(engine.uri, { appName: "lost-cursors", databaseName: "lost" });
const admin = await MongoClient.connect(engine.uri);
await ensureIndexes(mongo.collection);
const db: Db = { ...mongo.collections, emit: () => {} };

const loseCursors = (mode: object | string) =>
  admin.db("admin").command({
    configureFailPoint: "failCommand",
    mode,
    data: { failCommands: ["getMore"], errorCode: 43 },
  });

afterEach(() => loseCursors("off"));
afterAll(async () => {
  await mongo.close();
  await admin.close();
  await engine.stop();
});

const DAY = 86_400_000;
const toId = (i: number) => new ObjectId((i + 1).toString(16).padStart(24, "0"));
const daysFrom = (days: number) => new Date(NOON.getTime() + days * DAY);
/** The same moment for three in a row: ties at the ends of pages. */
const toMoment = (i: number) => new Date(NOON.getTime() + Math.floor(i / 3));
const WINDOW = { start: daysFrom(-1), end: daysFrom(1) };
const REPO = { _id: toId(0), user_id: "1" };

async function put(name: CollectionName, count: number, toDoc: (i: number) => Document): Promise<void> {
  await mongo.collection(name).deleteMany({});
  const docs = Array.from({ length: count }, (_, i) => ({ _id: toId(i), user_id: "1", ...toDoc(i) }));
  if (docs.length > 0) await mongo.collection(name).insertMany(docs as Document[]);
}

const putFiles = (count: number, more: (i: number) => Document = () => ({})) =>
  put("files", count, (i) => ({
    file_name: `f${i}`,
    version: 1,
    size_bytes: 10,
    lines: 1,
    created_at: toMoment(i),
    deleted_at: null,
    expires_at: null,
    ...more(i),
  }));
const putVersions = (count: number, more: (i: number) => Document = () => ({})) =>
  put("file_versions", count, (i) => ({ file_id: toId(i), version: 1, size_bytes: 10, ...more(i) }));
const putNotes = (count: number) =>
  put("notes", count, (i) => ({
    content: `note ${i}`,
    title: null,
    file_id: null,
    deleted_at: null,
    updated_at: toMoment(i),
  }));
const putPaths = (count: number) =>
  put("repo_files", count, (i) => ({ repo_id: REPO._id, path: `p/${String(i).padStart(6, "0")}/same.ts` }));

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const keys = (former: boolean) => () => ({
  current: former ? "the key of before, for tests" : "the key of now, for tests",
  previous: former ? null : "the key of before, for tests",
  sessionSecret: "",
});

type LongRead = { fill: () => Promise<unknown>; run: () => Promise<unknown>; met: number };

const LONG_READS: Record<string, LongRead> = {
  "the names of an export": {
    fill: () => putFiles(300),
    run: () => listFileNames(db, "1"),
    met: 300,
  },
  "the files of an export": {
    fill: () => Promise.all([putFiles(250), putVersions(250)]),
    run: () =>
      gather(
        exportFiles(
          db,
          "1",
          Array.from({ length: 250 }, (_, i) => toId(i)),
        ),
      ),
    met: 250,
  },
  "the notes of an export": {
    fill: () => putNotes(300),
    run: () => gather(exportNotes(db, "1")),
    met: 300,
  },
  "the reminders of an export": {
    fill: () => put("reminders", 300, () => ({})),
    run: () => gather(exportReminders(db, "1")),
    met: 300,
  },
  "the events of a window": {
    fill: () => put("events", 1_100, (i) => ({ event: "x", timestamp: toMoment(i) })),
    run: () => gather(eachEvent(db, WINDOW)),
    met: 1_100,
  },
  "the alerts of a window": {
    fill: () => put("alerts", 1_100, (i) => ({ _id: `alert${i}`, timestamp: toMoment(i), repeats: 1 })),
    run: () => gather(eachAlert(db, WINDOW)),
    met: 1_100,
  },
  "sealing tokens anew": {
    fill: () =>
      put("repos", 510, (i) => ({
        user_id: `${i}`,
        sealed_token: encryptSecret(keys(true)(), "token"),
      })),
    run: async () => (await reencryptTokens(db, keys(false))).reencrypted,
    met: 510,
  },
  "counting a library anew": {
    fill: () =>
      Promise.all([
        putVersions(2_100),
        putNotes(0),
        put("run_results", 0, () => ({})),
        put("library_usage", 1, () => ({ _id: "1", bytes: 0, changes: 0, pending: [], counted_at: NOON })),
      ]),
    run: async () => {
      await recountUsage(db, "1", NOON);
      return required(await db.library_usage.findOne({ _id: "1" })).bytes / 10;
    },
    met: 2_100,
  },
  "tallying a library": {
    fill: () => Promise.all([putFiles(2_100), put("library_tallies", 0, () => ({}))]),
    run: async () => (await tallyLibrary(db, "1")).reduce((sum, { files }) => sum + files, 0),
    met: 2_100,
  },
  "dating what lies in the trash without a date": {
    fill: () => Promise.all([putFiles(110, () => ({ deleted_at: NOON })), putVersions(0)]),
    run: () => dateUndated(db, NOON),
    met: 110,
  },
  "taking the date from what lives": {
    fill: () =>
      Promise.all([
        putFiles(3),
        putVersions(2_100, (i) => ({ file_id: toId(i % 3), version: i, expires_at: daysFrom(9) })),
      ]),
    run: async () => {
      await undateLiving(db);
      return db.file_versions.countDocuments({ expires_at: { $exists: false } });
    },
    met: 2_100,
  },
  "finishing deletions": {
    fill: () => putFiles(110, () => ({ deleted_at: NOON, expires_at: daysFrom(-1), expiring: false })),
    run: () => finishDeletions(db, NOON),
    met: 110,
  },
  "the owners whose search index may be merged": {
    fill: () => put("search_numbers", 2_100, (i) => ({ _id: `${i}`, last: 100, format: 2 })),
    run: async () => {
      const owners: string[] = [];
      for await (const owner of listIndexOwners(db)) owners.push(owner);
      return owners;
    },
    met: 2_100,
  },
  "the owners whose search index is of an earlier form": {
    fill: () => put("search_numbers", 300, (i) => ({ _id: `${i}`, last: 100 })),
    run: () => listOwnersToUpgrade(db),
    met: 300,
  },
  "the numbers that files have": {
    fill: async () => {
      await Promise.all([
        putFiles(2_100, (i) => ({ n: i + 1 })),
        put("search_numbers", 1, () => ({
          _id: "1",
          last: 2_100,
          format: 2,
          settling: { last: 2_100, at: daysFrom(-1) },
        })),
        put("search_segments", 0, () => ({})),
      ]);
      const keys = Uint32Array.from([1, 2]);
      for (let i = 0; i < 8; i += 1)
        await createSegments(
          db,
          "1",
          Array.from({ length: 262 }, (_, k) => ({ n: i * 262 + k + 1, keys })),
        );
    },
    run: async () => {
      await mergeSegments(db, "1", { now: NOON });
      return required((await findCandidates(db, "1", [[1, 2]]))?.[0]).numbers();
    },
    met: 2_096,
  },
  "indexing what was left": {
    fill: async () => {
      await Promise.all([
        putFiles(250, () => ({ unindexed: "never", tags: [], description: "", language: "text" })),
        put("file_bodies", 250, (i) => ({ _id: `${toId(i).toHexString()}:1`, body: "text" })),
        put("search_numbers", 1, () => ({ _id: "1", last: 0 })),
        put("search_segments", 0, () => ({})),
      ]);
    },
    run: () => indexLeftovers(db),
    met: 250,
  },
  "a search through all notes": {
    fill: () => putNotes(700),
    run: async () => (await searchNotes(db, "1", { needle: "note", limit: 700 })).notes,
    met: 700,
  },
  "the manifest of a mirror": {
    fill: () => putPaths(2_100),
    run: async () => [...(await listManifest(db, REPO)).keys()],
    met: 2_100,
  },
  "the walk for names of a mirror": {
    fill: () => putPaths(2_100),
    run: async () =>
      (await findNamesakes(db, { ...REPO, id: REPO._id.toHexString() } as never, new Set(["same.ts"]))).get(
        "same.ts",
      ),
    met: 20,
  },
  "the removal of an account": {
    fill: () =>
      Promise.all([
        put("users", 1, () => ({ _id: "1", leaving_at: NOON })),
        putFiles(450),
        putVersions(450),
        putNotes(300),
      ]),
    run: async () => {
      await removeLeaving(db, "1", () => NOON);
      const left = await Promise.all([db.files, db.notes, db.users].map((of) => of.countDocuments()));
      return 750 - left.reduce((sum, count) => sum + count, 0);
    },
    met: 750,
  },
};

describe("with a cursor lost on its way", () => {
  it.each(Object.entries(LONG_READS))("%s is as without", async (_, { fill, run, met }) => {
    await fill();
    const whole = await run();
    expect(Array.isArray(whole) ? whole.length : whole).toBe(met);

    await fill();
    await loseCursors({ times: 1 });
    expect(await run()).toEqual(whole);
  });

  it("a question is asked three times at most", async () => {
    await putFiles(300);
    await loseCursors("alwaysOn");

    await expect(listFileNames(db, "1")).rejects.toMatchObject({ code: 43 });
  });
});

/** Driver cursors that are walked through by hand: what `for await` is given, where it is a query and not what came of one. */
function findCursorWalks(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const isQuery = (text: string) =>
    /\.(find|aggregate|listIndexes)(<[^()]*>)?\(/.test(text) && !text.includes(".toArray()");
  const initialisers = new Map<string, string>();
  const walks: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer)
      initialisers.set(node.name.getText(), node.initializer.getText());
    if (ts.isForOfStatement(node) && node.awaitModifier) {
      const walked = node.expression.getText();
      const root = /^\w+/.exec(walked)?.[0] ?? "";
      if (isQuery(walked) || isQuery(initialisers.get(root) ?? "")) walks.push(`${path}: ${walked}`);
    }
    if (
      ts.isCallExpression(node) &&
      /\.(find|aggregate)\([\s\S]*\)\s*\.(forEach|stream|next|hasNext)$/.test(node.expression.getText())
    )
      walks.push(`${path}: ${node.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return walks;
}

describe("no cursor is held open while its documents are worked on", () => {
  it.each(["db", "app", "worker"])("in %s", (room) => {
    const sources = readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: "utf8" }).filter(
      (name) => /\.tsx?$/.test(name) && !name.startsWith("engine"),
    );
    expect(sources).not.toEqual([]);

    const walks = sources.flatMap((name) =>
      findCursorWalks(`${room}/${name}`, readFileSync(join(PROJECT_ROOT, room, name), "utf8")),
    );

    expect(walks).toEqual([]);
  });

  it.each([
    "for await (const doc of db.files.find({})) use(doc);",
    "const docs = db.files.find({}).sort({ _id: 1 }); for await (const doc of docs) use(doc);",
    "const docs = db.files.aggregate<Doc>([]); for await (const doc of docs.project({})) use(doc);",
    "await db.files.find({}).forEach(use);",
  ])("and one that is would be seen: %s", (source) => {
    expect(findCursorWalks("db/x.ts", source)).toHaveLength(1);
  });
});
