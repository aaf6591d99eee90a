import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Document, MongoClient, ObjectId } from "mongodb";
import ts from "typescript";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { connectMongo, type Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import { readEvents } from "#db/events/event-history.server.ts";
import { exportFiles, listFileNames } from "#db/library-zip/export.server.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { removeAccountData } from "#db/operations/account-removal.server.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { startEngine } from "#tests/support/databases/engine.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { afterNoon, NOON } from "#tests/support/store.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";

needsEngine("it sets a fail point, of which a server has one for all");

/**
 * Long reads of every kind: whole, page by page, as an iterable, and during writes. Each returns the same when a cursor is lost on the
 * way.
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

const toId = (i: number) => new ObjectId((i + 1).toString(16).padStart(24, "0"));
/** The same time for three in a row, so that pages end between equals. */
const toMoment = (i: number) => afterNoon(Math.floor(i / 3));
const YESTERDAY = afterNoon(-DAY_MS);

type Fields = (i: number) => Document;

async function put(name: CollectionName, count: number, toDoc: Fields = () => ({})): Promise<void> {
  await mongo.collection(name).deleteMany({});
  const docs = Array.from({ length: count }, (_, i) => ({ _id: toId(i), user_id: "1", ...toDoc(i) }));
  if (docs.length > 0) await mongo.collection(name).insertMany(docs as Document[]);
}

const FILE = { version: 1, size_bytes: 10, lines: 1, deleted_at: null, expires_at: null };
const NOTE = { title: null, file_id: null, deleted_at: null };
const putFiles = (count: number) =>
  put("files", count, (i) => ({ ...FILE, file_name: `f${i}`, created_at: toMoment(i) }));
const putVersions = (count: number) =>
  put("file_versions", count, (i) => ({ file_id: toId(i), version: 1, size_bytes: 10 }));
const putNotes = (count: number) =>
  put("notes", count, (i) => ({ ...NOTE, content: `note ${i}`, updated_at: toMoment(i) }));

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

type LongRead = [what: string, met: number, fill: () => Promise<unknown>, run: () => Promise<unknown>];

/** Each fills the store, reads long, and returns the number of its results or the results. */
const LONG_READS: LongRead[] = [
  ["the names of an export", 300, () => putFiles(300), () => listFileNames(db, "1")],
  [
    "the files of an export",
    250,
    () => Promise.all([putFiles(250), putVersions(250)]),
    () => gather(exportFiles(db, "1", [...Array(250).keys()].map(toId))),
  ],
  [
    "the events of a window",
    1_100,
    () => put("events", 1_100, (i) => ({ event: "x", timestamp: toMoment(i) })),
    () => gather(readEvents(db, { start: YESTERDAY, end: afterNoon(DAY_MS) })),
  ],
  [
    "the removal of an account",
    750,
    async () => {
      await put("users", 1, () => ({ _id: "1", leaving_at: NOON }));
      await Promise.all([putFiles(450), putVersions(450), putNotes(300)]);
    },
    async () => {
      await removeAccountData(db, "1", () => NOON);
      const remaining = await Promise.all([db.files, db.notes, db.users].map((of) => of.countDocuments()));
      return 750 - remaining.reduce((sum, count) => sum + count, 0);
    },
  ],
];

describe("with a cursor lost on its way", () => {
  // Each takes seconds. By default two are drawn: the check of the sources below finds every cursor that stays open.
  it.each(drawCases("lost cursors", LONG_READS, 2))(
    "%s: it meets as many as without",
    async (_, met, fill, run) => {
      await fill();
      const expected = await run();
      expect(Array.isArray(expected) ? expected.length : expected).toBe(met);

      await fill();
      await loseCursors({ times: 1 });
      expect(await run()).toEqual(expected);
    },
  );

  it("a question is asked three times at most", async () => {
    await putFiles(300);
    await loseCursors("alwaysOn");

    await expect(listFileNames(db, "1")).rejects.toMatchObject({ code: 43 });
  });
});

/** Text in every source that walks through a driver's cursor by hand. */
const MAY_WALK = /\bfor await\b|\.(forEach|stream|next|hasNext)\(/;

/** Finds driver cursors that are walked through by hand: `for await` over a query, not over its documents. */
function findCursorWalks(path: string, source: string): string[] {
  if (!MAY_WALK.test(source)) return [];
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
});
