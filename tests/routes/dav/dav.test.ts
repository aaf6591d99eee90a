import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ObjectId } from "mongodb";
import { beforeEach, describe, expect, it } from "vitest";
import { updateDetails } from "#db/files/file-details.server.ts";
import { findFileByName } from "#db/files/file-records.server.ts";
import { required } from "#domain/required.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { makeBreakable } from "#tests/faults/breakable.ts";
import { createDavClient, type DavClient } from "#tests/support/dav/dav-client.ts";
import { givenFolders } from "#tests/support/files/folder-trees.ts";
import { manyFiles } from "#tests/support/files/many-files.ts";
import { newPersonId } from "#tests/support/given.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const { db, given } = web;
const store = makeBreakable(db);

let owner = "";
let client: DavClient;

beforeEach(async () => {
  owner = newPersonId();
  client = await createDavClient(web, owner, "write");
});

type Headers = Record<string, string>;

const LOCK_BODY =
  '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>';
const SHARED_BODY = LOCK_BODY.replace("exclusive", "shared");
const CLIENTS = Array.from({ length: 16 }, (_, i) => i);

const put = (path: string, text: string, headers: Headers = {}) => client.ask("PUT", path, headers, text);
const readStatus = async (method: string, path: string, headers: Headers = {}) =>
  (await client.ask(method, path, headers)).status;
const putStatus = async (path: string, text: string, headers?: Headers) =>
  (await put(path, text, headers)).status;
const readText = async (path: string) => (await client.ask("GET", path)).text();
const findId = async (name: string) => required(await findFileByName(db, owner, name), name).id;
const listNumbers = async (name: string) => {
  const file_id = new ObjectId(await findId(name));
  const versions = await db.file_versions.find({ file_id }).sort({ version: -1 }).toArray();
  return versions.map(({ version }) => version);
};
const listTrashed = async () => {
  const files = await db.files.find({ user_id: owner, deleted_at: { $gt: new Date(0) } }).toArray();
  return files.map(({ file_name }) => file_name).sort();
};
const lock = async (path: string, body = LOCK_BODY, headers: Headers = {}) => {
  const response = await client.ask("LOCK", path, { Depth: "0", ...headers }, body);
  const token = response.headers.get("Lock-Token") ?? "";
  return { status: response.status, token, xml: await response.text() };
};
const moveTo = (from: string, to: string, headers: Headers = {}) =>
  readStatus("MOVE", from, { Destination: `${web.url}/dav${to}`, ...headers });
const copyTo = (from: string, to: string, headers: Headers = {}) =>
  readStatus("COPY", from, { Destination: `/dav${to}`, ...headers });
const makeFolders = async (...paths: string[]) => {
  for (const path of paths) expect(await readStatus("MKCOL", path)).toBe(201);
};

