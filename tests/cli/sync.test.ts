import { cp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { itDrawn, itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { giveToken, type Machine, newMachine } from "./codeshelf.ts";

const web = await openTestWeb();
await web.visitor().logIn("61");
const env = { CODESHELF_ADDRESS: web.url, CODESHELF_TOKEN: await giveToken(web, "61") };
const [laptop, desk] = [await newMachine(env), await newMachine(env)];

const ask = (method: string, path: string, body?: string) =>
  fetch(`${web.url}${path}`, {
    method,
    body,
    headers: { Authorization: `Bearer ${env.CODESHELF_TOKEN}`, "Content-Type": "application/json" },
  });
const save = (path: string, text: string) => ask("PUT", `/api/files/${path}`, text);
const readThere = async (path: string) => (await ask("GET", `/api/files/${path}`)).text();
const listThere = async (path: string): Promise<string[]> =>
  (await (await ask("GET", `/api/tree?deep=1&path=${path}`)).json()).files.map(
    (file: { path: string }) => file.path,
  );

/** Returns what a sync did, without the unchanged files. */
async function sync(machine: Machine, folder: string, ...more: string[]): Promise<Record<string, string>> {
  const { files } = await machine.json("sync", folder, ...more);
  return Object.fromEntries(
    files.map(({ path, status }: { path: string; status: string }) => [path, status]),
  );
}

describe("two machines that sync the same folder", () => {
  it("have everything that either of them made, changed, renamed and deleted", async () => {
    await laptop.write({ "two/a.py": "a\n", "two/in/b.py": "b\n", "two/c.py": "c\n" });
    expect(await sync(laptop, "two")).toEqual({
      "a.py": "uploaded",
      "c.py": "uploaded",
      "in/b.py": "uploaded",
    });
    expect(Object.values(await sync(desk, "two"))).toEqual(["downloaded", "downloaded", "downloaded"]);
    expect(await desk.tree("two")).toEqual(await laptop.tree("two"));
    expect(await sync(desk, "two")).toEqual({});

    const { id } = (await (await ask("GET", "/api/tree?path=two/in")).json()).files[0];
    await desk.write({ "two/a.py": "changed\n", "two/new.py": "new\n" });
    await mkdir(desk.at("two/moved"));
    await rename(desk.at("two/in/b.py"), desk.at("two/moved/renamed.py"));
    await rm(desk.at("two/in"), { recursive: true });
    await rm(desk.at("two/c.py"));
    expect(await sync(desk, "two")).toEqual({
      "a.py": "uploaded",
      "c.py": "deleted_there",
      "in/b.py": "renamed_there",
      "new.py": "uploaded",
    });
    expect((await (await ask("GET", `/api/file/${id}`)).json()).file.path).toBe("two/moved/renamed.py");
    expect((await ask("GET", "/api/tree?path=two/in")).status).toBe(404);

    expect(await sync(laptop, "two")).toEqual({
      "a.py": "downloaded",
      "c.py": "deleted_here",
      "in/b.py": "renamed_here",
      "new.py": "downloaded",
    });
    expect(await laptop.tree("two")).toEqual(await desk.tree("two"));
    expect(await readdir(laptop.at("two"))).not.toContain("in");
  });

  it("keep both texts if both changed, and agree afterwards", async () => {
    await laptop.write({ "both/מסמך.txt": "one\n" });
    await sync(laptop, "both");
    await sync(desk, "both");
    await laptop.write({ "both/מסמך.txt": "from the laptop\n" });
    await desk.write({ "both/מסמך.txt": "from the desk\n" });
    await sync(laptop, "both");
    const { code, stdout } = await desk.run(["sync", "both"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("conflict")]);
    const tree = await desk.tree("both");
    const [copy = ""] = Object.keys(tree).filter((name) => name !== "מסמך.txt");
    expect(copy).toMatch(/^מסמך \(conflict \d{4}-\d\d-\d\d \d\d-\d\d\)\.txt$/);
    expect(tree).toEqual({ "מסמך.txt": "from the laptop\n", [copy]: "from the desk\n" });
    await sync(laptop, "both");
    expect(await laptop.tree("both")).toEqual(tree);
    expect(await sync(desk, "both")).toEqual({});
  });

  itInFullRun("see no conflict if both changed to the same text, or a sync was interrupted", async () => {
    await laptop.write({ "same/a.py": "one\n" });
    await sync(laptop, "same");
    await save("same/a.py", "two\n");
    await laptop.write({ "same/a.py": "two\n", "same/b.py": "sent already\n" });
    await save("same/b.py", "sent already\n");
    expect(await sync(laptop, "same")).toEqual({});
    expect(Object.keys(await laptop.tree("same"))).toEqual(["a.py", "b.py"]);
  });
});

itInFullRun(
  "the first sync after push or pull takes over the changes of one side, and deletes nothing",
  async () => {
    const names = ["both.py", "gone.py", "here.py", "there.py"];
    await laptop.write(Object.fromEntries(names.map((name) => [`first/${name}`, "1\n"])));
    await laptop.ok("push", "first");
    await desk.ok("pull", "first");
    await laptop.write({ "first/here.py": "laptop\n", "first/both.py": "laptop\n" });
    await rm(laptop.at("first/gone.py"));
    await save("first/there.py", "there\n");
    await save("first/both.py", "there\n");
    expect(await sync(laptop, "first")).toMatchObject({
      "both.py": "conflict",
      "gone.py": "downloaded",
      "here.py": "uploaded",
      "there.py": "downloaded",
    });
    await desk.write({ "first/gone.py": "desk\n" });
    const copy = expect.stringMatching(/^both \(conflict .*\)\.py$/);
    expect(Object.entries(await sync(desk, "first")).sort()).toEqual([
      [copy, "downloaded"],
      ["both.py", "downloaded"],
      ["gone.py", "uploaded"],
      ["here.py", "downloaded"],
      ["there.py", "downloaded"],
    ]);
  },
);

describe("a deletion", () => {
  it("loses against a change on the other side", async () => {
    await laptop.write({ "gone/here.py": "1\n", "gone/there.py": "1\n" });
    await sync(laptop, "gone");
    await rm(laptop.at("gone/here.py"));
    await save("gone/here.py", "changed there\n");
    await ask("DELETE", "/api/files/gone/there.py");
    await laptop.write({ "gone/there.py": "changed here\n" });
    expect(await sync(laptop, "gone")).toEqual({ "here.py": "downloaded", "there.py": "uploaded" });
    expect(await laptop.tree("gone")).toEqual({ "here.py": "changed there\n", "there.py": "changed here\n" });
    expect(await readThere("gone/there.py")).toBe("changed here\n");
  });

  it("does not follow from a name that the other side may not have", async () => {
    const names = ["x:b.py", "C:/drive.py", "turned\u202e.py", "\u200fשם.py"];
    await laptop.write(Object.fromEntries(names.map((name) => [`names/${name}`, "mine\n"])));
    await save("names/C%3A/drive.py", "theirs\n");
    const first = await sync(laptop, "names");
    expect(first).toEqual({
      ...{ "x:b.py": "uploaded", "\u200fשם.py": "uploaded" },
      ...{ "C:/drive.py": "refused", "turned\u202e.py": "refused" },
    });
    expect(await sync(laptop, "names")).toEqual({ "C:/drive.py": "refused", "turned\u202e.py": "refused" });
    expect(Object.keys(await laptop.tree("names")).sort()).toEqual(names.sort());
    expect(await readThere("names/C%3A/drive.py")).toBe("theirs\n");
  });

  it("of the whole folder in the library deletes nothing here", async () => {
    await laptop.write({ "whole/a.py": "1\n" });
    await sync(laptop, "whole");
    const { folder_id } = await (await ask("GET", "/api/tree?path=whole")).json();
    await ask("DELETE", `/api/folders/${folder_id}`);
    expect(await laptop.run(["sync", "whole"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is no longer in the library. Nothing was deleted here."),
    });
    expect(await laptop.tree("whole")).toEqual({ "a.py": "1\n" });
  });
});

describe("a sync", () => {
  it("refuses a copied folder, which would change the folder of the original", async () => {
    await laptop.write({ "original/a.py": "1\n" });
    await sync(laptop, "original");
    await cp(laptop.at("original"), laptop.at("copied"), { recursive: true });
    await laptop.write({ "copied/a.py": "2\n" });
    const { code, stderr } = await laptop.run(["sync", "copied"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("is a copy of") });
    expect(await readThere("original/a.py")).toBe("1\n");
    await rename(laptop.at("original"), laptop.at("elsewhere"));
    expect(await sync(laptop, "elsewhere")).toEqual({});
  });

  it("that is a dry run says what it would do and does nothing", async () => {
    await laptop.write({ "dry/a.py": "1\n", "dry/b.py": "1\n" });
    await sync(laptop, "dry");
    await save("dry/c.py", "1\n");
    await rm(laptop.at("dry/b.py"));
    await laptop.write({ "dry/a.py": "2\n" });
    const before = [await laptop.tree("dry"), await laptop.read("dry/.codeshelf-sync.json")];
    expect(await sync(laptop, "dry", "--dry-run")).toEqual({
      "a.py": "uploaded",
      "b.py": "deleted_there",
      "c.py": "downloaded",
    });
    expect([await laptop.tree("dry"), await laptop.read("dry/.codeshelf-sync.json")]).toEqual(before);
    expect(await listThere("dry")).toEqual(["dry/a.py", "dry/b.py", "dry/c.py"]);
    expect(await readThere("dry/a.py")).toBe("1\n");
  });

  itDrawn("ignored on both sides", 3)("leaves alone on both sides what ignore files name", async () => {
    await save("ignoring/build/there.py", "there\n");
    await laptop.write({
      "ignoring/.gitignore": "build\n",
      "ignoring/build/here.py": "here\n",
      "ignoring/a.py": "1\n",
    });

    expect(await sync(laptop, "ignoring")).toEqual({
      ".gitignore": "uploaded",
      "a.py": "uploaded",
      build: "skipped",
    });
    expect(await listThere("ignoring")).toEqual([
      "ignoring/.gitignore",
      "ignoring/a.py",
      "ignoring/build/there.py",
    ]);
    expect(Object.keys(await laptop.tree("ignoring"))).toEqual([".gitignore", "a.py", "build/here.py"]);
    expect(await sync(laptop, "ignoring", "--all")).toEqual({
      "build/here.py": "uploaded",
      "build/there.py": "downloaded",
    });
  });

  it("refuses a folder that is neither on the machine nor in the library", async () => {
    expect(await laptop.run(["sync", "no such folder"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("neither here nor in the library"),
    });
    expect(await readdir(laptop.home)).not.toContain("no such folder");
  });

  it("ignores binary files, tools' leftovers, and another sync of the folder", async () => {
    await laptop.write({
      "mixed/a.py": "1\n",
      "mixed/.git/config": "x\n",
      "mixed/pic.png": Buffer.from([0, 1]),
    });
    expect(await sync(laptop, "mixed")).toEqual({ "a.py": "uploaded", "pic.png": "skipped" });
    expect(await listThere("mixed")).toEqual(["mixed/a.py"]);
    await writeFile(laptop.at("mixed/.codeshelf-sync.lock"), String(process.pid));
    expect((await laptop.run(["sync", "mixed"])).stderr).toContain("Another sync of this folder is running.");
    await writeFile(laptop.at("mixed/.codeshelf-sync.lock"), "999999999");
    expect(await sync(laptop, "mixed")).toEqual({ "pic.png": "skipped" });
    expect(await laptop.run(["sync", "mixed", "--to", "other"])).toMatchObject({ code: 1 });
  });

  itDrawn("the case of folders", 3)(
    "does not tell folders apart by the case of their names, as the library does not",
    async () => {
      await save("cases/Src/a.py", "1\n");
      await laptop.write({ "cases/src/b.py": "2\n" });
      await sync(laptop, "cases");
      expect(await listThere("cases")).toEqual(["cases/Src/a.py", "cases/Src/b.py"]);
      expect(await laptop.tree("cases")).toEqual({ "src/a.py": "1\n", "src/b.py": "2\n" });
      expect(await sync(laptop, "cases")).toEqual({});
    },
  );

  itDrawn("other capital letters", 3)(
    "carries other capital letters of a folder's name over, from either side",
    async () => {
      const both = ["one/Src/deep/a.py", "one/Src/b.py"];
      await laptop.write(Object.fromEntries(both.map((path) => [path, `${path}\n`])));
      await sync(laptop, "one");
      await sync(desk, "one");
      const { id } = (await (await ask("GET", "/api/tree?path=one/Src")).json()).files[0];

      await rename(laptop.at("one/Src"), laptop.at("one/src"));
      expect(await sync(laptop, "one", "--dry-run")).toEqual({ Src: "renamed_there" });
      expect(await sync(laptop, "one")).toEqual({ Src: "renamed_there" });
      expect(await listThere("one")).toEqual(["one/src/b.py", "one/src/deep/a.py"]);
      expect((await (await ask("GET", `/api/file/${id}`)).json()).file.path).toBe("one/src/b.py");
      expect(await sync(laptop, "one")).toEqual({});

      expect(await sync(desk, "one")).toEqual({ Src: "renamed_here" });
      expect(Object.keys(await desk.tree("one"))).toEqual(["src/b.py", "src/deep/a.py"]);
      await rename(desk.at("one/src/deep"), desk.at("one/src/DEEP"));
      await desk.write({ "one/src/DEEP/a.py": "changed\n" });
      expect(await sync(desk, "one")).toEqual({ "src/deep": "renamed_there", "src/DEEP/a.py": "uploaded" });
      expect(await sync(laptop, "one")).toEqual({
        "src/deep": "renamed_here",
        "src/DEEP/a.py": "downloaded",
      });
      expect(await laptop.tree("one")).toEqual(await desk.tree("one"));
    },
  );

  it("moves a renamed folder as a whole, so that it keeps its id", async () => {
    await laptop.write({ "moved/Old/a.py": "a\n", "moved/Old/in/b.py": "b\n", "moved/other/c.py": "c\n" });
    await sync(laptop, "moved");
    const findFolder = async (path: string) =>
      (await (await ask("GET", `/api/tree?path=${path}`)).json()).folder_id;
    const id = await findFolder("moved/Old");
    await rename(laptop.at("moved/Old"), laptop.at("moved/other/New"));
    expect(await sync(laptop, "moved", "--dry-run")).toEqual({ Old: "renamed_there" });
    expect(await sync(laptop, "moved")).toEqual({ Old: "renamed_there" });
    expect(await findFolder("moved/other/New")).toBe(id);
    expect(await listThere("moved")).toEqual([
      "moved/other/New/a.py",
      "moved/other/New/in/b.py",
      "moved/other/c.py",
    ]);
    expect(await sync(laptop, "moved")).toEqual({});
  });

  itDrawn("a file for a folder", 3)(
    "puts a file in the place of a folder, and says which of two files with one name stays out",
    async () => {
      await laptop.write({ "place/y/a.py": "1\n", "place/café.py": "composed\n" });
      await sync(laptop, "place");
      await rm(laptop.at("place/y"), { recursive: true });
      await laptop.write({ "place/y": "a file now\n", "place/cafe\u0301.py": "decomposed\n" });
      const { ok, files } = await laptop.json("sync", "place");
      expect(ok).toBe(false);
      expect(
        Object.fromEntries(files.map((file: { path: string; status: string }) => [file.path, file.status])),
      ).toEqual({
        "y/a.py": "deleted_there",
        y: "uploaded",
        "cafe\u0301.py": "refused",
      });
      expect(await readThere("place/café.py")).toBe("composed\n");
      expect(await listThere("place")).toEqual(["place/café.py", "place/y"]);
    },
  );

  it("watches both sides until it is interrupted, and leaves no half-written file", async () => {
    await laptop.write({ "watched/a.py": "1\n" });
    const child = laptop.start(["sync", "watched", "--watch", "--interval", "0.2"]);
    const ended = new Promise((done) => child.on("exit", (code) => done(code)));
    const within = { timeout: 15_000, interval: 50 };
    await expect.poll(() => readThere("watched/a.py"), within).toBe("1\n");
    await laptop.write({ "watched/in/b.py": "2\n" });
    await expect.poll(() => readThere("watched/in/b.py"), within).toBe("2\n");
    await save("watched/c.py", "3\n");
    await expect.poll(() => laptop.read("watched/c.py").catch(() => null), within).toBe("3\n");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    const names = (await readdir(laptop.at("watched"))).filter((name) => name !== ".codeshelf-sync.json");
    expect(names.sort()).toEqual(["a.py", "c.py", "in"]);
  });
});
