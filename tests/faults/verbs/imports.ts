import { Binary, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { LibraryImportDoc } from "#db/library-zip/documents.ts";
import { importFile } from "#db/library-zip/import-files.server.ts";
import { importBoard, importNote, importReminder } from "#db/library-zip/import-notes.server.ts";
import { importSettings } from "#db/library-zip/import-settings.server.ts";
import { createArchiveWriter } from "#db/library-zip/library-import-archives.server.ts";
import {
  claimImport,
  endImport,
  type HeldImport,
  recordImportProgress,
  releaseImport,
  requeueImport,
  setImportChecked,
} from "#db/library-zip/library-import-work.server.ts";
import {
  cancelImport,
  queueImport,
  queueImportCheck,
  removeImport,
  renewReceivingImport,
  startReceivingImport,
} from "#db/library-zip/library-imports.server.ts";
import { NO_DETAILS } from "#domain/files/file-details.ts";
import { NEW_NOTE } from "#domain/notes/note-schema.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { NOON } from "#tests/support/store.ts";
import { nothing, OWNER, row, type VerbRow } from "../verb-row.ts";
import { givenUsage, givenUser, inRepo, LATER, quietQueue } from "./given.ts";

const NAMED = { user_id: OWNER, import_id: "import1" };
const HELD = { ...NAMED, worker_id: "w1" } as unknown as HeldImport;
const PLAN = { files: 1 } as never;
const TEXT = { version: 1, file_name: "a.py", language: "python", created_at: NOON } as const;
const FILE = {
  ...{
    id: "f".repeat(24),
    file_name: "a.py",
    language: "python" as const,
    ...NO_DETAILS,
    repo: null,
    source_url: null,
  },
  ...{
    version: 2,
    last_version: 2,
    is_favorite: false,
    is_pinned: true,
    pin_slot: 0,
    created_at: NOON,
    updated_at: NOON,
  },
  ...{ last_opened_at: null, deleted_at: null, expires_at: null },
  versions: [
    { ...TEXT, path: "versions/1" },
    { ...TEXT, version: 2, path: "files/a.py" },
  ],
};
const NOTE = {
  ...{
    ...NEW_NOTE,
    id: "e".repeat(24),
    kind: "repo",
    file_id: null,
    board_id: null,
    repo_name: "dana/tools",
    repo_path: "a.py",
  },
  ...{
    content: "one",
    mode: "surface",
    anchor: null,
    history: [],
    created_at: NOON,
    updated_at: NOON,
    deleted_at: null,
  },
  ...{ expires_at: null, kept_reminder: null },
} as const;
const TWICE = { job_runs: "a run that was queued and then told to have failed finds nothing to do" };

async function givenImport(db: Db, more: Partial<LibraryImportDoc> = {}): Promise<void> {
  await db.library_imports.insertOne({
    ...{
      _id: OWNER,
      import_id: "import1",
      state: "importing",
      size_bytes: 1,
      held_until: LATER,
      queued_at: NOON,
    },
    ...{
      run_id: null,
      worker_id: null,
      progressed_at: null,
      attempts: 1,
      progress: null,
      plan: null,
      report: null,
    },
    ...{ damage: null, failure: null, ended_at: null, expires_at: LATER, ...more },
  } as LibraryImportDoc);
  const piece = {
    user_id: OWNER,
    import_id: "import1",
    bytes: new Binary(Buffer.from("zip")),
    expires_at: LATER,
  };
  await db.library_import_chunks.insertMany([0, 1].map((n) => ({ _id: `import1.${n}`, ...piece })));
}
const givenHeld = (db: Db) => givenImport(db, { worker_id: "w1" });

/** Does what the store does by itself at each piece's expiry. */
const expirePieces = (db: Db) =>
  db.library_import_chunks.deleteMany({ expires_at: { $lte: new Date(NOON.getTime() + 2 * DAY_MS) } });

/** Leftover pieces expire; nobody is asked to retry for them. */
const withPieces = <Given>(verb: VerbRow<Given>) =>
  row<Given>(verb.arrange, verb.act, {
    mayDiffer: verb.mayDiffer,
    finish: async (db, arranged) => {
      await verb.act(db, arranged);
      await expirePieces(db);
    },
    isSilent: true,
  });

export const IMPORT_VERBS: Record<string, VerbRow> = {
  "library-imports/startReceivingImport": row(
    (db) => givenImport(db, { state: "failed", ended_at: NOON }),
    (db) => startReceivingImport(db, OWNER, NOON),
    {
      finish: async (db) => {
        await startReceivingImport(db, OWNER, NOON);
        await expirePieces(db);
      },
      isSilent: true,
    },
  ),
  "library-imports/renewReceivingImport": row(
    (db) => givenImport(db, { state: "receiving" }),
    (db) => renewReceivingImport(db, NAMED, NOON),
  ),
  "library-imports/queueImportCheck": row(
    (db) => givenImport(db, { state: "receiving" }),
    (db) => queueImportCheck({ db, queue: quietQueue }, NAMED, { size_bytes: 7 }, NOON),
    { mayDiffer: TWICE },
  ),
  "library-imports/queueImport": row(
    (db) => givenImport(db, { state: "checked" }),
    (db) => queueImport({ db, queue: quietQueue }, NAMED, NOON),
    { mayDiffer: TWICE },
  ),
  "library-imports/removeImport": withPieces({
    arrange: (db) => givenImport(db, { state: "checked" }),
    act: (db) => removeImport(db, NAMED),
  }),
  "library-imports/cancelImport": withPieces({
    arrange: (db) => givenImport(db),
    act: (db) => cancelImport({ db }, NAMED, NOON),
  }),
  "library-import-work/claimImport": row(givenImport, (db) => claimImport(db, NAMED, "w1", ["w1"], NOON)),
  "library-import-work/recordImportProgress": row(givenHeld, (db) =>
    recordImportProgress(db, HELD, { done: 1 } as never, LATER),
  ),
  "library-import-work/releaseImport": row(givenHeld, (db) => releaseImport(db, HELD)),
  "library-import-work/endImport": withPieces({
    arrange: givenHeld,
    act: (db) => endImport(db, HELD, { state: "done", report: PLAN }, LATER),
  }),
  "library-import-work/setImportChecked": row(givenHeld, (db) => setImportChecked(db, HELD, PLAN)),
  "library-import-work/requeueImport": row(givenHeld, (db) => requeueImport(db, HELD, LATER)),
  "library-import-archives/createArchiveWriter": row(nothing, async (db) => {
    const writer = createArchiveWriter(db, NAMED, NOON, async () => {});
    await writer.write(Buffer.from("zip"));
    await writer.end();
  }),
  "import-files/importFile": row(
    (db) => givenUsage(db, 0),
    (db) =>
      importFile(
        db,
        OWNER,
        FILE.id,
        { ...FILE, folder: "", folder_id: null },
        async (path) => `print("${path}")\n`,
        NOON,
      ),
  ),
  "import-notes/importBoard": row(nothing, (db) => {
    const board = { id: "b".repeat(24), name: "Work", is_default: false, created_at: NOON, updated_at: NOON };
    return importBoard(db, OWNER, board.id, board);
  }),
  "import-notes/importNote": row(
    async (db) => {
      const remains = { ...NOTE, _id: new ObjectId(NOTE.id), user_id: OWNER, target: "repo:dana/tools:a.py" };
      const { id: _, ...deleted } = { ...remains, deleted_at: NOON, expires_at: LATER };
      await Promise.all([givenUsage(db, 3), db.notes.insertOne(deleted as never)]);
    },
    (db) => importNote(db, OWNER, NOTE.id, inRepo(), NOTE as never, { maxPerUser: 1000 }, NOON),
  ),
  "import-notes/importReminder": row(
    async () => new ObjectId().toHexString(),
    (db, id) => {
      const reminder = {
        note_id: id,
        remind_at: LATER,
        status: "pending",
        ack_at: null,
        created_at: NOON,
      } as const;
      return importReminder(
        db,
        OWNER,
        { id, file_id: null },
        { ...reminder, expires_at: null, push_at: LATER },
        NOON,
      );
    },
  ),
  "import-settings/importSettings": row(givenUser, (db) =>
    importSettings(db, OWNER, {
      ...{ locale: "he", timezone: "Asia/Jerusalem", keyboard_shortcuts: false, keep_run_results: true },
      ...{
        has_seen_welcome_modal: true,
        dismissed_announcements: ["a1"],
        agent_instructions: { text: "one", updated_at: NOON },
      },
    }),
  ),
};