describe("a WebDAV client", () => {
  it("learns by 401 how to send a token, in XML", async () => {
    for (const method of ["OPTIONS", "GET", "PROPFIND", "PUT", "LOCK"]) {
      const { status, headers } = await fetch(`${web.url}/dav/`, { method, headers: { Accept: "*/*" } });
      expect(status, method).toBe(401);
      expect(headers.get("WWW-Authenticate")).toMatch(/^Basic realm="Codeshelf"/);
      expect(headers.get("Content-Type")).toMatch(/^application\/xml/);
    }
  });

  it("reads in a browser what the address is for", async () => {
    const { status, html, headers } = await web.visitor().show("/dav/");
    expect([status, headers.get("Content-Type")]).toEqual([401, "text/plain; charset=utf-8"]);
    expect(html).toContain("access token as the password");
  });

  it("may use a token as the password of any name, or as a bearer", async () => {
    const basic = (words: string) => `Basic ${Buffer.from(words).toString("base64")}`;
    for (const [Authorization, status] of [
      [`Bearer ${client.token}`, 207],
      [basic(`:${client.token}`), 207],
      [basic(`a:${client.token}x`), 401],
    ] as const) {
      const headers = { Authorization, Depth: "0" };
      expect((await fetch(`${web.url}/dav/`, { method: "PROPFIND", headers })).status).toBe(status);
    }
  });

  it("is refused while the account is locked", async () => {
    expect(await readStatus("PROPFIND", "/", { Depth: "0" })).toBe(207);
    await db.users.updateOne({ _id: owner }, { $set: { locked_at: web.clock() } });
    const response = await client.ask("PROPFIND", "/", { Depth: "0" });
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining("account_locked"),
    ]);
  });

  it("sees nothing of other people", async () => {
    await put("/mine.txt", "one\n");
    const stranger = await createDavClient(web, newPersonId(), "write");
    expect((await stranger.ask("GET", "/mine.txt")).status).toBe(404);
    expect(await (await stranger.ask("PROPFIND", "/", { Depth: "1" })).text()).not.toContain("mine.txt");
  });

  it.each([
    ["GET", "/none.txt", 404],
    ["POST", "/", 405],
    ["GET", "/%ff", 404],
    ["GET", "/a%2Fb", 400],
    ["GET", "/", 200],
  ])("never gets HTML, whatever is wrong: %s %s is %i", async (method, path, status) => {
    const response = await client.ask(method, path, { Accept: "text/html" });
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).not.toContain("html");
  });
});

it("the examples of the page about WebDAV run unchanged", async () => {
  const page = await readFile(join(PROJECT_ROOT, "docs/webdav.md"), "utf8");
  const scripts = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script = ""]) => script);
  expect(scripts).not.toEqual([]);
  const cwd = await temporaryDirectory("dav");
  const env = { ...process.env, CODESHELF: web.url, TOKEN: client.token };
  for (const script of scripts) await promisify(execFile)("sh", ["-euc", script], { cwd, env });
  expect(await listTrashed()).toEqual(["greet.py"]);
});

describe("a text", () => {
  it("comes back unchanged, under the tag of its version", async () => {
    const path = "/h%C3%A9llo.txt";
    const text = "\uFEFFone\r\ntwo\r";
    const response = await put(path, text);
    expect(response.status).toBe(201);
    const read = await client.ask("GET", path);
    expect(Buffer.from(await read.arrayBuffer()).toString()).toBe(text);
    expect(Object.fromEntries(read.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-type": "text/plain; charset=utf-8",
      etag: response.headers.get("ETag"),
    });
    const range = await client.ask("GET", path, { Range: "bytes=3-5" });
    expect([range.status, await range.text()]).toEqual([206, "one"]);
    expect(await readStatus("GET", path, { Range: "bytes=99-" })).toBe(416);
  });

  it("is refused as binary, too large, or for an invalid name", async () => {
    const refused: [path: string, body: Uint8Array<ArrayBuffer>, status: number][] = [
      ["/a.png", Uint8Array.of(0x89, 0, 1), 415],
      ["/big.txt", new Uint8Array(2 * 1024 * 1024 + 1).fill(97), 413],
      ["/a%5Cb", Uint8Array.of(97), 400],
      ["/a%0Ab", Uint8Array.of(97), 400],
      ["/a%E2%80%A8b", Uint8Array.of(97), 400],
      ["/none/a.txt", Uint8Array.of(97), 409],
      [`/${"d/".repeat(17)}a.txt`, Uint8Array.of(97), 403],
    ];
    for (const [path, body, status] of refused) {
      const response = await client.ask("PUT", path, {}, body);
      expect(response.status, path).toBe(status);
      expect(await response.text()).toMatch(/<D:error xmlns:D="DAV:">/);
    }
  });

  it("that does not fit is refused with 507", async () => {
    await put("/a.txt", "one\n");
    await db.library_usage.updateOne({ _id: owner }, { $set: { bytes: 2 ** 40 } });
    const response = await put("/b.txt", "two\n");
    const words = expect.stringContaining("<D:quota-not-exceeded/>");
    expect([response.status, await response.text()]).toEqual([507, words]);
  });

  it("of 16 writers to one version or one new file is stored once, and the others are refused", async () => {
    const race = async (word: string, headers: Headers) =>
      (await Promise.all(CLIENTS.map((i) => putStatus("/a.txt", `${word} ${i}\n`, headers)))).sort();
    expect(await race("begun by", { "If-None-Match": "*" })).toEqual([201, ...Array(15).fill(412)]);
    const etag = required((await client.ask("HEAD", "/a.txt")).headers.get("ETag"));
    expect(await race("changed by", { "If-Match": etag })).toEqual([204, ...Array(15).fill(412)]);
    // A late refusal of a write leaves a gap in the numbers.
    expect(await listNumbers("a.txt")).toEqual([expect.any(Number), 1]);
  });

  it("that is deleted is in the trash, unless its conditions name another version", async () => {
    const etag = required((await put("/a.txt", "one\n")).headers.get("ETag"));
    await put("/a.txt", "two\n");
    const since = { "If-Unmodified-Since": "Thu, 01 Jan 1998 00:00:00 GMT" };
    expect(await readStatus("DELETE", "/a.txt", { "If-Match": etag })).toBe(412);
    expect(await readStatus("DELETE", "/a.txt", since)).toBe(412);
    expect(await putStatus("/a.txt", "three\n", since)).toBe(412);
    expect(await readStatus("DELETE", "/a.txt")).toBe(204);
    expect(await readStatus("GET", "/a.txt")).toBe(404);
    expect(await listTrashed()).toEqual(["a.txt"]);
  });
});

