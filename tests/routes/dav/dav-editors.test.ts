import { beforeEach, describe, expect, it } from "vitest";
import { findFileByName } from "#db/files/file-records.server.ts";
import { pinFile, toggleFavorite } from "#db/files/marks.server.ts";
import { listFileNotes } from "#db/notes/note-overview.server.ts";
import { setReminder } from "#db/reminders/reminders.server.ts";
import { required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { createDavClient, type DavClient } from "#tests/support/dav/dav-client.ts";
import { newPersonId } from "#tests/support/given.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const { db, given } = web;

let owner = "";
let client: DavClient;

beforeEach(async () => {
  owner = newPersonId();
  client = await createDavClient(web, owner, "write");
});

const put = async (path: string, text: string) => (await client.ask("PUT", path, {}, text)).status;
const read = async (path: string) => {
  const response = await client.ask("GET", path);
  return response.ok ? response.text() : response.status;
};
const remove = async (path: string) => (await client.ask("DELETE", path)).status;
const move = async (from: string, to: string) =>
  (await client.ask("MOVE", from, { Destination: `${web.url}/dav${to}` })).status;
const listNames = async (filter = {}) =>
  (await db.files.find({ user_id: owner, deleted_at: null, ...filter }).toArray())
    .map(({ file_name }) => file_name)
    .sort();
const countTrashed = () => db.files.countDocuments({ user_id: owner, deleted_at: { $gt: new Date(0) } });

/** The recorded requests of an editor that saves `/a.py`, without its locks and reads. */
const EDITORS: Record<string, () => Promise<unknown>> = {
  "vim that keeps a backup by renaming": async () => {
    await put("/4913", "");
    await remove("/4913");
    await move("/a.py", "/a.py~");
    await put("/a.py", "new\n");
    expect(await read("/a.py~")).toBe("old\n");
    await remove("/a.py~");
  },
  "a JetBrains editor with safe write": async () => {
    await put("/a.py___jb_tmp___", "new\n");
    await move("/a.py", "/a.py___jb_old___");
    await move("/a.py___jb_tmp___", "/a.py");
    await remove("/a.py___jb_old___");
  },
  "Emacs, whose backup stays": async () => {
    await move("/a.py", "/a.py~");
    await put("/a.py", "new\n");
  },
  "one that deletes and writes again": async () => {
    await remove("/a.py");
    await put("/a.py", "new\n");
  },
  "LibreOffice, which deletes and moves": async () => {
    await put("/lu1234.tmp", "new\n");
    await remove("/a.py");
    await move("/lu1234.tmp", "/a.py");
  },
  "Word, which exchanges two files": async () => {
    await put("/~WRD0001.tmp", "new\n");
    await move("/a.py", "/~WRL0002.tmp");
    await move("/~WRD0001.tmp", "/a.py");
    await remove("/~WRL0002.tmp");
  },
  "a program of macOS, which exchanges with a folder of its own": async () => {
    await client.ask("MKCOL", "/a.py.sb-1a2b");
    await put("/a.py.sb-1a2b/a.py", "new\n");
    await move("/a.py", "/a.py.sb-1a2b/old");
    await move("/a.py.sb-1a2b/a.py", "/a.py");
    await remove("/a.py.sb-1a2b/old");
    await client.ask("DELETE", "/a.py.sb-1a2b/");
  },
  "a client that locks before it writes": async () => {
    await move("/a.py", "/a.py.bak");
    const body =
      '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>';
    const locked = await client.ask("LOCK", "/a.py", { Depth: "0" }, body);
    const token = required(locked.headers.get("Lock-Token"), "token");
    await client.ask("PUT", "/a.py", { If: `(${token})` }, "new\n");
    await client.ask("UNLOCK", "/a.py", { "Lock-Token": token });
  },
  "one that moves over": async () => {
    await put("/a.py.part", "new\n");
    await move("/a.py.part", "/a.py");
  },
};

describe("an editor that saves through other names", () => {
  it.each(Object.entries(EDITORS))("keeps the file, with one more version: %s", async (_, save) => {
    const { id } = await given.file(owner, "a.py", "old\n");
    const note = await given.note(owner, { content: "kept" }, { kind: "file", file_id: id });
    await setReminder(db, owner, note, new Date(web.clock().getTime() + DAY_MS), web.clock());
    await pinFile(db, owner, id);
    await toggleFavorite(db, owner, id);

    await save();

    expect(await read("/a.py")).toBe("new\n");
    expect(await listNames()).toEqual(["a.py"]);
    expect(await countTrashed()).toBe(0);
    const file = required(await findFileByName(db, owner, "a.py"), "file");
    expect(file).toMatchObject({ id, version: 2, is_pinned: true, is_favorite: true });
    expect(await db.reminders.findOne({ user_id: owner })).toMatchObject({
      expires_at: null,
      status: "pending",
    });
    expect(await listFileNotes(db, owner, id)).toMatchObject([{ content: "kept" }]);
  });

  it("may be of a text that is larger than what systems drop", async () => {
    const large = `${"x".repeat(100_000)}\n`;
    const { id } = await given.file(owner, "a.py", large);

    expect(await put("/a.py___jb_tmp___", `${large}y`)).toBe(201);
    await move("/a.py", "/a.py~");
    await move("/a.py___jb_tmp___", "/a.py");

    expect(await read("/a.py~")).toBe(large);
    expect(await findFileByName(db, owner, "a.py")).toMatchObject({ id, version: 2 });
  });
});

describe("a file moved from its name", () => {
  it("keeps its new one if nothing takes the old, for another client, and after five minutes", async () => {
    const { id } = await given.file(owner, "a.py", "old\n");
    await move("/a.py", "/b.py");
    const other = await createDavClient(web, owner, "write");
    await other.ask("PUT", "/a.py", {}, "other\n");
    expect(await listNames()).toEqual(["a.py", "b.py"]);
    expect(await findFileByName(db, owner, "b.py")).toMatchObject({ id, version: 1 });

    await move("/b.py", "/c.py");
    await db.dav_departures.updateMany(
      { user_id: owner },
      { $set: { expires_at: new Date(web.clock().getTime() - 1) } },
    );
    await put("/b.py", "later\n");
    expect(await findFileByName(db, owner, "c.py")).toMatchObject({ id });
  });

  it("goes back to it by being moved there", async () => {
    const { id } = await given.file(owner, "a.py", "old\n");
    await move("/a.py", "/a.py~");
    expect(await move("/a.py~", "/a.py")).toBe(201);
    expect(await listNames()).toEqual(["a.py"]);
    expect(await findFileByName(db, owner, "a.py")).toMatchObject({ id, version: 1 });
  });

  it("leaves a copy of its text under a name that is no backup", async () => {
    const { id } = await given.file(owner, "a.py", "old\n");
    await move("/a.py", "/b.py");
    await put("/a.py", "new\n");
    expect([await read("/a.py"), await read("/b.py")]).toEqual(["new\n", "old\n"]);
    expect(await findFileByName(db, owner, "a.py")).toMatchObject({ id });
  });
});

describe("the time of a text", () => {
  const findModified = async (path: string) => {
    const listed = await (await client.ask("PROPFIND", path, { Depth: "0" })).text();
    return /getlastmodified>([^<]*)</.exec(listed)?.[1];
  };
  const THEN = new Date(1_700_000_000_000);

  it("is the client's time, until the text changes", async () => {
    const response = await client.ask("PUT", "/a.py", { "X-OC-Mtime": "1700000000" }, "1\n");
    expect(response.headers.get("X-OC-Mtime")).toBe("accepted");
    expect(await findModified("/a.py")).toBe(THEN.toUTCString());
    await put("/a.py", "2\n");
    expect(await findModified("/a.py")).toBe(web.clock().toUTCString());
    const odd = await client.ask("PUT", "/b.py", { "X-OC-Mtime": "soon" }, "1\n");
    expect([odd.status, odd.headers.get("X-OC-Mtime")]).toEqual([201, null]);
  });

  it.each([
    ["rclone", '<lastmodified xmlns="DAV:">1700000000</lastmodified>'],
    [
      "Windows",
      `<Win32LastModifiedTime xmlns="urn:schemas-microsoft-com:">${THEN.toUTCString()}</Win32LastModifiedTime>`,
    ],
  ])("is in a property of %s", async (_, property) => {
    await put("/a.py", "1\n");
    const body = `<propertyupdate xmlns="DAV:"><set><prop>${property}</prop></set></propertyupdate>`;
    expect((await client.ask("PROPPATCH", "/a.py", {}, body)).status).toBe(207);
    expect(await findModified("/a.py")).toBe(THEN.toUTCString());
  });
});
