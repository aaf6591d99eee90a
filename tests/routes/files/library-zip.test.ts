import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Document } from "mongodb";
import { afterAll, describe, expect, it } from "vitest";
import { openPromise } from "yauzl";
import { type ZipEntry, zip } from "#app/http/answers/zip.ts";
import { setInstructions } from "#db/accounts/agent-instructions.server.ts";
import { setKeepRunResults, setKeyboardShortcuts, setUserTimezone } from "#db/accounts/users.server.ts";
import { createBoard } from "#db/boards/boards.server.ts";
import type { Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { pinFile, toggleFavorite } from "#db/files/marks.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { findFileByPath } from "#db/folders/folder-files.server.ts";
import { createFolder, readFolders } from "#db/folders/folders.server.ts";
import { recordHeartbeat } from "#db/jobs/workers.server.ts";
import { removeNote } from "#db/notes/deleted-notes.server.ts";
import { updateNote } from "#db/notes/notes.server.ts";
import { acknowledgeReminder, setReminder } from "#db/reminders/reminders.server.ts";
import { IMPORT_FORM_MAX_BYTES } from "#domain/files/library-import.ts";
import { itemAt, required } from "#domain/required.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import { collect, EMPTY_EXPORT, workOffImports, zipOf } from "#tests/support/files/library-zips.ts";
import { givenNote } from "#tests/support/notes/given-notes.ts";
import { NOON } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const directory = mkdtempSync(join(tmpdir(), "codeshelf-zip-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "10000", DATA_DIR: directory });
const { db } = web;
const later = (ms: number) => new Date(NOON.getTime() + ms);

/** A library with something of everything: Hebrew, emoji, hostile names, a trash, histories, every kind of note and reminder. */
async function givenLibrary(id: string): Promise<void> {
  const save = async (file_name: string, body: string, at = NOON) =>
    orThrow(await saveFile(db, id, { file_name, body }, at)).file;
  const main = await save("שלום 😀.py", "def one():\n    return 1\n");
  await save("שלום 😀.py", "def two():\n    return 2\n", later(5));
  await save("שלום 😀.py", "def three():\n    return 3\r\n", later(11));
  const odd = await save('CON<>:"|?*.txt', "");
  const manifest = await save("manifest.json", "{}");
  const trashed = await save("old.sh", "#!/bin/sh\n");
  await save("old.sh", "#!/bin/sh\necho 2\n", later(2));
  await toggleFavorite(db, id, main.id);
  await pinFile(db, id, odd.id);
  await pinFile(db, id, manifest.id);
  await updateDetails(db, id, main.id, { description: "מה זה", tags: ["one", "שתיים"] });
  const onTrashed = await givenNote(db, id, { content: "goes too" }, { kind: "file", file_id: trashed.id });
  await setReminder(db, id, onTrashed, later(HOUR_MS), NOON);
  await trashFile(db, id, trashed.id, later(60));

  const board = orThrow(await createBoard(db, id, "תוכניות", NOON));
  const onBoard = await givenNote(
    db,
    id,
    { title: "Plan", content: "first" },
    { kind: "board", board_id: board.id },
  );
  for (const content of ["second", "third שלישי"])
    orThrow(await updateNote(db, id, onBoard.id, { content }, { now: later(20) }));
  const anchored = await givenNote(
    db,
    id,
    { content: "- [ ] look", line_start: 1, line_end: 2, mode: "anchored" },
    { kind: "file", file_id: main.id },
  );
  const onRepo = await givenNote(db, id, { title: "Repo", content: "why" });
  const gone = await givenNote(db, id, { content: "deleted" });
  await setReminder(db, id, gone, later(HOUR_MS), NOON);
  orThrow(await removeNote(db, id, gone.id, later(30)));
  await setReminder(db, id, anchored, later(2 * HOUR_MS), NOON);
  await setReminder(db, id, onRepo, later(1), NOON);
  orThrow(await acknowledgeReminder(db, id, onRepo.id, null, later(90)));
  orThrow(await setInstructions(db, id, "Be brief. קצר", null, later(7)));
  await setUserTimezone(db, id, "Asia/Jerusalem");
  await setKeyboardShortcuts(db, id, false);
  await setKeepRunResults(db, id, false);
}

/** Ids of their own, and numbers that are given out anew wherever a document arrives. */
const MADE_ANEW: Partial<Record<CollectionName, string[]>> = {
  files: ["n", "unindexed"],
  file_versions: ["_id"],
  notes: ["user_slot", "target_slot"],
  boards: ["slot"],
  reminders: ["push_sent_to", "push_claim"],
};
const COMPARED = ["files", "file_versions", "file_bodies", "notes", "boards", "reminders"] as const;

/** All that is stored of a person, field by field. */
async function libraryOf(id: string): Promise<Record<string, unknown>> {
  const stored: Record<string, unknown> = {};
  for (const name of COMPARED) {
    const docs: Document[] = await web.mongo.collection(name).find({ user_id: id }).toArray();
    const kept = docs.map((doc) => {
      for (const field of MADE_ANEW[name] ?? []) delete doc[field];
      return JSON.stringify(Object.fromEntries(Object.entries(doc).sort(([a], [b]) => (a < b ? -1 : 1))));
    });
    stored[name] = kept.sort();
  }
  const user = required(await db.users.findOne({ _id: id }));
  const { locale, timezone, keyboard_shortcuts, keep_run_results, has_seen_welcome_modal } = user;
  stored.settings = { locale, timezone, keyboard_shortcuts, keep_run_results, has_seen_welcome_modal };
  stored.instructions = await db.agent_instructions.findOne({ _id: id });
  return stored;
}

async function exported(visitor: Visitor): Promise<Buffer> {
  const answer = await visitor.page("/settings/export/zip");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("application/zip");
  expect(answer.headers.get("Content-Disposition")).toContain("codeshelf-everything-2037-11-14.zip");
  return Buffer.from(await answer.arrayBuffer());
}

const HERE = "/settings/export";
const idIn = (page: string) => required(required(/name="import_id" value="([\w-]+)"/.exec(page))[1]);
const shown = async (visitor: Visitor) => (await visitor.page(HERE)).text();

async function send(visitor: Visitor, bytes: Uint8Array): Promise<Response> {
  const form = new FormData();
  form.set("zip", new File([bytes as BlobPart], "export.zip", { type: "application/zip" }));
  return visitor.submit(HERE, form);
}

const decide = (visitor: Visitor, intent: string, import_id: string) =>
  visitor.submit(HERE, { intent, import_id });

/** The page that says what an import would do. */
async function look(visitor: Visitor, bytes: Uint8Array): Promise<string> {
  const sent = await send(visitor, bytes);
  expect([sent.status, sent.headers.get("Location")]).toEqual([303, HERE]);
  await workOffImports(web);
  return shown(visitor);
}

/** The page that says what an import did. */
async function imported(visitor: Visitor, bytes: Uint8Array): Promise<string> {
  expect((await decide(visitor, "import", idIn(await look(visitor, bytes)))).status).toBe(303);
  await workOffImports(web);
  return shown(visitor);
}

async function deleteAll(visitor: Visitor): Promise<Response> {
  return visitor.submit("/settings/delete", { confirmation: "Delete my account" });
}

async function entriesOf(bytes: Buffer): Promise<Record<string, Buffer>> {
  const path = join(directory, "look.zip");
  writeFileSync(path, bytes);
  const file = await openPromise(path);
  const entries: Record<string, Buffer> = {};
  for await (const entry of file.eachEntry())
    entries[entry.fileName] = Buffer.concat(await collect(await file.openReadStreamPromise(entry)));
  return entries;
}

describe("an export", () => {
  it("has every text once, and no secret of any kind", async () => {
    const dana = await web.visitor().logIn("30");
    await givenLibrary("30");
    const entries = await entriesOf(await exported(dana));

    expect(required(entries["files/שלום 😀.py"]).toString()).toBe("def three():\n    return 3\r\n");
    expect(Object.keys(entries).filter((path) => path.startsWith("files/"))).toHaveLength(3);
    expect(Object.keys(entries).filter((path) => path.startsWith("versions/"))).toHaveLength(4);
    expect(JSON.parse(required(entries["manifest.json"]).toString()).counts).toEqual({
      files: 4,
      boards: 2,
      notes: 5,
      reminders: 3,
    });
    const all = Object.values(entries).join("\n");
    const { sessions } = required(await db.users.findOne({ _id: "30" }));
    for (const secret of [itemAt(sessions, 0).id, "digest", "endpoint", "push_sent_to"])
      expect(all).not.toContain(secret);
  });

  it("is a zip that other programs read", async () => {
    const dana = await web.visitor().logIn("31");
    await givenLibrary("31");
    const path = join(directory, "other.zip");
    writeFileSync(path, await exported(dana));
    const script =
      "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))";
    expect(execFileSync("python3", ["-c", script, path]).toString().trim()).toBe("None 13");
  });

  it("is for its owner alone", async () => {
    expect((await web.visitor().ask("/settings/export/zip")).status).toBe(401);
    expect((await web.visitor().page("/settings/export/zip")).status).toBe(302);
  });
});

// Each import begins a thread of its own, several of them here.
describe("a round trip", { timeout: 120_000 }, () => {
  it("through a deleted account loses nothing, to the millisecond", async () => {
    const dana = await web.visitor().logIn("32");
    await givenLibrary("32");
    const before = await libraryOf("32");
    const bytes = await exported(dana);
    expect((await deleteAll(dana)).status).toBe(303);
    expect((await dana.ask("/api/files")).status).toBe(401);
    await dana.logIn("32");
    expect(Object.values(await libraryOf("32")).flat()).toHaveLength(2);

    await imported(dana, bytes);

    expect(await libraryOf("32")).toEqual(before);
    const found = await (await dana.ask(`/api/files?q=${encodeURIComponent("three")}`)).json();
    expect(found.files).toHaveLength(1);
    expect((await exported(dana)).byteLength).toBeGreaterThan(0);
  });

  it("brings back notes that were deleted since, with their reminders, and says so first", async () => {
    const dana = await web.visitor().logIn("37");
    await givenLibrary("37");
    const bytes = await exported(dana);
    const living = { user_id: "37", deleted_at: null };
    const notes = await db.notes.find(living).sort({ _id: 1 }).toArray();
    const reminders = await db.reminders.countDocuments({ user_id: "37" });
    for (const { _id } of notes) await removeNote(db, "37", _id.toHexString(), later(200));
    expect(await db.notes.countDocuments(living)).toBe(1);

    expect(await look(dana, bytes)).not.toContain("is already in your library.");
    expect(await imported(dana, bytes)).toContain("Import finished");

    const back = await db.notes.find(living).sort({ _id: 1 }).toArray();
    expect(back.map(({ content, title }) => [content, title])).toEqual(
      notes.map(({ content, title }) => [content, title]),
    );
    expect(await db.reminders.countDocuments({ user_id: "37" })).toBe(reminders);
  });

  it("keeps folders, those without a file too, and a name that stands in several of them", async () => {
    const dana = await web.visitor().logIn("38");
    for (const folders of [[], ["lib"], ["lib", "כלים"]])
      orThrow(await putFile(db, "38", { file_name: "a.py", folders, body: `${folders.join("/")}\n` }, NOON));
    orThrow(await createFolder(db, "38", { name: "empty", parent_id: null }, NOON));
    const bytes = await exported(dana);
    const entries = await entriesOf(bytes);
    expect(required(entries["files/lib/כלים/a.py"]).toString()).toBe("lib/כלים\n");
    const noa = await web.visitor().logIn("39");

    await imported(noa, bytes);

    for (const path of ["a.py", "lib/a.py", "lib/כלים/a.py"])
      expect(await findFileByPath(db, "39", path)).toMatchObject({ file_name: "a.py", user_id: "39" });
    const names = [...(await readFolders(db, "39")).values()].map(({ name }) => name);
    expect(names.toSorted()).toEqual(["empty", "lib", "כלים"]);
    expect(await look(noa, bytes)).toContain("is already in your library.");
  });

  it("puts a folder whose name a file has under a numbered name, says so first, and twice changes nothing", async () => {
    const dana = await web.visitor().logIn("381");
    for (const folders of [["tools"], ["tools", "deep"]])
      orThrow(await putFile(db, "381", { file_name: "a.py", folders, body: `${folders.join("/")}\n` }, NOON));
    const bytes = await exported(dana);
    const noa = await web.visitor().logIn("391");
    for (const file_name of ["tools", "a.py"])
      orThrow(await putFile(db, "391", { file_name, folders: [], body: "hers\n" }, NOON));

    expect(await look(noa, bytes)).toContain("1 name is taken");
    await imported(noa, bytes);

    const paths = ["tools (2)/a.py", "tools (2)/deep/a.py", "tools", "a.py"];
    for (const path of paths) expect(await findFileByPath(db, "391", path), path).not.toBeNull();
    expect(await db.files.countDocuments({ user_id: "391" })).toBe(paths.length);
    const again = await look(noa, bytes);
    expect(again).toContain("is already in your library.");
    expect(again).not.toContain("name is taken");
  });

  it("into another account gives what is somebody else's ids of its own, and twice changes nothing", async () => {
    const dana = await web.visitor().logIn("33");
    await givenLibrary("33");
    const hers = await libraryOf("33");
    const bytes = await exported(dana);
    const noa = await web.visitor().logIn("34");

    await imported(noa, bytes);

    const his = await libraryOf("34");
    for (const name of COMPARED) expect(his[name]).toHaveLength((hers[name] as unknown[]).length);
    expect(await look(noa, bytes)).toContain("is already in your library.");
    await imported(noa, bytes);
    expect(await libraryOf("34")).toEqual(his);
    expect(await libraryOf("33")).toEqual(hers);
  });

  it("into an account with things of its own says so first and overwrites nothing", async () => {
    const dana = await web.visitor().logIn("35");
    await givenLibrary("35");
    const bytes = await exported(dana);
    const noa = await web.visitor().logIn("36");
    await saveFile(db, "36", { file_name: "manifest.json", body: "mine" }, NOON);
    await setUserTimezone(db, "36", "Europe/Paris");
    const before = await db.files.findOne({ user_id: "36" });

    const page = await look(noa, bytes);
    expect(page).toContain("1 name is taken");
    expect(await db.files.countDocuments({ user_id: "36" })).toBe(1);
    await decide(noa, "import", idIn(page));
    await workOffImports(web);

    expect(await db.files.findOne({ _id: required(before)._id })).toEqual(before);
    const names = (await db.files.find({ user_id: "36", deleted_at: null }).toArray()).map(
      (f) => f.file_name,
    );
    expect(names.sort()).toEqual(['CON<>:"|?*.txt', "manifest (2).json", "manifest.json", "שלום 😀.py"]);
    expect(required(await db.users.findOne({ _id: "36" })).timezone).toBe("Europe/Paris");
  });

  it.each([1, 6, 13, 18])(
    "that was cut off after %i writes is finished by doing it again",
    async (writes) => {
      const id = String(400 + writes);
      const dana = await web.visitor().logIn(id);
      await givenLibrary(id);
      const before = await libraryOf(id);
      const bytes = await exported(dana);
      await deleteAll(dana);
      await dana.logIn(id);
      await decide(dana, "import", idIn(await look(dana, bytes)));
      await expect(workOffImports(web, { db: dyingAfter(writes) })).rejects.toThrow("killed");
      expect(await libraryOf(id)).not.toEqual(before);
      expect(await shown(dana)).toContain("Import the zip again to add the rest.");

      await imported(dana, bytes);

      expect(await libraryOf(id)).toEqual(before);
    },
  );
});

/** Writes so often, and dies there. */
function dyingAfter(writes: number): Db {
  let left = writes;
  const mortal = <T extends object>(collection: T): T =>
    new Proxy(collection, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        if (!["insertOne", "updateOne"].includes(String(name))) return value.bind(target);
        return (...args: unknown[]) => {
          if (left === 0) throw new Error("killed");
          left -= 1;
          return value.apply(target, args);
        };
      },
    });
  const { files, file_bodies, file_versions, notes, boards, reminders } = db;
  const dying = { files, file_bodies, file_versions, notes, boards, reminders };
  return {
    ...db,
    ...(Object.fromEntries(Object.entries(dying).map(([name, c]) => [name, mortal(c)])) as object),
  };
}

describe("the form", () => {
  it("that has no zip says so", async () => {
    const dana = await web.visitor().logIn("60");
    expect((await send(dana, new Uint8Array())).status).toBe(400);
    const answer = await dana.ask("/settings/export", {
      method: "POST",
      body: "x",
      headers: { "Content-Type": "text/plain" },
    });
    expect(answer.status).toBe(400);
  });

  it("that is too large is turned away at the door, before any of it is sent", async () => {
    const dana = await web.visitor().logIn("64");
    const announced = (bytes: number) =>
      new Promise<{ status?: number; body: string }>((resolve, reject) => {
        const sending = request(`${web.url}/settings/export`, {
          method: "POST",
          headers: {
            "Content-Type": "multipart/form-data; boundary=x",
            "Content-Length": bytes,
            Cookie: [...dana.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
          },
        });
        sending.on("response", async (answer) => {
          const body = Buffer.concat(await collect(answer)).toString();
          resolve({ status: answer.statusCode, body });
          sending.destroy();
        });
        sending.on("error", reject).flushHeaders();
      });

    const { status, body } = await announced(IMPORT_FORM_MAX_BYTES + 1);

    expect(status).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ error: "payload_too_large", max: IMPORT_FORM_MAX_BYTES });
  });

  it("imports nobody else's zip, and none that was discarded", async () => {
    const dana = await web.visitor().logIn("61");
    const id = idIn(await look(dana, await zipOf(EMPTY_EXPORT)));
    const noa = await web.visitor().logIn("62");
    expect((await decide(noa, "import", id)).status).toBe(404);
    expect((await decide(dana, "import", "../61")).status).toBe(404);
    expect((await decide(dana, "drop", id)).status).toBe(303);
    expect((await decide(dana, "import", id)).status).toBe(404);
    expect(await db.library_import_chunks.countDocuments({ user_id: "61" })).toBe(0);
  });

  it("that is cancelled just as its check ends is cancelled, with one message and no plan", async () => {
    const dana = await web.visitor().logIn("67");
    await send(dana, await zipOf(EMPTY_EXPORT));
    const id = idIn(await shown(dana));
    await workOffImports(web);
    expect(await shown(dana)).toContain("Nothing to import");

    for (const _ of ["first click", "second click"]) {
      const answer = await decide(dana, "cancel", id);
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, HERE]);
    }

    const page = await shown(dana);
    expect(page).toContain("Import cancelled");
    expect(page).not.toContain("Nothing to import");
    expect(page).not.toContain("no longer stored");
    expect(await db.library_import_chunks.countDocuments({ user_id: "67" })).toBe(0);
    expect((await decide(dana, "cancel", "another")).status).toBe(404);
  });

  it("that has a file of the trash says so and leads to the trash", async () => {
    const dana = await web.visitor().logIn("68");
    const { file } = orThrow(await saveFile(db, "68", { file_name: "gone.py", body: "x" }, NOON));
    const bytes = await exported(dana);
    expect(await look(dana, bytes)).toContain("is already in your library.");
    await trashFile(db, "68", file.id, NOON);

    const page = await look(dana, bytes);

    expect(page).toContain("1 file of this zip is in the trash.");
    expect(page).toContain('<a href="/trash">Open trash</a>');
    expect(page).toContain("Nothing to import");
    expect(page).not.toContain("is already in your library.");
    expect(await look(dana, await exported(dana))).toContain("is already in your library.");
  });

  it("keeps one zip of a person at a time", async () => {
    const dana = await web.visitor().logIn("63");
    for (let i = 0; i < 3; i += 1) await look(dana, await zipOf(EMPTY_EXPORT));
    expect(await db.library_import_chunks.countDocuments({ user_id: "63" })).toBe(1);
  });

  it("answers a script with the import's id", async () => {
    const dana = await web.visitor().logIn("65");
    const form = new FormData();
    form.set("zip", new File([await zipOf(EMPTY_EXPORT)] as BlobPart[], "export.zip"));
    const answer = await dana.ask(HERE, { method: "POST", body: form });
    expect(answer.status).toBe(202);
    const { import_id } = required(await db.library_imports.findOne({ _id: "65" }));
    expect(await answer.json()).toEqual({ ok: true, import_id });
    await workOffImports(web);
  });

  it("is stored as it came, whatever its size", async () => {
    const dana = await web.visitor().logIn("66");
    const bytes = randomBytes(2 * 1024 * 1024 + 17);
    await send(dana, bytes);
    const chunks = await db.library_import_chunks.find({ user_id: "66" }).sort({ _id: 1 }).toArray();
    expect(chunks.map((chunk) => chunk.bytes.length())).toEqual([1024 * 1024, 1024 * 1024, 17]);
    expect(Buffer.concat(chunks.map((chunk) => chunk.bytes.buffer)).equals(bytes)).toBe(true);
    await workOffImports(web);
    expect(await shown(dana)).toContain("Not a zip file, or incomplete.");
    expect(await db.library_import_chunks.countDocuments({ user_id: "66" })).toBe(0);
  });
});