describe("moving", () => {
  it("keeps the file with its id, versions and properties, in folders of any case", async () => {
    await makeFolders("/Lib");
    await put("/a.txt", "one\n");
    await put("/a.txt", "two\n");
    const id = await findId("a.txt");
    expect(await moveTo("/a.txt", "/lib/b.txt")).toBe(201);
    const file = { version: 2, file_name: "b.txt" };
    expect(await db.files.findOne({ user_id: owner, deleted_at: null })).toMatchObject(file);
    expect((await client.ask("HEAD", "/Lib/b.txt")).headers.get("X-File-Id")).toBe(id);
    expect(await listTrashed()).toEqual([]);
  });

  it("gives a folder other capital letters, whose new name is not there before", async () => {
    await makeFolders("/Lib");
    await put("/Lib/a.txt", "one\n");
    expect(await readStatus("PROPFIND", "/lib/", { Depth: "1" })).toBe(404);
    expect(await moveTo("/Lib/", "/lib/", { Overwrite: "F" })).toBe(201);
    expect(await readStatus("PROPFIND", "/lib/", { Depth: "1" })).toBe(207);
    expect(await readText("/lib/a.txt")).toBe("one\n");
  });

  it("an older file, or one with notes, over another file leaves that one in the trash", async () => {
    for (const path of ["/a.txt", "/old.txt", "/noted.txt"]) await put(path, `${path}\n`);
    const created_at = new Date(web.clock().getTime() - 2 * HOUR_MS);
    await db.files.updateOne({ user_id: owner, file_name: "old.txt" }, { $set: { created_at } });
    await given.note(owner, { content: "why" }, { kind: "file", file_id: await findId("noted.txt") });
    for (const path of ["/old.txt", "/noted.txt"]) {
      expect(await moveTo(path, "/a.txt")).toBe(204);
      expect(await readText("/a.txt")).toBe(`${path}\n`);
      expect(await listTrashed()).toContain(path.slice(1));
    }
  });

  it("copies description, tags and language to a new file, and leaves those of a file that was there", async () => {
    await put("/a.txt", "one\n");
    await put("/there.txt", "two\n");
    const about = { description: "first", tags: ["kept"], language: "python" as const };
    await updateDetails(db, owner, await findId("a.txt"), about);
    await updateDetails(db, owner, await findId("there.txt"), { description: "second" });
    expect(await copyTo("/a.txt", "/b.txt")).toBe(201);
    expect(await findFileByName(db, owner, "b.txt")).toMatchObject(about);
    expect(await copyTo("/a.txt", "/there.txt")).toBe(204);
    expect(await findFileByName(db, owner, "there.txt")).toMatchObject({ description: "second", tags: [] });
  });

  it("replaces what is of the other kind only where it may, and into the trash", async () => {
    await makeFolders("/lib");
    await put("/lib/inside.txt", "inside\n");
    await put("/a.txt", "one\n");
    expect(await putStatus("/lib", "text\n")).toBe(405);
    expect(await readStatus("MKCOL", "/a.txt")).toBe(405);
    for (const act of [moveTo, copyTo]) {
      expect(await act("/a.txt", "/lib", { Overwrite: "F" })).toBe(412);
      expect(await act("/lib/", "/a.txt", { Overwrite: "F" })).toBe(412);
    }
    expect(await readText("/lib/inside.txt")).toBe("inside\n");

    expect(await copyTo("/a.txt", "/lib")).toBe(204);
    expect(await readText("/lib")).toBe("one\n");
    expect(await listTrashed()).toEqual(["inside.txt"]);
    await makeFolders("/new");
    await put("/new/kept.txt", "kept\n");
    expect(await moveTo("/new/", "/a.txt")).toBe(204);
    expect(await readText("/a.txt/kept.txt")).toBe("kept\n");
    expect(await listTrashed()).toEqual(["a.txt", "inside.txt"]);
  });

  it("of a folder takes all that is in it, and never into itself", async () => {
    await makeFolders("/a", "/a/b");
    await put("/a/b/c.txt", "one\n");
    expect(await moveTo("/a/", "/a/b/d/")).toBe(403);
    expect(await moveTo("/a/", "/A/")).toBe(201);
    expect(await moveTo("/A/", "/z/")).toBe(201);
    expect(await readText("/z/b/c.txt")).toBe("one\n");
  });

  it("goes to no other server and to no address outside of the library", async () => {
    await put("/a.txt", "one\n");
    for (const [Destination, status] of [
      ["http://elsewhere.example/dav/b.txt", 502],
      ["/api/files/b.txt", 403],
      ["/dav/../b.txt", 400],
      ["", 400],
    ] as const)
      expect(await readStatus("MOVE", "/a.txt", { Destination }), Destination).toBe(status);
    expect(await readText("/a.txt")).toBe("one\n");
  });
});

