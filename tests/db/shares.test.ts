import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { purgeFile } from "#db/files/trash/file-removal.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { createFolderLink } from "#db/shares/folder-links.server.ts";
import {
  createLink,
  createShare,
  findLink,
  findShare,
  listShares,
  type Share,
  type ShareWish,
} from "#db/shares/shares.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { LINK_FILES_MAX, SHARES_MAX } from "#domain/shares/share.ts";
import { givenAccount } from "#tests/support/accounts/accounts.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, given } = await openTestStore();
await givenAccount(db, "one", NOON);
const PLAIN: ShareWish = { mode: "full", days: 7, lines: null, maxViews: null, password: null };
const TRASH_END = new Date("2037-12-14T12:00:00.000Z");

const saved = async (owner: string, name: string) => (await given.file(owner, name)).id;
const shared = async (owner: string, fileId: string): Promise<Share> =>
  orThrow(await createShare(db, owner, fileId, PLAIN, NOON));
const readShare = (id: string) => db.shares.findOne({ _id: id });

describe("shares", () => {
  it("are limited in number, however many are asked for at once", async () => {
    const file = await saved("many", "many.py");
    const first = await shared("many", file);
    const doc = required(await readShare(first.id));
    const filled = Array.from({ length: SHARES_MAX - 4 }, (_, i) => ({
      ...doc,
      _id: `filled-${String(i).padStart(9, "0")}`,
      slot: i,
    })).filter(({ slot }) => slot !== doc.slot);
    await db.shares.insertMany(filled);
    const room = SHARES_MAX - filled.length - 1;

    const created = await Promise.all(
      Array.from({ length: 12 }, () => createShare(db, "many", file, PLAIN, NOON)),
    );

    expect(created.filter((share) => !isRefusal(share))).toHaveLength(room);
    expect(created.find(isRefusal)).toMatchObject({ refused: "share_limit", context: { max: SHARES_MAX } });
    expect(await db.shares.countDocuments({ user_id: "many" })).toBe(SHARES_MAX);
    expect(await listShares(db, "many", NOON)).toHaveLength(SHARES_MAX);
    expect(isRefusal(await createShare(db, "other", file, PLAIN, NOON))).toBe(true);
  });

  it("follow their file through the trash: suspended and dated, back with it, gone with it", async () => {
    const file = await saved("one", "trashed.py");
    const { id } = await shared("one", file);
    await trashFile(db, "one", file, NOON);
    expect(await readShare(id)).toMatchObject({ bin_expires_at: TRASH_END });
    expect(await findShare(db, id, NOON)).toBeNull();
    expect(await listShares(db, "one", NOON)).toMatchObject([{ id, living: 0 }]);

    await restoreFile(db, "one", file, NOON);
    expect(await readShare(id)).not.toHaveProperty("bin_expires_at");
    expect(await findShare(db, id, NOON)).toMatchObject({ id, owner_epoch: 0 });

    await trashFile(db, "one", file, NOON);
    await purgeFile(db, "one", file, NOON);
    expect(await readShare(id)).toBeNull();
  });

  it("are never left of a file that goes to the trash while it is being shared", async () => {
    const files = await Promise.all(Array.from({ length: 8 }, (_, i) => saved("race", `race-${i}.py`)));
    const raced = await Promise.all(
      files.flatMap((file) => [
        createShare(db, "race", file, PLAIN, NOON),
        trashFile(db, "race", file, NOON),
      ]),
    );
    expect(raced.length).toBe(16);
    const remaining = await db.shares.find({ user_id: "race" }).toArray();
    expect(remaining.filter(({ bin_expires_at }) => bin_expires_at === undefined)).toEqual([]);
  });

  it("of several files are whole or not made, and hold no text", async () => {
    const [one, two] = [await saved("links", "one.py"), await saved("links", "two.py")];
    const link = orThrow(await createLink(db, "links", [two, one], 1, NOON));
    expect(link.files.map(({ file_name, place }) => [place, file_name])).toEqual([
      [1, "two.py"],
      [2, "one.py"],
    ]);
    expect(JSON.stringify(await readShare(link.id))).not.toContain("x\\n");
    expect(await createLink(db, "links", [one, await saved("else", "x.py")], 1, NOON)).toMatchObject({
      refused: "files_not_found",
    });
    expect(await db.shares.countDocuments({ user_id: "links" })).toBe(1);
  });
});

describe("a link to a folder", () => {
  it("is refused where the folder has more files than a link shows, also where some are left out of it", async () => {
    const owner = "many-within";
    for (const name of [".env", ".env.local", "main.py"]) await given.path(owner, `app/${name}`);
    const folder = required([...(await readFolders(db, owner)).keys()][0]);
    const [first] = await db.files.find({ user_id: owner, file_name: "main.py" }).toArray();
    const { _id, n, ...file } = required(first);
    await db.files.insertMany(
      Array.from({ length: LINK_FILES_MAX - 3 }, (_, i) => ({
        ...file,
        _id: new ObjectId(),
        file_name: `${i}.py`,
      })),
    );
    const link = () => createFolderLink(db, owner, folder, { follows: false, days: 1 }, NOON);
    expect(required(await link())).toMatchObject({ files: { length: LINK_FILES_MAX - 2 } });

    await db.files.insertMany(
      ["x.py", "y.py"].map((file_name) => ({ ...file, _id: new ObjectId(), file_name })),
    );
    expect(await link()).toMatchObject({ refused: "folder_too_large" });
  });

  it("leaves out a file with secrets that came back from the trash under another name", async () => {
    const owner = "came-back";
    await givenAccount(db, owner, NOON);
    const first = await given.path(owner, "app/.env");
    await trashFile(db, owner, first.id, NOON);
    for (const name of [".env", "main.py"]) await given.path(owner, `app/${name}`);
    expect(await restoreFile(db, owner, first.id, NOON)).toMatchObject({ file_name: ".env (2)" });
    const folder = required([...(await readFolders(db, owner)).keys()][0]);
    const link = orThrow(await createFolderLink(db, owner, folder, { follows: true, days: 1 }, NOON));
    const names = (await findLink(db, link.id, NOON))?.files.map(({ file_name }) => file_name);
    expect(names).toEqual(["main.py"]);
  });
});
