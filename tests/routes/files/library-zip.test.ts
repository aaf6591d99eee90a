import { randomBytes } from "node:crypto";
import type { Document } from "mongodb";
import { describe, expect, it } from "vitest";
import { fromBufferPromise } from "yauzl";
import { encodeZip, type ZipEntry } from "#app/web/answers/zip.ts";
import { setInstructions } from "#db/accounts/agent-instructions.server.ts";
import { setKeepRunResults, setKeyboardShortcuts, setUserTimezone } from "#db/accounts/users.server.ts";
import type { CollectionName } from "#db/collections.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { findFileByPath } from "#db/files/folders/folder-files.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { pinFile, toggleFavorite } from "#db/files/marks.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { recordHeartbeat } from "#db/jobs/workers.server.ts";
import { updateNote } from "#db/notes/notes.server.ts";
import { removeNote } from "#db/reminders/notes/deleted-notes.server.ts";
import { acknowledgeReminder, setReminder } from "#db/reminders/reminders.server.ts";
import { IMPORT_FORM_MAX_BYTES } from "#domain/library-zip/library-import.ts";
import { itemAt, required } from "#domain/required.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import {
  collect,
  EMPTY_EXPORT,
  listByOthers,
  packZip,
  workOffImports,
} from "#tests/support/files/library-zips.ts";
import { onBoard, onFile } from "#tests/support/given.ts";
import { sendRaw } from "#tests/support/raw-requests.ts";
import { NOON } from "#tests/support/store.ts";
import { itDrawn, itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { directoryOfFile } from "#tests/support/test-runs/temporary-directory.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { openTestWeb, toForm, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({ DATA_DIR: directoryOfFile("zip") });
const { db, given } = web;
const later = (ms: number) => new Date(NOON.getTime() + ms);

/** A library with everything: Hebrew, emoji, hostile names, a trash, histories, every kind of note and reminder. */
async function givenLibrary(id: string): Promise<void> {
  const save = (file_name: string, body: string, savedAt = NOON) =>
    given.saved(id, { file_name, body }, savedAt);
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
  const onTrashed = await given.note(id, { content: "goes too" }, onFile(trashed));
  await setReminder(db, id, onTrashed, later(HOUR_MS), NOON);
  await trashFile(db, id, trashed.id, later(60));

  const board = await given.board(id, "תוכניות");
  const plan = await given.note(id, { title: "Plan", content: "first" }, onBoard(board));
  for (const content of ["second", "third שלישי"])
    orThrow(await updateNote(db, id, plan.id, { content }, { now: later(20) }));
  const lines = { content: "- [ ] look", line_start: 1, line_end: 2, mode: "anchored" } as const;
  const anchored = await given.note(id, lines, onFile(main));
  const onRepo = await given.note(id, { title: "Repo", content: "why" });
  const gone = await given.note(id, { content: "deleted" });
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

/** A person with such a library, and its zip. */
async function givenExported(): Promise<{ dana: Visitor; bytes: Buffer }> {
  const dana = await web.person();
  await givenLibrary(dana.id);
  return { dana, bytes: await exported(dana) };
}

/** Ids, and numbers that an import assigns again. */
const MADE_ANEW: Partial<Record<CollectionName, string[]>> = {
  files: ["n", "unindexed"],
  file_versions: ["_id"],
  notes: ["user_slot", "target_slot"],
  boards: ["slot"],
  reminders: ["push_sent_to", "push_claim"],
};
const COMPARED = ["files", "file_versions", "file_bodies", "notes", "boards", "reminders"] as const;

/** Everything that is stored of a person, field by field. */
async function readLibrary(id: string): Promise<Record<string, unknown>> {
  const stored: Record<string, unknown> = {};
  for (const name of COMPARED) {
    const docs: Document[] = await web.mongo.collection(name).find({ user_id: id }).toArray();
    const lines = docs.map((doc) => {
      for (const field of MADE_ANEW[name] ?? []) delete doc[field];
      return JSON.stringify(Object.fromEntries(Object.entries(doc).sort(([a], [b]) => (a < b ? -1 : 1))));
    });
    stored[name] = lines.sort();
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
const idIn = (page: string) => required(/name="import_id" value="([\w-]+)"/.exec(page)?.[1]);
const zipFile = (bytes: Uint8Array, name = "export.zip") => new File([bytes as BlobPart], name);
const send = (visitor: Visitor, bytes: Uint8Array) => visitor.press(HERE, { zip: zipFile(bytes) });
const sendEmpty = async (visitor: Visitor) => send(visitor, await packZip(EMPTY_EXPORT));
const decide = (visitor: Visitor, intent: string, import_id: string) =>
  visitor.press(HERE, { intent, import_id });
const countChunks = ({ id }: Visitor) => db.library_import_chunks.countDocuments({ user_id: id });
const findImport = ({ id }: Visitor) => db.library_imports.findOne({ _id: id });
const IS_HERE = "is already in your library.";

/** The page that says what an import would do. */
async function look(visitor: Visitor, bytes: Uint8Array): Promise<string> {
  const { status, location } = await send(visitor, bytes);
  expect([status, location]).toEqual([303, HERE]);
  await workOffImports(web);
  return visitor.read(HERE);
}

/** The page that says what an import did. */
async function imported(visitor: Visitor, bytes: Uint8Array): Promise<string> {
  expect((await decide(visitor, "import", idIn(await look(visitor, bytes)))).status).toBe(303);
  await workOffImports(web);
  return visitor.read(HERE);
}

const deleteAll = (visitor: Visitor) =>
  visitor.press("/settings/delete", { confirmation: "Delete my account" });

async function readEntries(bytes: Buffer): Promise<Record<string, Buffer>> {
  const file = await fromBufferPromise(bytes);
  const entries: Record<string, Buffer> = {};
  for await (const entry of file.eachEntry())
    entries[entry.fileName] = Buffer.concat(await collect(await file.openReadStreamPromise(entry)));
  return entries;
}

it("an export is a zip that other programs read, with every text once and no secret of any kind", async () => {
  const { dana, bytes } = await givenExported();
  const entries = await readEntries(bytes);

  expect(required(entries["files/שלום 😀.py"]).toString()).toBe("def three():\n    return 3\r\n");
  const countIn = (folder: string) => Object.keys(entries).filter((path) => path.startsWith(folder)).length;
  expect([countIn("files/"), countIn("versions/")]).toEqual([3, 4]);
  const { counts } = JSON.parse(required(entries["manifest.json"]).toString());
  expect(counts).toEqual({ files: 4, boards: 2, notes: 5, reminders: 3 });
  const all = Object.values(entries).join("\n");
  const { sessions } = required(await db.users.findOne({ _id: dana.id }));
  for (const secret of [itemAt(sessions, 0).id, "digest", "endpoint", "push_sent_to"])
    expect(all).not.toContain(secret);
  expect(await listByOthers(bytes)).toHaveLength(13);
});

// Each import starts a thread, and some tests import several times.
describe("a round trip", { timeout: 120_000 }, () => {
  itInFullRun("through a deleted account loses nothing, to the millisecond", async () => {
    const { dana, bytes } = await givenExported();
    const before = await readLibrary(dana.id);
    expect((await deleteAll(dana)).status).toBe(303);
    expect((await dana.send("GET", "/api/files")).status).toBe(401);
    await dana.logIn(dana.id);
    expect(Object.values(await readLibrary(dana.id)).flat()).toHaveLength(2);

    await imported(dana, bytes);

    expect(await readLibrary(dana.id)).toEqual(before);
    expect((await dana.readJson("/api/files?q=three")).files).toHaveLength(1);
    expect((await exported(dana)).byteLength).toBeGreaterThan(0);
  });

  it("restores notes that were deleted since, with their reminders, and announces it first", async () => {
    const { dana, bytes } = await givenExported();
    const living = { user_id: dana.id, deleted_at: null };
    const readNotes = () => db.notes.find(living).sort({ _id: 1 }).toArray();
    const countReminders = () => db.reminders.countDocuments({ user_id: dana.id });
    const [notes, reminders] = [await readNotes(), await countReminders()];
    for (const { _id } of notes) await removeNote(db, dana.id, _id.toHexString(), later(200));
    expect(await db.notes.countDocuments(living)).toBe(1);

    const plan = await look(dana, bytes);
    expect(plan).not.toContain(IS_HERE);
    await decide(dana, "import", idIn(plan));
    await workOffImports(web);
    expect(await dana.read(HERE)).toContain("Import finished");

    expect(await readNotes()).toMatchObject(notes.map(({ content, title }) => ({ content, title })));
    expect(await countReminders()).toBe(reminders);
  });

  it("keeps folders, those without a file too, and a name that stands in several of them", async () => {
    const dana = await web.person();
    for (const path of ["a.py", "lib/a.py", "lib/כלים/a.py"]) await given.path(dana.id, path, `${path}\n`);
    await given.folder(dana.id, "empty");
    const bytes = await exported(dana);
    const entries = await readEntries(bytes);
    expect(required(entries["files/lib/כלים/a.py"]).toString()).toBe("lib/כלים/a.py\n");
    const noa = await web.person();

    await imported(noa, bytes);

    for (const path of ["a.py", "lib/a.py", "lib/כלים/a.py"])
      expect(await findFileByPath(db, noa.id, path)).toMatchObject({ file_name: "a.py", user_id: noa.id });
    const names = [...(await readFolders(db, noa.id)).values()].map(({ name }) => name);
    expect(names.toSorted()).toEqual(["empty", "lib", "כלים"]);
    expect(await look(noa, bytes)).toContain(IS_HERE);
  });

  it("into another account assigns new ids to another person's things, and twice changes nothing", async () => {
    const { dana, bytes } = await givenExported();
    const hers = await readLibrary(dana.id);
    const noa = await web.person();

    await imported(noa, bytes);

    const his = await readLibrary(noa.id);
    for (const name of COMPARED) expect(his[name]).toHaveLength((hers[name] as unknown[]).length);
    expect(await look(noa, bytes)).toContain(IS_HERE);
    expect(await readLibrary(noa.id)).toEqual(his);
    expect(await readLibrary(dana.id)).toEqual(hers);
  });

  it("into an account with content says so first and overwrites nothing", async () => {
    const { bytes } = await givenExported();
    const noa = await web.person();
    await given.file(noa.id, "manifest.json", "mine");
    await setUserTimezone(db, noa.id, "Europe/Paris");
    const before = await db.files.findOne({ user_id: noa.id });

    const page = await look(noa, bytes);
    expect(page).toContain("1 name is taken");
    expect(await db.files.countDocuments({ user_id: noa.id })).toBe(1);
    await decide(noa, "import", idIn(page));
    await workOffImports(web);

    expect(await db.files.findOne({ _id: required(before)._id })).toEqual(before);
    const files = await db.files.find({ user_id: noa.id, deleted_at: null }).toArray();
    const names = ['CON<>:"|?*.txt', "manifest (2).json", "manifest.json", "שלום 😀.py"];
    expect(files.map(({ file_name }) => file_name).sort()).toEqual(names);
    expect(await db.users.findOne({ _id: noa.id })).toMatchObject({ timezone: "Europe/Paris" });
  });
});

describe("the form", () => {
  it("that is too large is refused before any of it is sent", async () => {
    const dana = await web.person();
    const headers = {
      "Content-Type": "multipart/form-data; boundary=x",
      "Content-Length": IMPORT_FORM_MAX_BYTES + 1,
      Cookie: dana.cookieHeader,
    };
    const { status, body } = await sendRaw(web.url, { method: "POST", path: HERE, headers, body: null });

    expect(status).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ error: "payload_too_large", max: IMPORT_FORM_MAX_BYTES });
  });

  it("imports nobody else's zip, and none that was discarded", async () => {
    const [dana, noa] = [await web.person(), await web.person()];
    const id = idIn(await look(dana, await packZip(EMPTY_EXPORT)));
    expect((await decide(noa, "import", id)).status).toBe(404);
    expect((await decide(dana, "import", "../61")).status).toBe(404);
    expect((await decide(dana, "drop", id)).status).toBe(303);
    expect((await decide(dana, "import", id)).status).toBe(404);
    expect(await countChunks(dana)).toBe(0);
  });

  it("that is cancelled just as its check ends is cancelled, with one message and no plan", async () => {
    const dana = await web.person();
    await sendEmpty(dana);
    const id = idIn(await dana.read(HERE));
    await workOffImports(web);
    expect(await dana.read(HERE)).toContain("Nothing to import");

    for (const _ of ["first click", "second click"])
      expect(await decide(dana, "cancel", id)).toMatchObject({ status: 303, location: HERE });

    const page = await dana.read(HERE);
    expect(page).toContain("Import cancelled");
    expect(page).not.toMatch(/Nothing to import|no longer stored/);
    expect(await countChunks(dana)).toBe(0);
    expect((await decide(dana, "cancel", "another")).status).toBe(404);
  });

  it("that has a file of the trash says so and leads to the trash", async () => {
    const dana = await web.person();
    const { id } = await given.file(dana.id, "gone.py");
    const bytes = await exported(dana);
    expect(await look(dana, bytes)).toContain(IS_HERE);
    await trashFile(db, dana.id, id, NOON);

    const page = await look(dana, bytes);

    expect(page).toContain("1 file of this zip is in the trash.");
    expect(page).toContain('<a href="/trash">Open trash</a>');
    expect(page).toContain("Nothing to import");
    expect(page).not.toContain(IS_HERE);
  });

  it("stores one zip per person at a time", async () => {
    const dana = await web.person();
    for (let i = 0; i < 2; i += 1) await look(dana, await packZip(EMPTY_EXPORT));
    expect(await countChunks(dana)).toBe(1);
  });

  it("is stored unchanged, whatever its size", async () => {
    const dana = await web.person();
    const bytes = randomBytes(2 * 1024 * 1024 + 17);
    await send(dana, bytes);
    const chunks = await db.library_import_chunks.find({ user_id: dana.id }).sort({ _id: 1 }).toArray();
    expect(chunks.map((chunk) => chunk.bytes.length())).toEqual([1024 * 1024, 1024 * 1024, 17]);
    expect(Buffer.concat(chunks.map((chunk) => chunk.bytes.buffer)).equals(bytes)).toBe(true);
    await workOffImports(web);
    expect(await dana.read(HERE)).toContain("Not a zip file, or incomplete.");
    expect(await countChunks(dana)).toBe(0);
  });
});

describe("an import under way", () => {
  it("says that it waits for a worker, for its turn, or that imports are disabled, and reloads by itself", async () => {
    const dana = await web.person();
    await sendEmpty(dana);
    await db.workers.deleteMany({});
    const { html, headers } = await dana.show(HERE);
    expect(headers.get("Refresh")).toBe("3");
    expect(html).toContain("No worker is running.");
    expect(html).toContain("The zip is checked first.");

    await recordHeartbeat(db, "w1", NOON, web.clock());
    expect(await dana.read(HERE)).toContain("The import starts when a worker is free.");

    const run_id = required((await findImport(dana))?.run_id);
    await db.job_runs.updateOne({ _id: run_id }, { $set: { status: "skipped" } });
    expect(await dana.read(HERE)).toContain("Imports are turned off by your administrator.");

    await workOffImports(web);
    const done = await dana.show(HERE);
    expect(done.headers.get("Refresh")).toBeNull();
    expect(done.html).toContain(IS_HERE);
  });

  it("says how far it is", async () => {
    const dana = await web.person();
    await sendEmpty(dana);
    await recordHeartbeat(db, "w1", NOON, web.clock());
    const progress = { kind: "notes", processed: 1_200, total: 5_000 } as const;
    await db.library_imports.updateOne({ _id: dana.id }, { $set: { worker_id: "w1", progress } });
    const page = await dana.read(HERE);
    expect(page).toContain("Checking zip");
    expect(page).toContain("1,200 of 5,000");
    expect(page).toMatch(/<progress[^>]* max="5000" value="1200"|<progress[^>]* value="1200" max="5000"/);
    await workOffImports(web);
  });

  it("refuses a second one of the same person, and of nobody else", async () => {
    const [dana, noa] = [await web.person(), await web.person()];
    await sendEmpty(dana);
    const first = await findImport(dana);

    const { status, html } = await sendEmpty(dana);

    expect(status).toBe(409);
    expect(html).toContain("Another import is running.");
    expect(await findImport(dana)).toEqual(first);
    expect((await sendEmpty(noa)).status).toBe(303);
    await workOffImports(web);
  });

  it("is accepted once if two are sent at the same moment", async () => {
    const dana = await web.person();
    const answers = await Promise.all([1, 2, 3].map(() => sendEmpty(dana)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
    expect(await countChunks(dana)).toBe(1);
    await workOffImports(web);
  });

  it("that still waits is cancelled at once", async () => {
    const dana = await web.person();
    await sendEmpty(dana);
    expect((await decide(dana, "cancel", idIn(await dana.read(HERE)))).status).toBe(303);
    const page = await dana.read(HERE);
    expect(page).toContain("Import cancelled");
    expect(page).toContain("Nothing was imported.");
    expect(await countChunks(dana)).toBe(0);
    expect(await workOffImports(web)).toEqual([]);
  });

  itDrawn("zips fill their store", 3)(
    "is refused while the zips of all people fill their store",
    async () => {
      const dana = await web.person();
      const chunk = (i: number) => ({ _id: `others.${i}`, user_id: "none" }) as never;
      await db.library_import_chunks.insertMany(Array.from({ length: 4_096 }, (_, i) => chunk(i)));
      const { status, html } = await sendEmpty(dana);
      await db.library_import_chunks.deleteMany({ user_id: "none" });
      expect(status).toBe(503);
      expect(html).toContain("Too many imports are waiting.");
      expect((await sendEmpty(dana)).status).toBe(303);
      await workOffImports(web);
    },
  );
});

describe("deleting the account", () => {
  it("requires the confirming words, in any language", async () => {
    const dana = await web.person();
    await given.file(dana.id, "a.py");
    for (const confirmation of ["", "delete", "yes"]) {
      const { status, html } = await dana.press("/settings/delete", { confirmation });
      expect(status).toBe(400);
      expect(html).toContain('role="alert"');
    }
    expect(await db.files.countDocuments({ user_id: dana.id })).toBe(1);

    const deleted = await dana.press("/settings/delete", { confirmation: " מחיקת החשבון  שלי " });

    expect(deleted.status).toBe(303);
    expect(await db.users.findOne({ _id: dana.id })).toBeNull();
    expect(await db.files.countDocuments({ user_id: dana.id })).toBe(0);
    expect(await dana.read("/")).toContain("was deleted");
  });

  it("that was interrupted is finished when the person signs in again, who then starts over", async () => {
    const { id } = await web.person();
    await givenLibrary(id);
    await db.users.updateOne({ _id: id }, { $set: { leaving_at: NOON, sessions: [] } });

    const anew = await web.person(id);

    expect((await anew.readJson("/api/files")).files).toEqual([]);
    expect(await db.notes.countDocuments({ user_id: id })).toBe(0);
    expect((await anew.readJson("/api/me")).timezone).toBeNull();
  });

  it("in another process lets nobody in until it ends", async () => {
    const { id } = await web.person();
    const leaving = { leaving_at: NOON, sessions: [], removing_until: later(HOUR_MS) };
    await db.users.updateOne({ _id: id }, { $set: leaving });
    await expect(web.person(id)).rejects.toThrow("account_leaving");
  });
});

itInFullRun(
  "a zip with more entries than its plain numbers can tell is read whole by other programs and by us",
  async () => {
    async function* many(): AsyncGenerator<ZipEntry> {
      for (let i = 0; i < 66_000; i += 1)
        yield { name: `files/${i}`, content: Buffer.alloc(0), modifiedAt: NOON };
    }
    const bytes = Buffer.concat(await collect(encodeZip(many())));
    expect((await fromBufferPromise(bytes, { lazyEntries: true })).entryCount).toBe(66_000);
    const names = await listByOthers(bytes);
    expect([names.length, names.at(-1)]).toEqual([66_000, "files/65999"]);
  },
);

describe("a zip of code", () => {
  const CODE = { "a.py": "1\n", "lib/b.py": "2\n", "logo.png": new Uint8Array([0, 1, 2]) };
  const codeZip = async (name = "site.zip") => zipFile(await packZip(CODE), name);

  it("that is chosen for upload is imported into the chosen folder, and the page names what stays out", async () => {
    const dana = await web.person();
    const inbox = await given.folder(dana.id, "inbox");
    const sent = await dana.press("/upload", { folder: inbox.id, files: await codeZip() });
    expect([sent.status, sent.location]).toEqual([303, HERE]);
    await workOffImports(web);

    const plan = await dana.read(HERE);
    for (const words of ["inbox/site", "logo.png", "not UTF-8 text"]) expect(plan).toContain(words);
    expect((await decide(dana, "import", idIn(plan))).status).toBe(303);
    await workOffImports(web);

    expect(await findFileByPath(db, dana.id, "inbox/site/lib/b.py")).toMatchObject({ version: 1 });
    expect(await dana.read(HERE)).toContain("Import finished");
  });

  it("returns the id of its import to a script, from any page, and then its plan and its end", async () => {
    const doors = [
      { path: "/upload", field: "files" },
      { path: HERE, field: "zip" },
    ];
    for (const { path, field } of drawCases("pages that take zips", doors, 1)) {
      const dana = await web.person();
      const values = { [field]: await codeZip("Site.ZIP"), folder: "root" };
      const { status, body } = await dana.send("POST", path, toForm(values));
      await workOffImports(web);

      expect([status, body]).toEqual([202, { ok: true, import_id: expect.any(String) }]);
      expect((await findImport(dana))?.plan?.code?.folder).toBe("Site");
      const planned = (await dana.readJson(HERE)).import;
      const files = { added: 2, left: 1 };
      expect(planned).toMatchObject({ state: "checked", report: { kinds: { files } } });
      await decide(dana, "import", planned.import_id);
      await workOffImports(web);
      const ended_at = expect.stringMatching(/\.\d{3}\+00:00$/);
      const done = { ...planned, state: "done", ended_at };
      expect(await dana.readJson(HERE)).toMatchObject({ ok: true, import: done });
    }
  });

  it("is refused if its folder is gone, and nothing of it stays", async () => {
    const dana = await web.person();
    const answer = await dana.send("POST", HERE, toForm({ zip: await codeZip(), folder: "f".repeat(24) }));
    expect(answer).toMatchObject({ status: 404, body: { code: "folder_not_found" } });
    expect(await findImport(dana)).toBeNull();
    expect(await countChunks(dana)).toBe(0);
  });

  it("that is chosen with other files is left with a link to the import, and the others are saved", async () => {
    const dana = await web.person();
    const files = [new File(["1\n"], "a.py"), await codeZip()];
    const { status, html } = await dana.press("/upload", { files });
    expect(status).toBe(200);
    const alert = html.slice(html.indexOf('role="alert"'));
    expect(alert.slice(0, alert.indexOf("</ul>"))).toMatch(
      /site\.zip.*A zip can’t be saved with other files\..*<a href="\/settings\/export">Import this zip<\/a>/,
    );
    expect(await db.files.countDocuments({ user_id: dana.id })).toBe(1);
  });
});