describe("copying", () => {
  it("makes independent files, and copies a folder with its content", async () => {
    await makeFolders("/a", "/a/b");
    await put("/a/b/c.txt", "one\n");
    expect(await copyTo("/a/", "/z/")).toBe(201);
    await put("/a/b/c.txt", "two\n");
    expect(await readText("/z/b/c.txt")).toBe("one\n");
    expect(await copyTo("/a/", "/z/", { Overwrite: "F" })).toBe(412);
    expect(await copyTo("/a/", "/z/")).toBe(204);
    expect(await readText("/z/b/c.txt")).toBe("two\n");
  });

  it("reports in 207 what did not fit, and copies the rest", async () => {
    await makeFolders("/a");
    await put("/a/long.txt", "x".repeat(5_000));
    await put("/a/short.txt", "one\n");
    const limit = required(web.db.limits, "limits").maxLibraryBytes;
    await db.library_usage.updateOne({ _id: owner }, { $set: { bytes: limit - 1_000 } });
    const response = await client.ask("COPY", "/a/", { Destination: "/dav/z/" });
    expect(response.status).toBe(207);
    const xml = await response.text();
    expect(xml).toContain("<D:href>/dav/z/long.txt</D:href><D:status>HTTP/1.1 507");
    expect(xml).not.toContain("short.txt");
    expect(await readText("/z/short.txt")).toBe("one\n");
  });
});

