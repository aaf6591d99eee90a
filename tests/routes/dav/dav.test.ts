import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ObjectId } from "mongodb";
import { beforeEach, describe, expect, it } from "vitest";
import { updateDetails } from "#db/files/file-details.server.ts";
import { findFileByName } from "#db/files/file-records.server.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { required } from "#domain/required.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import { makeBreakable } from "#tests/faults/breakable.ts";
import { createDavClient, type DavClient } from "#tests/support/dav/dav-client.ts";
import { manyFiles } from "#tests/support/files/many-files.ts";
import { givenNote } from "#tests/support/notes/given-notes.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({
  RATE_LIMIT_REQUESTS_PER_MINUTE: "100000",
  RATE_LIMIT_WRITES_PER_MINUTE: "100000",
});
const { db } = web;
const store = makeBreakable(db);

let people = 7_000;
let owner = "";
let client: DavClient;

beforeEach(async () => {
  people += 1;
  owner = String(people);
  client = await createDavClient(web, owner, "write");
});

const LOCK_BODY =
  '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>';
const SHARED_BODY = LOCK_BODY.replace("exclusive", "shared");
const CLIENTS = Array.from({ length: 16 }, (_, i) => i);

const put = (path: string, text: string, headers: Record<string, string> = {}) =>
  client.ask("PUT", path, headers, text);
const readText = async (path: string) => (await client.ask("GET", path)).text();
const findId = async (name: string) => required(await findFileByName(db, owner, name), name).id;
const listNumbers = async (name: string) => {
  const versions = await db.file_versions
    .find({ file_id: new ObjectId(await findId(name)) })
    .sort({ version: -1 })
    .toArray();
  return versions.map(({ version }) => version);
};
const listTrashed = async () =>
  (await db.files.find({ user_id: owner, deleted_at: { $gt: new Date(0) } }).toArray()).map(
    ({ file_name }) => file_name,
  );
const lock = async (path: string, body = LOCK_BODY, headers: Record<string, string> = {}) => {
  const response = await client.ask("LOCK", path, { Depth: "0", ...headers }, body);
  return {
    status: response.status,
    token: response.headers.get("Lock-Token") ?? "",
    xml: await response.text(),
  };
};
const moveTo = (from: string, to: string, headers: Record<string, string> = {}) =>
  client.ask("MOVE", from, { Destination: `${web.url}/dav${to}`, ...headers });
const copyTo = (from: string, to: string, headers: Record<string, string> = {}) =>
  client.ask("COPY", from, { Destination: `/dav${to}`, ...headers });

