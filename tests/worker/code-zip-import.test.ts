import { describe, expect, it } from "vitest";
import { saveFile } from "#db/files/files.server.ts";
import { findFileByPath } from "#db/files/folders/folder-files.server.ts";
import { createFolder, readFolders } from "#db/files/folders/folders.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import { findImport, queueImport, type ReceivedZip } from "#db/library-zip/library-imports.server.ts";
import { toItemPath } from "#domain/files/folders/folder-tree.ts";
import { CODE_FILES_MAX } from "#domain/library-zip/code-zip.ts";
import { required } from "#domain/required.ts";
import { type Entries, packZip, sendZip, workOffImports } from "#tests/support/files/library-zips.ts";
import { openTestStore } from "#tests/support/store.ts";
import { itDrawn, itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const store = await openTestStore();
const { db, clock } = store;
const queue = { send: async () => {} } as unknown as Queue;
const find = async (ownerId: string) => required(await findImport(db, ownerId, clock()));

/** Sends a zip, checks it and, unless only its plan is needed, imports it. */
async function importZip(
  ownerId: string,
  entries: Entries | Uint8Array,
  about: Omit<ReceivedZip, "size_bytes"> = { zip_name: "site.zip" },
) {
  const bytes = entries instanceof Uint8Array ? entries : await packZip(entries as Entries);
  const handle = await sendZip(store, queue, ownerId, bytes, about);
  const [checked] = await workOffImports(store);
  if (checked?.outcome !== "checked") return { checked, plan: null, report: null };
  const { plan } = await find(ownerId);
  expect(await queueImport({ db, queue }, handle, clock())).toBeNull();
  await workOffImports(store);
  const { state, report } = await find(ownerId);
  expect(state).toBe("done");
  return { checked, plan, report };
}

async function listPaths(ownerId: string): Promise<string[]> {
  const tree = await readFolders(db, ownerId);
  const docs = await db.files.find({ user_id: ownerId, deleted_at: null }).toArray();
  return docs.map(({ folder_id, file_name }) => toItemPath(tree, folder_id ?? null, file_name)).sort();
}

describe("a zip of code", { timeout: 120_000 }, () => {
  it("imports its texts into its folder, as its plan says before", async () => {
    const entries = { "repo-main/README.md": "# Hi", "repo-main/src/שלום.py": "print(1)\n" };
    const { plan, report } = await importZip("60", entries);

    expect(plan).toMatchObject({
      made_at: null,
      kinds: { files: { added: 2 } },
      code: { folder: "repo-main" },
    });
    expect(report).toEqual(plan);
    expect(await listPaths("60")).toEqual(["repo-main/README.md", "repo-main/src/שלום.py"]);
    expect(await db.library_import_chunks.countDocuments({})).toBe(0);
  });

  it("without one folder around all gets one with its name, in the folder that was chosen", async () => {
    const folder = orThrow(await createFolder(db, "61", { name: "inbox", parent_id: null }, clock()));
    const about = { zip_name: "site.zip", folder_id: folder.id };
    const { report } = await importZip("61", { "index.html": "<p>", "css/a.css": "p{}" }, about);

    expect(report?.code?.folder).toBe("inbox/site");
    expect(await listPaths("61")).toEqual(["inbox/site/css/a.css", "inbox/site/index.html"]);
  });

  it("makes a version of a text that changed, and leaves one that is the same", async () => {
    await importZip("62", { "p/same.py": "1", "p/other.py": "1" });
    const { plan, report } = await importZip("62", { "p/same.py": "1", "p/other.py": "2", "p/new.py": "3" });

    const kinds = { files: { added: 1, here: 2, left: 0 }, versions: { added: 2, here: 1 } };
    expect(plan).toMatchObject({ kinds });
    expect(report).toMatchObject({ kinds });
    expect(await findFileByPath(db, "62", "p/other.py")).toMatchObject({ version: 2 });
    expect(await findFileByPath(db, "62", "p/same.py")).toMatchObject({ version: 1 });
  });

  it("says why each file stays out, and counts the junk", async () => {
    const { report } = await importZip("63", {
      "p/a.py": "1",
      "p/logo.png": new Uint8Array([0x89, 0x50, 0, 1]),
      "p/huge.txt": "x".repeat(2 * 1024 * 1024 + 1),
      "../../etc/passwd": "x",
      "/etc/shadow": "x",
      "p/e\u0301.py": "1",
      "p/\u00e9.py": "2",
      "p/node_modules/x/index.js": "1",
      "p/node_modules/y/index.js": "1",
      "p/.DS_Store": "1",
    });

    expect(report?.kinds.files).toEqual({ added: 2, here: 0, left: 5 });
    expect(report?.code?.junk).toEqual([
      { name: "node_modules", count: 2 },
      { name: ".DS_Store", count: 1 },
    ]);
    expect(report?.code?.left_out).toEqual([
      { path: "p/huge.txt", why: "too_large" },
      { path: "../../etc/passwd", why: "outside" },
      { path: "/etc/shadow", why: "outside" },
      { path: "p/\u00e9.py", why: "duplicate" },
      { path: "p/logo.png", why: "not_text" },
    ]);
    expect(await listPaths("63")).toEqual(["p/a.py", "p/\u00e9.py"]);
  });

  itDrawn("what stays out of a zip", 3)(
    "leaves out an encrypted entry, a link and a damaged one, and brings the others",
    async () => {
      const bytes = await packZip({ "p/a.py": "1", "p/b.py": "2", "p/c.py": "3", "p/d.py": "4".repeat(99) });
      const ENCRYPTED = 1;
      const ENCRYPTION_HEADER_BYTES = 12;
      const LINK = 0o120777;
      directoryEntry(bytes, "p/b.py").flag(ENCRYPTED);
      directoryEntry(bytes, "p/b.py").packed(1 + ENCRYPTION_HEADER_BYTES);
      directoryEntry(bytes, "p/c.py").mode(LINK);
      directoryEntry(bytes, "p/d.py").checksum(7);
      const { report } = await importZip("64", bytes);

      expect(report?.code?.left_out).toEqual([
        { path: "p/b.py", why: "encrypted" },
        { path: "p/c.py", why: "not_a_file" },
        { path: "p/d.py", why: "damaged" },
      ]);
      expect(await listPaths("64")).toEqual(["p/a.py"]);
    },
  );

  itDrawn("a manifest of its own", 3)("is no export because it has a manifest.json of its own", async () => {
    await importZip("65", { "manifest.json": '{"name":"extension"}', "settings.json": "{}" });

    expect(await listPaths("65")).toEqual(["site/manifest.json", "site/settings.json"]);
  });

  itInFullRun("that unpacks to far more than its size is refused completely", async () => {
    const zeros = "0".repeat(2 * 1024 * 1024);
    const entries = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`p/${i}.txt`, zeros]));
    const { checked } = await importZip("66", entries);

    expect(checked).toEqual({ outcome: "refused", why: "bomb" });
    expect(await listPaths("66")).toEqual([]);
  });

  itDrawn("entries that share bytes", 3)(
    "whose entries share their bytes is refused whole, with the name of one",
    async () => {
      const bytes = await packZip({ "p/a.py": "1", "p/b.py": "2" });
      directoryEntry(bytes, "p/b.py").offset(0);
      const { checked } = await importZip("70", bytes);

      expect(checked).toEqual({ outcome: "refused", why: "overlapping" });
      expect((await find("70")).damage).toEqual({ why: "overlapping", entry: "p/b.py" });
    },
  );

  itDrawn("too many files", 3)("with too many files for a library is refused completely", async () => {
    const entries = Object.fromEntries(Array.from({ length: CODE_FILES_MAX + 1 }, (_, i) => [`p/${i}`, ""]));
    const { checked } = await importZip("67", entries);

    expect(checked).toEqual({ outcome: "refused", why: "too_many_entries" });
  });

  it("without enough room says so and imports nothing", async () => {
    const within = { ...store, db: { ...db, limits: { maxLibraryBytes: 5, uploadsPerMinute: 1 } } };
    await sendZip(store, queue, "68", await packZip({ "p/a.py": "123", "p/b.py": "123" }));

    expect(await workOffImports(within)).toEqual([{ outcome: "library_full" }]);
    expect(await listPaths("68")).toEqual([]);
  });

  itInFullRun("whose worker was lost is counted once by the attempt that ends it", async () => {
    const handle = await sendZip(store, queue, "69", await packZip({ "p/a.py": "1", "p/b.py": "2" }));
    await workOffImports(store);
    await queueImport({ db, queue }, handle, clock());
    const folder = orThrow(await createFolder(db, "69", { name: "p", parent_id: null }, clock()));
    await saveFile(db, "69", { file_name: "a.py", folder_id: folder.id, body: "1" }, clock());
    await db.library_imports.updateOne({ _id: "69" }, { $set: { attempts: 1 } });
    await workOffImports(store);

    expect((await find("69")).report).toMatchObject({
      kinds: { files: { added: 2, here: 0 }, versions: { added: 2, here: 0 } },
    });
  });
});

/** The fields of an entry in the zip's directory, to change them in place. */
function directoryEntry(bytes: Buffer, name: string) {
  const offset = bytes.lastIndexOf(name) - 46;
  expect(bytes.readUInt32LE(offset)).toBe(0x02014b50);
  return {
    flag: (bit: number) => bytes.writeUInt16LE(bytes.readUInt16LE(offset + 8) | bit, offset + 8),
    checksum: (value: number) => bytes.writeUInt32LE(value, offset + 16),
    packed: (value: number) => bytes.writeUInt32LE(value, offset + 20),
    mode: (value: number) => bytes.writeUInt32LE(value * 0x10000, offset + 38),
    offset: (value: number) => bytes.writeUInt32LE(value, offset + 42),
  };
}