describe("junk that systems drop", () => {
  it("answers as if it were stored, and never gets into the library", async () => {
    const bytes = Uint8Array.of(0, 1, 2, 0xff);
    const names = [".DS_Store", "~$a.docx", ".~lock.a.odt#", "4913"];
    for (const name of names) {
      const path = `/${encodeURIComponent(name)}`;
      expect((await client.ask("PUT", path, {}, bytes)).status, name).toBe(201);
      expect(new Uint8Array(await (await client.ask("GET", path)).arrayBuffer())).toEqual(bytes);
    }
    const listed = await (await client.ask("PROPFIND", "/", { Depth: "1" })).text();
    for (const name of names) expect(listed).toContain(`<D:displayname>${name}<`);
    expect(await db.files.countDocuments({ user_id: owner })).toBe(0);
    expect(await readStatus("DELETE", "/4913")).toBe(204);
    expect(await readStatus("GET", "/4913")).toBe(404);
  });

  it("is there for an hour, for every web process, and takes little room", async () => {
    expect(await putStatus("/.DS_Store", "x")).toBe(201);
    const junk = required(await db.dav_junk.findOne({ user_id: owner }));
    expect(junk.expires_at.getTime() - web.clock().getTime()).toBe(HOUR_MS);
    expect(await putStatus("/._big", "x".repeat(2 * 1024 * 1024 + 1))).toBe(413);
    await db.dav_junk.updateOne({ _id: junk._id }, { $set: { expires_at: new Date(0) } });
    expect(await readStatus("GET", "/.DS_Store")).toBe(404);
  });

  it("can be locked before it is written, as the Finder does, and moved to a name of the library", async () => {
    const { status, token } = await lock("/._a.txt");
    expect(status).toBe(201);
    expect(await putStatus("/._a.txt", "text\n", { If: `(${token})` })).toBe(204);
    expect(await moveTo("/._a.txt", "/a.txt", { If: `(${token})` })).toBe(201);
    expect(await readText("/a.txt")).toBe("text\n");
  });

  it("leaves a file of such a name alone that is in the library already", async () => {
    await given.file(owner, "4913", "mine\n");
    expect(await readText("/4913")).toBe("mine\n");
    expect(await putStatus("/4913", "next\n")).toBe(204);
    expect(await listNumbers("4913")).toEqual([2, 1]);
  });
});