describe("who may come", () => {
  it("is told by 401 how to show a token, in XML", async () => {
    for (const method of ["OPTIONS", "GET", "PROPFIND", "PUT", "LOCK"]) {
      const response = await fetch(`${web.url}/dav/`, { method, headers: { Accept: "*/*" } });
      expect(response.status, method).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toMatch(/^Basic realm="Codeshelf"/);
      expect(response.headers.get("Content-Type")).toMatch(/^application\/xml/);
    }
  });

  it("is told in text what the address is for when a browser opens it", async () => {
    const answer = await web.visitor().page("/dav/");
    expect(answer.status).toBe(401);
    expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(await answer.text()).toContain("access token as the password");
  });

  it("takes a token as the password of any name, or as a bearer", async () => {
    const bearer = { Authorization: `Bearer ${client.token}` };
    const basic = { Authorization: `Basic ${Buffer.from(`:${client.token}`).toString("base64")}` };
    const wrong = { Authorization: `Basic ${Buffer.from(`a:${client.token}x`).toString("base64")}` };
    const statuses = [bearer, basic, wrong].map(async (headers) => {
      const response = await fetch(`${web.url}/dav/`, {
        method: "PROPFIND",
        headers: { ...headers, Depth: "0" },
      });
      return response.status;
    });
    expect(await Promise.all(statuses)).toEqual([207, 207, 401]);
  });

  it("takes no session, so that no other site can write by a browser", async () => {
    const visitor = await web.visitor().logIn(owner);
    expect((await visitor.ask("/api/files")).status).toBe(200);
    const headers = { Cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    expect((await fetch(`${web.url}/dav/a.txt`, { method: "PUT", headers, body: "x" })).status).toBe(401);
    expect((await fetch(`${web.url}/dav/`, { headers })).status).toBe(401);
  });

  it("reads with a token for reading, and writes nothing with it", async () => {
    await put("/a.txt", "one\n");
    const reader = await createDavClient(web, owner, "read");
    expect(await (await reader.ask("GET", "/a.txt")).text()).toBe("one\n");
    expect((await reader.ask("PROPFIND", "/", { Depth: "1" })).status).toBe(207);
    for (const method of ["PUT", "DELETE", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "PROPPATCH"]) {
      const response = await reader.ask(method, "/a.txt", { Destination: "/dav/b.txt" });
      expect(response.status, method).toBe(403);
      expect(await response.text()).toContain("read_only_token");
    }
    expect(await readText("/a.txt")).toBe("one\n");
  });

  it("is refused while the account is locked", async () => {
    expect((await client.ask("PROPFIND", "/", { Depth: "0" })).status).toBe(207);
    await db.users.updateOne({ _id: owner }, { $set: { locked_at: web.clock() } });
    const response = await client.ask("PROPFIND", "/", { Depth: "0" });
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining("account_locked"),
    ]);
  });

  it("sees nothing of other people", async () => {
    await put("/mine.txt", "one\n");
    const stranger = await createDavClient(web, `${people}0`, "write");
    expect((await stranger.ask("GET", "/mine.txt")).status).toBe(404);
    expect(await (await stranger.ask("PROPFIND", "/", { Depth: "1" })).text()).not.toContain("mine.txt");
  });

  it("never gets HTML, whatever is wrong", async () => {
    const asked: [method: string, path: string][] = [
      ["GET", "/none.txt"],
      ["POST", "/"],
      ["BREW", "/"],
      ["GET", "/%ff"],
      ["GET", "/"],
    ];
    for (const [method, path] of asked) {
      const response = await client.ask(method, path, { Accept: "text/html" }).catch(() => null);
      if (response) expect(response.headers.get("Content-Type"), method + path).not.toContain("html");
    }
    expect((await client.ask("POST", "/")).status).toBe(405);
    expect((await client.ask("GET", "/a%2Fb")).status).toBe(400);
  });
});

describe("the page about it", () => {
  it("has examples that run as they stand", async () => {
    const page = await readFile(join(PROJECT_ROOT, "docs/webdav.md"), "utf8");
    const scripts = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script = ""]) => script);
    expect(scripts).not.toEqual([]);
    const cwd = await mkdtemp(join(tmpdir(), "codeshelf-dav-"));
    const env = { ...process.env, CODESHELF: web.url, TOKEN: client.token };
    for (const script of scripts) await promisify(execFile)("sh", ["-euc", script], { cwd, env });
    await rm(cwd, { recursive: true });
    expect(await listTrashed()).toEqual(["greet.py"]);
  });
});