describe("an import under way", () => {
  it("says that it waits for a worker, for its turn, or that imports are switched off, and asks again by itself", async () => {
    const dana = await web.visitor().logIn("80");
    await send(dana, await zipOf(EMPTY_EXPORT));
    await db.workers.deleteMany({});
    const page = await dana.page(HERE);
    expect(page.headers.get("Refresh")).toBe("3");
    const words = await page.text();
    expect(words).toContain("No worker is running.");
    expect(words).toContain("The zip is checked first.");

    await recordHeartbeat(db, "w1", NOON, web.clock());
    expect(await shown(dana)).toContain("The import starts when a worker is free.");

    const { run_id } = required(await db.library_imports.findOne({ _id: "80" }));
    await db.job_runs.updateOne({ _id: required(run_id) }, { $set: { status: "skipped" } });
    expect(await shown(dana)).toContain("Imports are turned off by your administrator.");

    await workOffImports(web);
    const done = await dana.page(HERE);
    expect(done.headers.get("Refresh")).toBeNull();
    expect(await done.text()).toContain("is already in your library.");
  });

  it("says how far it is", async () => {
    const dana = await web.visitor().logIn("81");
    await send(dana, await zipOf(EMPTY_EXPORT));
    await recordHeartbeat(db, "w1", NOON, web.clock());
    const progress = { kind: "notes", processed: 1_200, total: 5_000 } as const;
    await db.library_imports.updateOne({ _id: "81" }, { $set: { worker_id: "w1", progress } });
    const page = await shown(dana);
    expect(page).toContain("Checking zip");
    expect(page).toContain("1,200 of 5,000");
    expect(page).toMatch(/<progress[^>]* max="5000" value="1200"|<progress[^>]* value="1200" max="5000"/);
    await workOffImports(web);
  });

  it("refuses a second one of the same person, and of nobody else", async () => {
    const dana = await web.visitor().logIn("82");
    await send(dana, await zipOf(EMPTY_EXPORT));
    const first = await db.library_imports.findOne({ _id: "82" });

    const second = await send(dana, await zipOf(EMPTY_EXPORT));

    expect(second.status).toBe(409);
    expect(await second.text()).toContain("Another import is running.");
    expect(await db.library_imports.findOne({ _id: "82" })).toEqual(first);
    const noa = await web.visitor().logIn("83");
    expect((await send(noa, await zipOf(EMPTY_EXPORT))).status).toBe(303);
    await workOffImports(web);
    expect((await send(dana, await zipOf(EMPTY_EXPORT))).status).toBe(303);
    await workOffImports(web);
  });

  it("is taken once where two are sent at the same moment", async () => {
    const dana = await web.visitor().logIn("84");
    const bytes = await zipOf(EMPTY_EXPORT);
    const answers = await Promise.all([1, 2, 3].map(() => send(dana, bytes)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
    expect(await db.library_import_chunks.countDocuments({ user_id: "84" })).toBe(1);
    await workOffImports(web);
  });

  it("that still waits is cancelled at once", async () => {
    const dana = await web.visitor().logIn("85");
    await send(dana, await zipOf(EMPTY_EXPORT));
    expect((await decide(dana, "cancel", idIn(await shown(dana)))).status).toBe(303);
    const page = await shown(dana);
    expect(page).toContain("Import cancelled");
    expect(page).toContain("Nothing was imported.");
    expect(await db.library_import_chunks.countDocuments({ user_id: "85" })).toBe(0);
    expect(await workOffImports(web)).toEqual([]);
  });

  it("is refused while the zips of all people fill their store", async () => {
    const dana = await web.visitor().logIn("87");
    const others = Array.from(
      { length: 4_096 },
      (_, i) => ({ _id: `others.${i}`, user_id: "none" }) as never,
    );
    await db.library_import_chunks.insertMany(others);
    const answer = await send(dana, await zipOf(EMPTY_EXPORT));
    await db.library_import_chunks.deleteMany({ user_id: "none" });
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain("Too many imports are waiting.");
    expect((await send(dana, await zipOf(EMPTY_EXPORT))).status).toBe(303);
    await workOffImports(web);
  });

  it("goes with the account", async () => {
    const dana = await web.visitor().logIn("86");
    await send(dana, await zipOf(EMPTY_EXPORT));
    expect(await db.library_import_chunks.countDocuments({ user_id: "86" })).toBe(1);
    expect((await deleteAll(dana)).status).toBe(303);
    expect(await db.library_imports.findOne({ _id: "86" })).toBeNull();
    expect(await db.library_import_chunks.countDocuments({ user_id: "86" })).toBe(0);
  });
});

describe("deleting the account", () => {
  it("takes the words that confirm it, in any language, and nothing less", async () => {
    const dana = await web.visitor().logIn("70");
    await saveFile(db, "70", { file_name: "a.py", body: "x" }, NOON);
    for (const confirmation of ["", "delete", "yes"]) {
      const answer = await dana.submit("/settings/delete", { confirmation });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('role="alert"');
    }
    expect(await db.files.countDocuments({ user_id: "70" })).toBe(1);

    expect((await dana.submit("/settings/delete", { confirmation: " מחיקת החשבון  שלי " })).status).toBe(303);

    expect(await db.users.findOne({ _id: "70" })).toBeNull();
    expect(await db.files.countDocuments({ user_id: "70" })).toBe(0);
    expect(await (await dana.page("/")).text()).toContain("was deleted");
  });

  it("that was cut off is finished when the person signs in again, who then begins anew", async () => {
    await web.visitor().logIn("71");
    await givenLibrary("71");
    await db.users.updateOne({ _id: "71" }, { $set: { leaving_at: NOON, sessions: [] } });

    const anew = await web.visitor().logIn("71");

    expect((await (await anew.ask("/api/files")).json()).files).toEqual([]);
    expect(await db.notes.countDocuments({ user_id: "71" })).toBe(0);
    expect((await (await anew.ask("/api/me")).json()).timezone).toBeNull();
  });

  it("that another process is at lets nobody in meanwhile", async () => {
    await web.visitor().logIn("72");
    const leaving = { leaving_at: NOON, sessions: [], removing_until: later(HOUR_MS) };
    await db.users.updateOne({ _id: "72" }, { $set: leaving });
    await expect(web.visitor().logIn("72")).rejects.toThrow("account_leaving");
  });
});

describe("a zip with more entries than its plain numbers can tell", () => {
  it("is read whole by other programs and by us", async () => {
    async function* many(): AsyncGenerator<ZipEntry> {
      for (let i = 0; i < 66_000; i += 1)
        yield { name: `files/${i}`, content: Buffer.alloc(0), modifiedAt: NOON };
    }
    const path = join(directory, "many.zip");
    writeFileSync(path, Buffer.concat(await collect(zip(many()))));
    expect((await openPromise(path, { lazyEntries: true })).entryCount).toBe(66_000);
    const script =
      "import sys,zipfile; names=zipfile.ZipFile(sys.argv[1]).namelist(); print(len(names), names[-1])";
    expect(execFileSync("python3", ["-c", script, path]).toString().trim()).toBe("66000 files/65999");
  });
});

describe("a zip of code", () => {
  const CODE = { "a.py": "1\n", "lib/b.py": "2\n", "logo.png": new Uint8Array([0, 1, 2]) };

  it("that is chosen for upload is imported into the chosen folder, and the page names what stays out", async () => {
    const dana = await web.visitor().logIn("80");
    const folder = orThrow(await createFolder(db, "80", { name: "inbox", parent_id: null }, web.clock()));
    const form = new FormData();
    form.set("folder", folder.id);
    form.set("files", new File([(await zipOf(CODE)) as BlobPart], "site.zip"));
    const sent = await dana.submit("/upload", form);
    expect([sent.status, sent.headers.get("Location")]).toEqual([303, HERE]);
    await workOffImports(web);

    const plan = await shown(dana);
    expect(plan).toContain("inbox/site");
    expect(plan).toContain("logo.png");
    expect(plan).toContain("not UTF-8 text");
    expect((await decide(dana, "import", idIn(plan))).status).toBe(303);
    await workOffImports(web);

    expect(await findFileByPath(db, "80", "inbox/site/lib/b.py")).toMatchObject({ version: 1 });
    expect(await shown(dana)).toContain("Import finished");
  });

  it("is answered to a script with the id of its import, on both pages, and then with its plan and its end", async () => {
    const bytes = await zipOf(CODE);
    const sendAs = async (id: string, path: string, field: string) => {
      const form = new FormData();
      form.set(field, new File([bytes as BlobPart], "Site.ZIP"));
      form.set("folder", "root");
      return (await web.visitor().logIn(id)).ask(path, { method: "POST", body: form });
    };
    const answers = [await sendAs("81", "/upload", "files"), await sendAs("82", HERE, "zip")];
    await workOffImports(web);

    for (const answer of answers) {
      expect(answer.status).toBe(202);
      expect(await answer.json()).toEqual({ ok: true, import_id: expect.any(String) });
    }
    const docs = await db.library_imports.find({ _id: { $in: ["81", "82"] } }).toArray();
    expect(docs.map(({ plan }) => plan?.code?.folder)).toEqual(["Site", "Site"]);
    const script = await web.visitor().logIn("82");
    const read = async () => (await script.ask(HERE, { headers: { Accept: "application/json" } })).json();
    const planned = (await read()).import;
    expect(planned).toMatchObject({ state: "checked", report: { kinds: { files: { added: 2, left: 1 } } } });
    await decide(script, "import", planned.import_id);
    await workOffImports(web);
    const ended_at = expect.stringMatching(/\.\d{3}\+00:00$/);
    expect(await read()).toMatchObject({ ok: true, import: { ...planned, state: "done", ended_at } });
  });

  it("is refused where its folder is gone, and nothing of it stays", async () => {
    const dana = await web.visitor().logIn("83");
    const form = new FormData();
    form.set("zip", new File([(await zipOf(CODE)) as BlobPart], "site.zip"));
    form.set("folder", "f".repeat(24));
    const answer = await dana.ask(HERE, { method: "POST", body: form });

    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "folder_not_found" });
    expect(await db.library_imports.findOne({ _id: "83" })).toBeNull();
    expect(await db.library_import_chunks.countDocuments({ user_id: "83" })).toBe(0);
  });

  it("that is chosen with other files is refused with a link to the import, and nothing is saved", async () => {
    const dana = await web.visitor().logIn("84");
    const form = new FormData();
    form.append("files", new File(["1\n"], "a.py"));
    form.append("files", new File([(await zipOf(CODE)) as BlobPart], "site.zip"));
    const sent = await dana.submit("/upload", form);
    expect(sent.status).toBe(415);
    const html = await sent.text();
    const alert = html.slice(html.indexOf('role="alert"'));
    expect(alert.slice(0, alert.indexOf("</p>"))).toMatch(
      /site\.zip.*A zip can’t be saved with other files\..*<a href="\/settings\/export">Import this zip<\/a>/,
    );
    expect(await db.files.countDocuments({ user_id: "84" })).toBe(0);
  });
});