describe("a lock", () => {
  it("of 16 clients at once is granted to one, and does not affect the API", async () => {
    await put("/a.txt", "one\n");
    const locks = await Promise.all(CLIENTS.map(() => lock("/a.txt")));
    expect(locks.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(423)]);
    const refused = required(locks.find(({ status }) => status === 423));
    expect(refused.xml).toContain("<D:no-conflicting-lock><D:href>/dav/a.txt</D:href>");
    const person = await web.person(owner);
    expect((await person.send("PUT", "/api/files/a.txt", "two\n")).status).toBe(200);
  });

  it("that is shared is granted to all, and keeps others from writing", async () => {
    await put("/a.txt", "one\n");
    const locks = await Promise.all(CLIENTS.map(() => lock("/a.txt", SHARED_BODY)));
    expect(new Set(locks.map(({ token }) => token)).size).toBe(16);
    expect(await putStatus("/a.txt", "two\n")).toBe(423);
    expect(await putStatus("/a.txt", "two\n", { If: `(${locks[3]?.token})` })).toBe(204);
    expect((await lock("/a.txt")).status).toBe(423);
  });

  it("on a folder covers all that is in it, whatever the case of its name", async () => {
    await makeFolders("/Lib");
    await put("/Lib/a.txt", "one\n");
    const { token } = await lock("/Lib/", LOCK_BODY, { Depth: "infinity" });
    for (const path of ["/lib/a.txt", "/Lib/new.txt"]) expect(await putStatus(path, "x"), path).toBe(423);
    expect(await readStatus("DELETE", "/lib/a.txt")).toBe(423);
    const tagged = { If: `<${web.url}/dav/Lib/> (${token})` };
    expect(await putStatus("/lib/a.txt", "two\n", tagged)).toBe(204);
    expect(await readStatus("UNLOCK", "/Lib/", { "Lock-Token": token })).toBe(204);
    expect(await putStatus("/lib/a.txt", "three\n")).toBe(204);
  });

  it("within a folder is reported in 207 when the folder is deleted or locked", async () => {
    await makeFolders("/lib");
    await put("/lib/a.txt", "one\n");
    const { token } = await lock("/lib/a.txt");
    const deletion = await client.ask("DELETE", "/lib/");
    expect(deletion.status).toBe(207);
    expect(await deletion.text()).toContain("<D:href>/dav/lib/a.txt</D:href><D:status>HTTP/1.1 423");
    expect((await lock("/lib/", LOCK_BODY, { Depth: "infinity" })).status).toBe(207);
    const tagged = { If: `<${web.url}/dav/lib/a.txt> (${token})` };
    expect(await readStatus("DELETE", "/lib/", tagged)).toBe(204);
  });

  it("on an absent file makes an empty one, and ends with it", async () => {
    const { status, token } = await lock("/new.txt");
    expect(status).toBe(201);
    expect(await readText("/new.txt")).toBe("");
    expect(await readStatus("DELETE", "/new.txt", { If: `(${token})` })).toBe(204);
    expect(await putStatus("/new.txt", "free\n")).toBe(201);
    expect((await lock("/none/new.txt")).status).toBe(409);
  });

  it("is over after its time, and an hour is the longest", async () => {
    await put("/a.txt", "one\n");
    const { xml } = await lock("/a.txt", LOCK_BODY, { Timeout: "Infinite, Second-4100000000" });
    expect(xml).toContain("<D:timeout>Second-3600</D:timeout>");
    expect(await putStatus("/a.txt", "two\n")).toBe(423);
    const gone = new Date(web.clock().getTime() - 1);
    await db.dav_locks.updateOne({ _id: owner }, { $set: { "locks.0.expires_at": gone } });
    expect(await putStatus("/a.txt", "two\n")).toBe(204);
  });
});