describe("a text", () => {
  it("comes back as it was sent, under the tag of its version", async () => {
    const response = await put("/h%C3%A9llo.txt", "one\r\ntwo");
    expect(response.status).toBe(201);
    const read = await client.ask("GET", "/h%C3%A9llo.txt");
    expect(await read.text()).toBe("one\r\ntwo");
    expect(read.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(read.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(read.headers.get("ETag")).toBe(response.headers.get("ETag"));
    const part = await client.ask("GET", "/h%C3%A9llo.txt", { Range: "bytes=0-2" });
    expect([part.status, await part.text()]).toEqual([206, "one"]);
    expect((await client.ask("GET", "/h%C3%A9llo.txt", { Range: "bytes=99-" })).status).toBe(416);
  });

  it("is refused as binary, too large, or for a name that no file can have", async () => {
    const refused: [path: string, body: Uint8Array<ArrayBuffer>, status: number][] = [
      ["/a.png", Uint8Array.of(0x89, 0, 1), 415],
      ["/big.txt", new Uint8Array(2 * 1024 * 1024 + 1).fill(97), 413],
      ["/a%5Cb", Uint8Array.of(97), 400],
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
    const full = { used_bytes: 2 ** 40, bytes: 2 ** 40 };
    await put("/a.txt", "one\n");
    await db.library_usage.updateOne({ _id: owner }, { $set: { bytes: full.bytes } });
    const response = await put("/b.txt", "two\n");
    expect(response.status).toBe(507);
    expect(await response.text()).toContain("<D:quota-not-exceeded/>");
  });

  it("of 16 writers onto one version is kept once, and the others are refused", async () => {
    await put("/a.txt", "start\n");
    const etag = (await client.ask("HEAD", "/a.txt")).headers.get("ETag") ?? "";
    const statuses = await Promise.all(
      CLIENTS.map(async (i) => (await put("/a.txt", `${i}\n`, { "If-Match": etag })).status),
    );
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(15);
    expect(await listNumbers("a.txt")).toHaveLength(2);
  });

  it("of 16 writers without a condition is kept 16 times", async () => {
    await put("/a.txt", "start\n");
    await Promise.all(CLIENTS.map((i) => put("/a.txt", `${i}\n`)));
    expect(await listNumbers("a.txt")).toHaveLength(17);
  });

  it("of 16 writers who begin it is begun once", async () => {
    const begun = await Promise.all(
      CLIENTS.map(async (i) => (await put("/new.txt", `${i}\n`, { "If-None-Match": "*" })).status),
    );
    expect(begun.sort()).toEqual([201, ...Array(15).fill(412)]);
  });

  it("that is deleted is in the trash", async () => {
    const etag = (await put("/a.txt", "one\n")).headers.get("ETag") ?? "";
    await put("/a.txt", "two\n");
    expect((await client.ask("DELETE", "/a.txt", { "If-Match": etag })).status).toBe(412);
    const since = { "If-Unmodified-Since": "Thu, 01 Jan 1998 00:00:00 GMT" };
    expect((await client.ask("DELETE", "/a.txt", since)).status).toBe(412);
    expect((await put("/a.txt", "three\n", since)).status).toBe(412);
    expect((await client.ask("DELETE", "/a.txt")).status).toBe(204);
    expect((await client.ask("GET", "/a.txt")).status).toBe(404);
    expect(await listTrashed()).toEqual(["a.txt"]);
  });
});

describe("moving", () => {
  it("keeps the file with its id, versions and properties, in folders of any case", async () => {
    await client.ask("MKCOL", "/Lib");
    await put("/a.txt", "one\n");
    await put("/a.txt", "two\n");
    const id = await findId("a.txt");
    expect((await moveTo("/a.txt", "/lib/b.txt")).status).toBe(201);
    expect(await db.files.findOne({ user_id: owner, deleted_at: null })).toMatchObject({
      version: 2,
      file_name: "b.txt",
    });
    expect((await client.ask("HEAD", "/Lib/b.txt")).headers.get("X-File-Id")).toBe(id);
    expect(await listTrashed()).toEqual([]);
  });

  it("keeps the history of what an editor saves by a file beside it", async () => {
    await put("/a.txt", "one\n");
    const id = await findId("a.txt");
    await put("/a.txt.tmp", "two\n");
    expect((await moveTo("/a.txt.tmp", "/a.txt", { Overwrite: "T" })).status).toBe(204);
    expect(await findId("a.txt")).toBe(id);
    expect(await listNumbers("a.txt")).toEqual([2, 1]);
    expect(await readText("/a.txt")).toBe("two\n");
    expect((await client.ask("GET", "/a.txt.tmp")).status).toBe(404);
    expect(await listTrashed()).toEqual([]);
  });

  it("over a file by one that was there before leaves that one in the trash", async () => {
    await put("/old.txt", "old\n");
    await put("/a.txt", "one\n");
    await db.files.updateOne(
      { user_id: owner, file_name: "old.txt" },
      { $set: { created_at: new Date(web.clock().getTime() - 2 * HOUR_MS) } },
    );
    expect((await moveTo("/old.txt", "/a.txt")).status).toBe(204);
    expect(await readText("/a.txt")).toBe("old\n");
    expect(await listTrashed()).toEqual(["old.txt"]);
  });

  it("over a file by one that has notes leaves that one in the trash", async () => {
    await put("/a.txt", "one\n");
    await put("/noted.txt", "two\n");
    await givenNote(db, owner, { content: "why" }, { kind: "file", file_id: await findId("noted.txt") });
    expect((await moveTo("/noted.txt", "/a.txt")).status).toBe(204);
    expect(await readText("/a.txt")).toBe("two\n");
    expect(await listTrashed()).toEqual(["noted.txt"]);
  });

  it("copies description, tags and language to a new file, and leaves those of a file that was there", async () => {
    await put("/a.txt", "one\n");
    await put("/there.txt", "two\n");
    const about = { description: "first", tags: ["kept"], language: "python" as const };
    await updateDetails(db, owner, await findId("a.txt"), about);
    await updateDetails(db, owner, await findId("there.txt"), { description: "second" });
    expect((await copyTo("/a.txt", "/b.txt")).status).toBe(201);
    expect(await findFileByName(db, owner, "b.txt")).toMatchObject(about);
    expect((await copyTo("/a.txt", "/there.txt")).status).toBe(204);
    expect(await findFileByName(db, owner, "there.txt")).toMatchObject({ description: "second", tags: [] });
  });

  it("replaces what is of the other kind only where it may, and into the trash", async () => {
    await client.ask("MKCOL", "/lib");
    await put("/lib/inside.txt", "inside\n");
    await put("/a.txt", "one\n");
    expect((await client.ask("PUT", "/lib", {}, "text\n")).status).toBe(405);
    expect((await client.ask("MKCOL", "/a.txt")).status).toBe(405);
    for (const method of ["MOVE", "COPY"])
      for (const [from, to] of [
        ["/a.txt", "/lib"],
        ["/lib/", "/a.txt"],
      ] as const)
        expect((await client.ask(method, from, { Destination: `/dav${to}`, Overwrite: "F" })).status).toBe(
          412,
        );
    expect(await readText("/lib/inside.txt")).toBe("inside\n");

    expect((await client.ask("COPY", "/a.txt", { Destination: "/dav/lib" })).status).toBe(204);
    expect(await readText("/lib")).toBe("one\n");
    expect(await listTrashed()).toEqual(["inside.txt"]);
    await client.ask("MKCOL", "/new");
    await put("/new/kept.txt", "kept\n");
    expect((await moveTo("/new/", "/a.txt")).status).toBe(204);
    expect(await readText("/a.txt/kept.txt")).toBe("kept\n");
    expect((await listTrashed()).sort()).toEqual(["a.txt", "inside.txt"]);
  });

  it("of a folder takes all that is in it, and never into itself", async () => {
    await client.ask("MKCOL", "/a");
    await client.ask("MKCOL", "/a/b");
    await put("/a/b/c.txt", "one\n");
    expect((await moveTo("/a/", "/a/b/d/")).status).toBe(403);
    expect((await moveTo("/a/", "/A/")).status).toBe(201);
    expect((await moveTo("/A/", "/z/")).status).toBe(201);
    expect(await readText("/z/b/c.txt")).toBe("one\n");
  });

  it("goes to no other server and outside of the library to nothing", async () => {
    await put("/a.txt", "one\n");
    const to = (Destination: string) => client.ask("MOVE", "/a.txt", { Destination });
    expect((await to("http://elsewhere.example/dav/b.txt")).status).toBe(502);
    expect((await to("/api/files/b.txt")).status).toBe(403);
    expect((await to("/dav/../b.txt")).status).toBe(400);
    expect((await to("")).status).toBe(400);
    expect(await readText("/a.txt")).toBe("one\n");
  });
});

describe("copying", () => {
  it("makes files of their own, a folder with all that is in it", async () => {
    await client.ask("MKCOL", "/a");
    await client.ask("MKCOL", "/a/b");
    await put("/a/b/c.txt", "one\n");
    expect((await copyTo("/a/", "/z/")).status).toBe(201);
    await put("/a/b/c.txt", "two\n");
    expect(await readText("/z/b/c.txt")).toBe("one\n");
    expect((await copyTo("/a/", "/z/", { Overwrite: "F" })).status).toBe(412);
    expect((await copyTo("/a/", "/z/")).status).toBe(204);
    expect(await readText("/z/b/c.txt")).toBe("two\n");
  });

  it("tells in 207 what did not fit, and copies the rest", async () => {
    await client.ask("MKCOL", "/a");
    await put("/a/long.txt", "x".repeat(5_000));
    await put("/a/short.txt", "one\n");
    const { bytes } = required(await db.library_usage.findOne({ _id: owner }), "usage");
    const limit = required(web.db.limits, "limits").maxLibraryBytes;
    await db.library_usage.updateOne({ _id: owner }, { $set: { bytes: limit - 1_000 } });
    const response = await copyTo("/a/", "/z/");
    await db.library_usage.updateOne({ _id: owner }, { $set: { bytes } });
    expect(response.status).toBe(207);
    const xml = await response.text();
    expect(xml).toContain("<D:href>/dav/z/long.txt</D:href><D:status>HTTP/1.1 507");
    expect(xml).not.toContain("short.txt");
    expect(await readText("/z/short.txt")).toBe("one\n");
  });
});

describe("junk that systems drop", () => {
  const NAMES = [
    ".DS_Store",
    "._a.txt",
    "Thumbs.db",
    "desktop.ini",
    "~$a.docx",
    ".~lock.a.odt#",
    ".a.txt.swp",
    "4913",
  ];

  it("answers as if it were stored, and never gets into the library", async () => {
    const bytes = Uint8Array.of(0, 1, 2, 0xff);
    for (const name of NAMES) {
      const path = `/${encodeURIComponent(name)}`;
      expect((await client.ask("PUT", path, {}, bytes)).status, name).toBe(201);
      const read = await client.ask("GET", path);
      expect(new Uint8Array(await read.arrayBuffer())).toEqual(bytes);
    }
    const listed = await (await client.ask("PROPFIND", "/", { Depth: "1" })).text();
    for (const name of NAMES) expect(listed).toContain(`<D:displayname>${name}<`);
    expect(await db.files.countDocuments({ user_id: owner })).toBe(0);
    expect((await client.ask("DELETE", "/4913")).status).toBe(204);
    expect((await client.ask("GET", "/4913")).status).toBe(404);
  });

  it("is there for an hour, for every web process, and takes little room", async () => {
    expect((await put("/.DS_Store", "x")).status).toBe(201);
    const kept = required(await db.dav_junk.findOne({ user_id: owner }), "junk");
    expect(kept.expires_at.getTime() - web.clock().getTime()).toBe(HOUR_MS);
    expect((await client.ask("PUT", "/._big", {}, new Uint8Array(64 * 1024 + 1))).status).toBe(413);
    await db.dav_junk.updateOne({ _id: kept._id }, { $set: { expires_at: new Date(0) } });
    expect((await client.ask("GET", "/.DS_Store")).status).toBe(404);
  });

  it("can be locked before it is written, as the Finder does, and moved to a name of the library", async () => {
    const { status, token } = await lock("/._a.txt");
    expect(status).toBe(201);
    expect((await put("/._a.txt", "text\n", { If: `(${token})` })).status).toBe(204);
    expect((await moveTo("/._a.txt", "/a.txt", { If: `(${token})` })).status).toBe(201);
    expect(await readText("/a.txt")).toBe("text\n");
  });

  it("leaves a file of such a name alone that is in the library already", async () => {
    const visitor = await web.visitor().logIn(owner);
    expect((await visitor.ask("/api/files/4913", { method: "PUT", body: "mine\n" })).status).toBe(201);
    expect(await readText("/4913")).toBe("mine\n");
    expect((await put("/4913", "next\n")).status).toBe(204);
    expect(await listNumbers("4913")).toEqual([2, 1]);
  });
});

describe("a lock", () => {
  it("of 16 clients at once is got by one", async () => {
    await put("/a.txt", "one\n");
    const locks = await Promise.all(CLIENTS.map(() => lock("/a.txt")));
    expect(locks.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(423)]);
    const refused = required(
      locks.find(({ status }) => status === 423),
      "refusal",
    );
    expect(refused.xml).toContain("<D:no-conflicting-lock><D:href>/dav/a.txt</D:href>");
  });

  it("that is shared is got by all, and keeps others from writing", async () => {
    await put("/a.txt", "one\n");
    const locks = await Promise.all(CLIENTS.map(() => lock("/a.txt", SHARED_BODY)));
    expect(new Set(locks.map(({ token }) => token)).size).toBe(16);
    expect((await put("/a.txt", "two\n")).status).toBe(423);
    expect((await put("/a.txt", "two\n", { If: `(${locks[3]?.token})` })).status).toBe(204);
    expect((await lock("/a.txt")).status).toBe(423);
  });

  it("on a folder covers all that is in it, whatever the case of its name", async () => {
    await client.ask("MKCOL", "/Lib");
    await put("/Lib/a.txt", "one\n");
    const { token } = await lock("/Lib/", LOCK_BODY, { Depth: "infinity" });
    for (const path of ["/lib/a.txt", "/Lib/new.txt"]) expect((await put(path, "x")).status, path).toBe(423);
    expect((await client.ask("DELETE", "/lib/a.txt")).status).toBe(423);
    const tagged = { If: `<${web.url}/dav/Lib/> (${token})` };
    expect((await put("/lib/a.txt", "two\n", tagged)).status).toBe(204);
    expect((await client.ask("UNLOCK", "/Lib/", { "Lock-Token": token })).status).toBe(204);
    expect((await put("/lib/a.txt", "three\n")).status).toBe(204);
  });

  it("within a folder is told in 207 where the folder is deleted or locked", async () => {
    await client.ask("MKCOL", "/lib");
    await put("/lib/a.txt", "one\n");
    const { token } = await lock("/lib/a.txt");
    const deletion = await client.ask("DELETE", "/lib/");
    expect(deletion.status).toBe(207);
    expect(await deletion.text()).toContain("<D:href>/dav/lib/a.txt</D:href><D:status>HTTP/1.1 423");
    expect((await lock("/lib/", LOCK_BODY, { Depth: "infinity" })).status).toBe(207);
    expect(
      (await client.ask("DELETE", "/lib/", { If: `<${web.url}/dav/lib/a.txt> (${token})` })).status,
    ).toBe(204);
  });

  it("on what is not there makes an empty file, and goes with it", async () => {
    const { status, token } = await lock("/new.txt");
    expect(status).toBe(201);
    expect(await readText("/new.txt")).toBe("");
    expect((await client.ask("DELETE", "/new.txt", { If: `(${token})` })).status).toBe(204);
    expect((await put("/new.txt", "free\n")).status).toBe(201);
    expect((await lock("/none/new.txt")).status).toBe(409);
  });

  it("is over after its time, and an hour is the longest", async () => {
    await put("/a.txt", "one\n");
    const { xml } = await lock("/a.txt", LOCK_BODY, { Timeout: "Infinite, Second-4100000000" });
    expect(xml).toContain("<D:timeout>Second-3600</D:timeout>");
    expect((await put("/a.txt", "two\n")).status).toBe(423);
    const gone = new Date(web.clock().getTime() - 1);
    await db.dav_locks.updateOne({ _id: owner }, { $set: { "locks.0.expires_at": gone } });
    expect((await put("/a.txt", "two\n")).status).toBe(204);
  });

  it("is no matter of pages and the API", async () => {
    await put("/a.txt", "one\n");
    expect((await lock("/a.txt")).status).toBe(200);
    const visitor = await web.visitor().logIn(owner);
    expect((await visitor.ask("/api/files/a.txt", { method: "PUT", body: "two\n" })).status).toBe(200);
  });
});

describe("what is sent as XML", () => {
  const ask = async (body: string) => (await client.ask("PROPFIND", "/", { Depth: "0" }, body)).status;
  const propfind = (inner: string) => `<propfind xmlns="DAV:">${inner}</propfind>`;

  it("is refused where it declares entities, nests without end or is too long", async () => {
    expect(await ask(propfind("<prop><getetag/></prop>"))).toBe(207);
    const bombs = [
      '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb">]><propfind xmlns="DAV:"><prop>&b;</prop></propfind>',
      `<!DOCTYPE a SYSTEM "file:///etc/passwd">${propfind("<allprop/>")}`,
      propfind("&b;"),
      propfind("<a>".repeat(100) + "</a>".repeat(100)),
      propfind(`<prop>${"<a/>".repeat(3_000)}</prop>`),
      propfind("<prop>"),
      "no xml",
    ];
    for (const bomb of bombs) expect(await ask(bomb), bomb.slice(0, 60)).toBe(400);
    expect(await ask(propfind(`<!--${"x".repeat(70_000)}-->`))).toBe(413);
  });

  it("is refused with the reason, such as a prefix that it does not declare", async () => {
    const body = propfind('<prop><DAV:getetag xmlns="http://webdav.org/cadaver/custom-properties/"/></prop>');
    const response = await client.ask("PROPFIND", "/", { Depth: "0" }, body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("unbound namespace prefix: &quot;DAV&quot;.");
  });

  it("of Depth infinity is refused by its name", async () => {
    const asked: Record<string, string>[] = [{}, { Depth: "infinity" }];
    for (const headers of asked) {
      const response = await client.ask("PROPFIND", "/", headers);
      expect(response.status).toBe(403);
      expect(await response.text()).toContain("<D:propfind-finite-depth/>");
    }
  });
});

describe("properties", () => {
  const patch = (path: string, inner: string) =>
    client.ask(
      "PROPPATCH",
      path,
      {},
      `<propertyupdate xmlns="DAV:" xmlns:x="urn:x">${inner}</propertyupdate>`,
    );
  const find = async (path: string, names: string, depth = "0") =>
    (
      await client.ask(
        "PROPFIND",
        path,
        { Depth: depth },
        `<propfind xmlns="DAV:" xmlns:x="urn:x"><prop>${names}</prop></propfind>`,
      )
    ).text();

  it("of clients stay with what they are on, and go along in a copy", async () => {
    await client.ask("MKCOL", "/lib");
    await put("/lib/a.txt", "one\n");
    for (const path of ["/lib/", "/lib/a.txt"])
      expect(
        (await patch(path, "<set><prop><x:colour>red &amp; <x:b/></x:colour></prop></set>")).status,
      ).toBe(207);
    await moveTo("/lib/", "/src/");
    await copyTo("/src/", "/copy/");
    for (const path of ["/src/", "/src/a.txt", "/copy/", "/copy/a.txt"])
      expect(await find(path, "<x:colour/>"), path).toContain(
        '<colour xmlns="urn:x">red &amp; <b/></colour>',
      );
  });

  it("that follow from the library cannot be set, and then nothing is", async () => {
    await put("/a.txt", "one\n");
    const response = await patch(
      "/a.txt",
      "<set><prop><getetag>x</getetag><x:colour>red</x:colour></prop></set>",
    );
    const xml = await response.text();
    expect(xml).toContain("<D:getetag/></D:prop><D:status>HTTP/1.1 403");
    expect(xml).toContain("HTTP/1.1 424");
    expect(await find("/a.txt", "<x:colour/>")).toContain("404 Not Found");
  });

  it("are kept up to a size", async () => {
    await put("/a.txt", "one\n");
    const response = await patch("/a.txt", `<set><prop><x:long>${"x".repeat(5_000)}</x:long></prop></set>`);
    expect(await response.text()).toContain("HTTP/1.1 507");
    expect(await find("/a.txt", "<x:long/>")).toContain("404 Not Found");
  });

  it("of 16 clients at once are all kept", async () => {
    await put("/a.txt", "one\n");
    await Promise.all(CLIENTS.map((i) => patch("/a.txt", `<set><prop><x:p${i}>${i}</x:p${i}></prop></set>`)));
    const found = await find("/a.txt", CLIENTS.map((i) => `<x:p${i}/>`).join(""));
    expect(found).not.toContain("404");
  });

  it("tell how full the library is", async () => {
    await put("/a.txt", "one\n");
    const found = await find("/", "<quota-used-bytes/><quota-available-bytes/>");
    expect(found).toContain("<D:quota-used-bytes>4</D:quota-used-bytes>");
    expect(found).toMatch(/<D:quota-available-bytes>\d+</);
  });

  it("of a folder with thousands of files tell each of them once", async () => {
    const files = manyFiles(owner, 1_300);
    await db.files.insertMany(files);
    const living = files.filter(({ deleted_at }) => deleted_at === null);
    const xml = await find("/", "<getcontentlength/><getetag/>", "1");
    expect(xml.match(/<D:response>/g)).toHaveLength(living.length + 1);
  });
});

describe("a store that goes away at any call", () => {
  /** Does the same anew, each time with a later call failing, until none does. */
  async function strikeEach(
    every: number,
    arrange: (at: number) => Promise<unknown>,
    act: (at: number) => Promise<Response>,
    check: (at: number) => Promise<void> = async () => {},
  ): Promise<number> {
    for (let nth = 1; ; nth += every) {
      await arrange(nth);
      const { value: response, calls } = await store.during(nth, () => act(nth));
      const { status, headers } = response;
      expect(status === 503 || status < 300, `call ${nth}: ${status}`).toBe(true);
      if (status === 503) expect(headers.get("Content-Type")).toMatch(/^application\/xml/);
      if (status === 503) expect(headers.get("Retry-After")).toBe("5");
      await response.arrayBuffer();
      await check(nth);
      if (calls < nth) return calls;
    }
  }

  it("is told by 503 in XML where something is read", async () => {
    await put("/a.txt", "one\n");
    const calls = await strikeEach(
      1,
      async () => {},
      () => client.ask("PROPFIND", "/", { Depth: "1" }),
    );
    expect(calls).toBeGreaterThan(4);
  });

  it("loses no text where one is saved, or moved over another", async () => {
    const saves = await strikeEach(
      1,
      async () => {},
      (at) => put(`/s${at}.txt`, "one\n"),
    );
    const moves = await strikeEach(
      4,
      async (at) => {
        await put(`/m${at}.txt`, "old\n");
        await put(`/m${at}.tmp`, "new\n");
      },
      (at) => moveTo(`/m${at}.tmp`, `/m${at}.txt`),
      async (at) => {
        const [target, source] = [await readText(`/m${at}.txt`), await client.ask("GET", `/m${at}.tmp`)];
        expect(["old\n", "new\n"]).toContain(target);
        if (target === "old\n") expect(await source.text()).toBe("new\n");
      },
    );
    expect(Math.min(saves, moves)).toBeGreaterThan(8);
  });

  it("leaves a lock whose taking failed to be taken again after its time, and never two", async () => {
    const calls = await strikeEach(
      1,
      (at) => put(`/l${at}.txt`, "one\n"),
      (at) => client.ask("LOCK", `/l${at}.txt`, { Depth: "0" }, LOCK_BODY),
    );
    const { locks } = required(await db.dav_locks.findOne({ _id: owner }), "locks");
    expect(new Set(locks.map(({ names }) => names.join("/"))).size).toBe(locks.length);
    expect(calls).toBeGreaterThan(4);
  });
});

describe("a name that a Mac writes decomposed", () => {
  const COMPOSED = `/${encodeURIComponent("caf\u00e9.py")}`;
  const DECOMPOSED = `/${encodeURIComponent("cafe\u0301.py")}`;

  it("is the same file as the composed one", async () => {
    expect((await put(DECOMPOSED, "1")).status).toBe(201);
    expect((await put(COMPOSED, "2")).status).toBe(204);

    expect(await readText(DECOMPOSED)).toBe("2");
    expect(await listNumbers("caf\u00e9.py")).toEqual([2, 1]);
  });

  it("is composed by a move onto itself, which loses nothing", async () => {
    await put("/plain.py", "text");
    const id = await findId("plain.py");
    await db.files.updateOne({ _id: new ObjectId(id) }, { $set: { file_name: "cafe\u0301.py" } });
    const moved = await client.ask("MOVE", DECOMPOSED, { Destination: `/dav${COMPOSED}` });

    expect(moved.status).toBeLessThan(300);
    expect(await findFileByName(db, owner, "caf\u00e9.py")).toMatchObject({ id, file_name: "caf\u00e9.py" });
    expect(await listTrashed()).toEqual([]);
    expect(await readText(COMPOSED)).toBe("text");
  });
});