describe("XML", () => {
  const propfind = (inner: string) => `<propfind xmlns="DAV:">${inner}</propfind>`;
  const ask = (body: string) => client.ask("PROPFIND", "/", { Depth: "0" }, body);

  it("is refused if it declares entities, nests without end or is too long", async () => {
    expect((await ask(propfind("<prop><getetag/></prop>"))).status).toBe(207);
    const bombs = [
      '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb">]><propfind xmlns="DAV:"><prop>&b;</prop></propfind>',
      `<!DOCTYPE a SYSTEM "file:///etc/passwd">${propfind("<allprop/>")}`,
      propfind("&b;"),
      propfind("<a>".repeat(100) + "</a>".repeat(100)),
      propfind(`<prop>${"<a/>".repeat(3_000)}</prop>`),
      propfind("<prop>"),
      "no xml",
    ];
    for (const bomb of bombs) expect((await ask(bomb)).status, bomb.slice(0, 60)).toBe(400);
    expect((await ask(propfind(`<!--${"x".repeat(70_000)}-->`))).status).toBe(413);
  });

  it("is refused with the reason, such as a prefix that it does not declare", async () => {
    const response = await ask(propfind('<prop><DAV:getetag xmlns="http://webdav.org/cadaver/"/></prop>'));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("unbound namespace prefix: &quot;DAV&quot;.");
  });

  /** One declaration of a long namespace, used by many short elements. */
  const repeated = (elements: number, namespace: number) =>
    `<prop xmlns:x="${"n".repeat(namespace)}">${"<x:a/>".repeat(elements)}</prop>`;

  it.each([
    ["PROPFIND", propfind],
    ["PROPPATCH", (inner: string) => `<propertyupdate xmlns="DAV:"><set>${inner}</set></propertyupdate>`],
    ["LOCK", (inner: string) => LOCK_BODY.replace("</lockinfo>", `<owner>${inner}</owner></lockinfo>`)],
  ])("is refused by %s if its elements repeat a long namespace", async (method, wrap) => {
    const send = async (body: string) => (await client.ask(method, "/", { Depth: "0" }, body)).text();
    expect(await send(wrap(repeated(2, 20)))).not.toContain("is not XML");
    const refused = await send(wrap(repeated(1_900, 40_000)));
    expect(refused).toContain("repeat too long a namespace");
    expect(refused.length).toBeLessThan(1_000);
  });

  it("is answered with each property once, and refused if it names more than any client", async () => {
    const twice = await ask(propfind('<prop><a xmlns="urn:x"/><a xmlns="urn:x"/></prop>'));
    expect((await twice.text()).match(/urn:x/g)).toHaveLength(1);
    const names = Array.from({ length: 201 }, (_, n) => `<a${n}/>`);
    expect((await ask(propfind(`<prop>${names.slice(1).join("")}</prop>`))).status).toBe(207);
    expect((await ask(propfind(`<prop>${names.join("")}</prop>`))).status).toBe(400);
  });

  it("of Depth infinity is refused by its name", async () => {
    for (const headers of [{}, { Depth: "infinity" }] as Headers[]) {
      const response = await client.ask("PROPFIND", "/", headers);
      expect(response.status).toBe(403);
      expect(await response.text()).toContain("<D:propfind-finite-depth/>");
    }
  });
});

describe("properties", () => {
  const patch = async (path: string, properties: string) => {
    const body = `<propertyupdate xmlns="DAV:" xmlns:x="urn:x"><set><prop>${properties}</prop></set></propertyupdate>`;
    return (await client.ask("PROPPATCH", path, {}, body)).text();
  };
  const find = async (path: string, names: string, Depth = "0") => {
    const body = `<propfind xmlns="DAV:" xmlns:x="urn:x"><prop>${names}</prop></propfind>`;
    return (await client.ask("PROPFIND", path, { Depth }, body)).text();
  };

  it("of clients stay with their file or folder, and are copied with it", async () => {
    await makeFolders("/lib");
    await put("/lib/a.txt", "one\n");
    for (const path of ["/lib/", "/lib/a.txt"])
      expect(await patch(path, "<x:colour>red &amp; <x:b/></x:colour>")).toContain("HTTP/1.1 200");
    await moveTo("/lib/", "/src/");
    await copyTo("/src/", "/copy/");
    const colour = '<colour xmlns="urn:x">red &amp; <b/></colour>';
    for (const path of ["/src/", "/src/a.txt", "/copy/", "/copy/a.txt"])
      expect(await find(path, "<x:colour/>"), path).toContain(colour);
  });

  it("that follow from the library cannot be set, and then nothing is", async () => {
    await put("/a.txt", "one\n");
    const xml = await patch("/a.txt", "<getetag>x</getetag><x:colour>red</x:colour>");
    expect(xml).toContain("<D:getetag/></D:prop><D:status>HTTP/1.1 403");
    expect(xml).toContain("HTTP/1.1 424");
    expect(await find("/a.txt", "<x:colour/>")).toContain("404 Not Found");
  });

  it("of 16 clients at once are all kept", async () => {
    await put("/a.txt", "one\n");
    await Promise.all(CLIENTS.map((i) => patch("/a.txt", `<x:p${i}>${i}</x:p${i}>`)));
    expect(await find("/a.txt", CLIENTS.map((i) => `<x:p${i}/>`).join(""))).not.toContain("404");
  });

  it("tell how full the library is", async () => {
    await put("/a.txt", "one\n");
    const xml = await find("/", "<quota-used-bytes/><quota-available-bytes/>");
    expect(xml).toContain("<D:quota-used-bytes>4</D:quota-used-bytes>");
    expect(xml).toMatch(/<D:quota-available-bytes>\d+</);
  });

  it("of a folder with thousands of files tell each of them once", async () => {
    const files = manyFiles(owner, 1_300);
    await db.files.insertMany(files);
    const living = files.filter(({ deleted_at }) => deleted_at === null);
    const xml = await find("/", "<getcontentlength/><getetag/>", "1");
    expect(xml.match(/<D:response>/g)).toHaveLength(living.length + 1);
  });

  it("that a thousand members do not have are repeated up to a limit, and all members are listed", async () => {
    const folders = Array.from({ length: 1_000 }, (_, n) => ({
      id: n.toString(16).padStart(24, "0"),
      name: `f${n}`,
    }));
    await givenFolders(db, owner, folders, web.clock());
    const names = Array.from({ length: 200 }, (_, n) => `<unknown-${n}/>`).join("");

    const xml = await find("/", names, "1");

    expect(xml.match(/<D:response>/g)).toHaveLength(1_001);
    expect(xml).toContain("unknown-199");
    expect(xml.length).toBeLessThan(1_500_000);
  });
});

describe("a store that fails at any call", () => {
  /** Repeats the same request, each time with a later call failing, until none fails. */
  async function strikeEach(
    every: number,
    act: (nth: number) => Promise<Response>,
    arrange = async (_: number) => {},
    check = async (_: number) => {},
  ) {
    for (let nth = 1; ; nth += every) {
      await arrange(nth);
      const { value: response, calls } = await store.during(nth, () => act(nth));
      const { status, headers } = response;
      expect(status === 503 || status < 300, `call ${nth}: ${status}`).toBe(true);
      if (status === 503) {
        expect(headers.get("Content-Type")).toMatch(/^application\/xml/);
        expect(headers.get("Retry-After")).toBe("5");
      }
      await response.arrayBuffer();
      await check(nth);
      if (calls < nth) return calls;
    }
  }

  it("is reported by 503 in XML when something is read", async () => {
    await put("/a.txt", "one\n");
    expect(await strikeEach(1, () => client.ask("PROPFIND", "/", { Depth: "1" }))).toBeGreaterThan(4);
  });

  it("loses no text when one is moved over another", async () => {
    const calls = await strikeEach(
      6,
      (nth) => client.ask("MOVE", `/m${nth}.tmp`, { Destination: `/dav/m${nth}.txt` }),
      async (nth) => {
        await put(`/m${nth}.txt`, "old\n");
        await put(`/m${nth}.tmp`, "new\n");
      },
      async (nth) => {
        const target = await readText(`/m${nth}.txt`);
        expect(["old\n", "new\n"]).toContain(target);
        if (target === "old\n") expect(await readText(`/m${nth}.tmp`)).toBe("new\n");
      },
    );
    expect(calls).toBeGreaterThan(8);
  });
});

describe("a name that a Mac writes decomposed", () => {
  const COMPOSED = `/${encodeURIComponent("caf\u00e9.py")}`;
  const DECOMPOSED = `/${encodeURIComponent("cafe\u0301.py")}`;

  it("is composed by a move onto itself, which loses nothing", async () => {
    const { id } = await given.file(owner, "plain.py", "text");
    await db.files.updateOne({ _id: new ObjectId(id) }, { $set: { file_name: "cafe\u0301.py" } });

    expect(await moveTo(DECOMPOSED, COMPOSED)).toBeLessThan(300);

    expect(await findFileByName(db, owner, "caf\u00e9.py")).toMatchObject({ id, file_name: "caf\u00e9.py" });
    expect(await listTrashed()).toEqual([]);
    expect(await readText(COMPOSED)).toBe("text");
  });
});
