import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { givenFolders } from "#tests/support/files/folder-trees.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { type FormValues, openTestWeb, toForm, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb();
const dana = await web.person();
const noam = await web.person();
const stranger = web.visitor();

const act = (fields: FormValues) => dana.press("/files/actions", { next: "/files", ...fields });
const read = (path: string) => dana.read(path);
const create = async (name: string, parent_id?: string): Promise<string> =>
  (await dana.send("POST", "/api/folders", { name, parent_id })).body.folder.id;

async function upload(file_name: string, folder: string, text = "x\n"): Promise<string> {
  const headers = { "Sec-Fetch-Site": "same-origin", Accept: "application/json" };
  const { body } = await dana.send("POST", "/upload", toForm({ file_name, folder, text }), headers);
  return body.files[0].file_id;
}
const listNames = (items: { name: string }[]) => items.map(({ name }) => name);
const readFile = async (id: string) => (await dana.readJson(`/api/file/${id}`)).file;

describe("the page of a folder", () => {
  it("lists its folders and files by name, with its path, as its JSON does", async () => {
    const lib = await create("lib");
    const parsers = await create("parsers", lib);
    await upload("zeta.py", lib);
    await upload("alpha.py", lib);
    const inner = await upload("csv.py", parsers);

    const page = await read(`/files?folder=${lib}`);
    expect(page.indexOf("alpha.py")).toBeGreaterThan(0);
    expect(page.indexOf("alpha.py")).toBeLessThan(page.indexOf("zeta.py"));
    expect(page).toContain(`href="/files?folder=${parsers}"`);
    expect(page).toContain(`href="/upload?folder=${lib}"`);
    expect(page).not.toContain(`/file/${inner}`);
    expect(page).toContain("1 folder · 2 files");
    expect(await read("/files")).toContain('title="1 folder · 2 files"');

    const { files, folders, trail } = await dana.readJson(`/files?folder=${parsers}`);
    expect(files).toMatchObject([{ id: inner }]);
    expect(folders).toEqual([]);
    expect(listNames(trail)).toEqual(["lib", "parsers"]);
  });

  it("counts files by a bare number, and names folders", async () => {
    const proj = await create("proj");
    await create("one", proj);
    await upload("a.py", await create("two", proj));
    const single = await create("single");
    await upload("b.py", single);

    const page = await read("/files");
    const countIn = (id: string) =>
      new RegExp(`data-folder-drag="${id}".*?<span class="tiny numbers[^"]*">(.*?)</a>`).exec(page)?.[1];
    expect(countIn(proj)).toBe("2 folders</span>");
    expect(countIn(single)).toContain('<span aria-hidden="true">1</span>');
    expect(await read(`/files?folder=${proj}`)).toContain("This folder has only folders.");
  });

  it("keeps the list of all files flat, with the path of each file", async () => {
    const flat = await create("flat");
    const id = await upload("in-flat.py", flat);
    const page = await read("/files");
    expect(page).toContain(`/file/${id}`);
    expect(page.split(`/files?folder=${flat}"`).length).toBeGreaterThan(2);
    expect((await dana.readJson("/files")).folders).toBeUndefined();
  });

  it("shows its README rendered without scripts, and says what to do if it is empty", async () => {
    const folder = await create("told");
    expect(await read(`/files?folder=${folder}`)).toContain("This folder is empty");
    await upload("README.md", folder, "# About it\n\n<script>alert(1)</script>\n\n**bold**\n");
    const page = await read(`/files?folder=${folder}`);
    expect(page).toContain("<strong>bold</strong>");
    expect(page).not.toContain("<script>alert(1)");
  });

  it("is not found once the folder is gone", async () => {
    const mine = await create("mine");
    expect((await dana.show(`/files?folder=${mine}`)).status).toBe(200);
    await act({ intent: `folder-delete:${mine}` });
    const { status, html } = await dana.show(`/files?folder=${mine}`);
    expect(status).toBe(404);
    expect(html).toContain("This folder doesn’t exist");
    expect((await dana.send("GET", `/api/files?folder=${mine}`)).status).toBe(404);
  });
});

describe("hundreds of folders in one place", () => {
  const NAMES = Array.from({ length: 450 }, (_, n) => `f${n}`);
  const IN_TRASH = { deleted_at: new Date(), expires_at: new Date(Date.now() + DAY_MS) };
  const LIVING = { deleted_at: null, expires_at: null };

  const PARENT_ID = "f".repeat(24);
  const PARENT = { id: PARENT_ID, name: "parent" };

  async function givenMany(
    parent_id: string | null,
    dates: typeof IN_TRASH | typeof LIVING,
  ): Promise<Visitor> {
    const person = await web.person();
    const folders = NAMES.map((name, n) => ({
      id: (n + 1).toString(16).padStart(24, "0"),
      name,
      parent_id,
      ...dates,
    }));
    await givenFolders(web.db, person.id, parent_id === null ? folders : [PARENT, ...folders], new Date());
    return person;
  }

  /** The names on each page, following the links to the next page. */
  async function readPages(visitor: Visitor, first: string): Promise<string[][]> {
    const pages: string[][] = [];
    for (let path: string | undefined = first; path !== undefined; ) {
      const page: string = await visitor.read(path);
      pages.push([...page.matchAll(/(?:<bdi>|data-row[^>]*>)(f\d+)</g)].map(([, name]) => required(name)));
      path = /href="([^"]*folder_page=\d+)" rel="next"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
    }
    return pages;
  }

  const LISTS = [
    ["/files", null, LIVING],
    ["/files?folder=root", null, LIVING],
    [`/files?folder=${PARENT_ID}`, PARENT_ID, LIVING],
    ["/trash", null, IN_TRASH],
  ] as const;

  it.each(drawCases("hundreds of folders", LISTS, 2))(
    "are on pages of 200 that lead to each other, from %s",
    async (path, parent_id, dates) => {
      const many = await givenMany(parent_id, dates);
      const pages = await readPages(many, path);
      expect(pages.map(({ length }) => length)).toEqual([200, 200, 50]);
      expect(new Set(pages.flat())).toEqual(new Set(NAMES));
      const join = path.includes("?") ? "&" : "?";
      const last = await many.read(`${path}${join}folder_page=99`);
      expect(last).toContain("Folders 401–450 of 450");
    },
  );

  it("are typed as a path in a form, which stays empty for no folder", async () => {
    const many = await givenMany(null, LIVING);
    const page = await many.read("/upload");
    expect(/<input[^>]*id="folder"[^>]*>/.exec(page)?.[0]).toContain('value=""');
    expect(page).toContain("Leave empty for no folder.");
  });
});

describe("the forms of folders", () => {
  it("move chosen files by the id of a folder, by its path, and out of folders", async () => {
    const [from, to] = [await create("from"), await create("to")];
    const id = await upload("moved.py", from);
    const readFolderId = async () => (await readFile(id)).folder_id;
    const about = { intent: `describe:${id}`, description: "told", tags: "" };

    for (const [fields, folder_id] of [
      [{ intent: "move", file_ids: id, folder: to }, to],
      [{ intent: "move", file_ids: id, folder: "from" }, from],
      [{ intent: `move:${id}:${to}` }, to],
      [{ ...about, folder: "" }, null],
      [{ ...about, folder: from }, from],
      [{ intent: "move", file_ids: id, folder: "" }, from],
    ] as [FormValues, string | null][]) {
      await act(fields);
      expect(await readFolderId(), JSON.stringify(fields)).toBe(folder_id);
    }
    expect(await read("/files")).toContain("Choose a folder.");
    expect((await act({ intent: `move:${id}:${to}` })).location).toBe(`/file/${id}`);
    await act({ intent: "move", file_ids: id, folder: "root" });
    expect(await readFolderId()).toBeNull();
  });

  it("move chosen files to a folder that is made for them, or that has this name already", async () => {
    const folder = await create("place");
    const [first, second] = [await upload("n1.py", folder), await upload("n2.py", "root")];
    const into = { folder: "/", parent: folder, name: " made " };

    await act({ intent: "move", file_ids: first, ...into });
    await act({ intent: "return", file_ids: second, ...into, name: "made", tags: "" });
    expect((await readFile(first)).path).toBe("place/made/n1.py");
    expect((await readFile(second)).path).toBe("place/made/n2.py");
    await act({ intent: "move", file_ids: first, ...into, name: "" });
    expect(await read("/files")).toContain("Give the folder a name");
    await act({ intent: "return", file_ids: first, folder: "", name: "", tags: "told" });
    expect((await readFile(first)).tags).toEqual(["told"]);
  });

  it("undo a move of files, each to its former folder", async () => {
    const [one, two, to] = [await create("one"), await create("two"), await create("gathered")];
    const ids = [await upload("a1.py", one), await upload("a2.py", two), await upload("a3.py", "root")];
    const readFolderIds = async () =>
      (await Promise.all(ids.map(readFile))).map(({ folder_id }) => folder_id);
    await act({ intent: "move", folder: to, next: "/trash", file_ids: ids });
    expect(await readFolderIds()).toEqual([to, to, to]);

    const places = (await read("/trash")).matchAll(/name="moved" value="([^"]+)"/g);
    const moved = [...places].map(([, place = ""]) => place);
    await act({ intent: "move-back", folder: to, next: "/trash", moved });

    expect(await readFolderIds()).toEqual([one, two, null]);
    expect(await read("/trash")).toContain("Moved 3 files back");
  });

  it("make, rename and move a folder, and say why not", async () => {
    const outer = await create("outer");
    await act({ intent: "folder-create", name: "other", folder: "root" });
    const { folders } = await dana.readJson("/files?folder=root");
    const other = folders.find(({ name }: { name: string }) => name === "other").id;
    const readTrail = async () => listNames((await dana.readJson(`/files?folder=${other}`)).trail);
    const edit = (id: string, name: string, folder: string) =>
      act({ intent: `folder-edit:${id}`, name, folder });

    await edit(other, "renamed", outer);
    expect(await readTrail()).toEqual(["outer", "renamed"]);
    expect(await read("/files")).toMatch(
      /name="name" value="other"\/><input type="hidden" name="folder" value="root"/,
    );
    await edit(other, "other", "");
    expect(await readTrail()).toEqual(["other"]);

    await edit(other, "renamed", outer);
    await edit(outer, "outer", other);
    expect(await read("/files")).toContain("A folder can’t be moved into itself.");
  });

  it("delete a folder with what is in it, as one row of the trash, and undo that", async () => {
    const doomed = await create("doomed");
    const id = await upload("with-it.py", doomed);
    await act({ intent: `folder-delete:${doomed}` });
    expect(await read("/files")).toContain(`folder-restore:${doomed}`);

    const trash = await read("/trash");
    expect(trash).toContain(`folder-restore:${doomed}`);
    expect(trash).not.toContain(`restore:${id}`);
    const { folders, files } = await dana.readJson("/trash");
    expect(folders).toContainEqual(expect.objectContaining({ id: doomed, name: "doomed", files: 1 }));
    expect(files).toContainEqual(expect.objectContaining({ id }));

    const { location } = await act({ intent: `folder-restore:${doomed}` });
    expect(location).toBe(`/files?folder=${doomed}`);
    expect((await dana.show(`/file/${id}`)).status).toBe(200);
    expect(await read("/trash")).not.toContain(`folder-restore:${doomed}`);
  });

  it("return a refused name in its own form", async () => {
    await create("only-once");
    await act({ intent: "folder-create", folder: "root", name: "Only-Once" });
    expect(await read("/files")).toMatch(/<details class="menu" open="">.{0,900}value="Only-Once"/s);
    expect(await read("/files")).not.toContain('value="Only-Once"');
  });

  it("give a refused name and the chosen parent back where a folder is changed", async () => {
    const [parent, changed] = [await create("kept-parent"), await create("changed-one")];
    await act({ intent: `folder-edit:${changed}`, name: "a/b", folder: parent });
    const page = await read(`/files?folder=${changed}`);
    expect(page).toMatch(/<input[^>]*id="folder-name"[^>]*autofocus=""[^>]*value="a\/b"/);
    expect(page).toMatch(new RegExp(`id="folder-parent".*?<option value="${parent}" selected="">`, "s"));
    await act({ intent: `folder-edit:${changed}`, name: "changed-one", folder: changed });
    expect(await read(`/files?folder=${changed}`)).toMatch(/<select id="folder-parent"[^>]*autofocus=""/);
  });

  it("are made in the open folder, also by the button of every page", async () => {
    const open = await create("open-one");
    expect(await read(`/files?folder=${open}`)).toContain(`bar-button" href="/upload?folder=${open}"`);
    expect(await read('/files?folder="x')).toContain('bar-button" href="/upload"');
  });

  it("show in the trash where a file was", async () => {
    const id = await upload("was-inside.py", await create("kept-outer"));
    await act({ intent: "delete", file_ids: id });
    expect(await read("/trash")).toMatch(
      /was-inside\.py<\/bdi><\/a><span class="file-place[^"]*"><a href="[^"]+"><svg.*?<\/svg><bdi>kept-outer</,
    );
  });

  it("are offered by a few letters of a folder, for going there and for moving the open file", async () => {
    const folder = await create("findable");
    const id = await upload("open.py", "root");
    const offered = await read("/go?q=finda");
    expect(offered).toContain(`href="/files?folder=${folder}"`);
    expect(offered).not.toContain(`value="move:`);
    expect(await read(`/go?q=move+to+finda&file=${id}`)).toContain(`value="move:${id}:${folder}"`);
  });
});

/** Makes a link to a folder by API and returns its path. */
async function share(folder: string, fields: object): Promise<string> {
  const { status, body } = await dana.send("POST", `/api/folders/${folder}/share`, fields);
  expect(status).toBe(200);
  return new URL(body.url).pathname;
}

describe("a link to a folder", () => {
  const see = (path: string) => stranger.read(path);

  it("shows its tree and its README as they were, and gives one zip with paths", async () => {
    const shared = await create("shared");
    const inner = await create("inner", shared);
    const id = await upload("deep.py", inner, "print('first')\n");
    await upload("README.md", shared, "All **about** it\n");
    const address = await share(shared, {});
    await upload("deep.py", inner, "print('second')\n");
    await upload("later.py", shared);

    const page = await see(address);
    expect(page).toContain("<strong>about</strong>");
    expect(page).toContain("deep.py");
    expect(page).not.toContain("later.py");
    expect(page).not.toContain(id);
    const [, place] = /href="\/shared\/[\w-]+\/(\d+)"[^>]*><bdi[^>]*>deep\.py/.exec(page) ?? [];
    expect(await see(`${address}/${place}/raw`)).toBe("print('first')\n");
    const zip = unzipSync(new Uint8Array(await (await stranger.ask(`${address}/zip`)).arrayBuffer()));
    expect(Object.keys(zip).sort()).toEqual(["README.md", "inner/deep.py"]);
    expect(await read("/shares")).toContain(`href="/files?folder=${shared}"`);
  });

  it("resolves relative links of its Markdown to its own files only", async () => {
    const outer = await create("linking");
    const shared = await create("docs", outer);
    const inner = await create("parts", shared);
    const secret = await upload("outside.py", outer);
    await upload("code.py", inner);
    await upload("guide.md", inner, "[back](../README.md) [code](code.py) [out](../../outside.py)\n");
    await upload("README.md", shared, "[guide](parts/guide.md#top) [out](../outside.py)\n");
    for (const follow of [false, true]) {
      const address = await share(shared, { follow });
      const page = await see(address);
      const prose = /<div class="prose">(.*?)<\/div>/s.exec(page)?.[1] ?? "";
      const guide = new RegExp(`href="(${address}/[\\w-]+)#[^"]*"[^>]*>guide`).exec(prose)?.[1];
      expect(guide).toBeDefined();
      expect(prose).toContain("out");
      expect(prose).not.toContain("outside.py");
      const text = await see(guide ?? "");
      expect(text).toMatch(new RegExp(`href="${address}/[\\w-]+"[^>]*>back</a>`));
      expect(text).toMatch(new RegExp(`href="${address}/[\\w-]+"[^>]*>code</a>`));
      expect(text).toContain("out");
      expect(text).not.toContain("outside.py");
      expect(page + text).not.toContain(secret);
      expect(await see(`${guide}?view=source`)).toContain("outside.py");
    }
  });

  it("that follows it shows its current content, and nothing while it is in the trash", async () => {
    const followed = await create("followed");
    await upload("one.py", followed, "1\n");
    const address = await share(followed, { follow: true });
    const id = await upload("two.py", followed, "first\n");
    await upload("two.py", followed, "second\n");

    const page = await see(address);
    expect(page).toContain("one.py");
    expect(page).not.toContain(id);
    const [, place = ""] = /href="\/shared\/[\w-]+\/([\w-]+)"[^>]*><bdi[^>]*>two\.py/.exec(page) ?? [];
    expect(await see(`${address}/${place}/raw`)).toBe("second\n");
    await act({ intent: "move", file_ids: id, folder: "root" });
    expect((await stranger.page(`${address}/${place}/raw`)).status).toBe(404);

    await act({ intent: `folder-delete:${followed}` });
    for (const path of [address, `${address}/zip`]) expect((await stranger.page(path)).status).toBe(404);
    const folder = expect.objectContaining({ id: followed });
    const { shares } = await dana.readJson("/api/shares");
    expect(shares).toContainEqual(expect.objectContaining({ living: 0, folder }));
    await act({ intent: `folder-restore:${followed}` });
    expect(await see(address)).toContain("one.py");
  });
});

describe("a link to a folder with a password", () => {
  it("opens only with it, and before shows nothing of the folder at any of its addresses", async () => {
    const folder = await create("guarded");
    await upload("vault.py", folder, "secret_word = 1\n");
    await upload("README.md", folder, "# Vault readme\n");
    const password = "open sesame";
    for (const follow of [false, true]) {
      const path = await share(folder, { follow, password });
      const owners = await read(path);
      expect(owners).toContain("vault.py");
      const filePath = required(
        new RegExp(`${path}/([\\w-]+)"`).exec(owners.replaceAll(`${path}/zip`, "")),
      )[1];
      const reader = web.visitor();
      const before = await reader.show(path);
      expect([before.status, before.html]).toEqual([200, expect.stringContaining("Shared folder")]);
      expect(before.html).not.toMatch(/vault|guarded|secret_word/i);
      for (const end of [
        "zip",
        `${filePath}`,
        `${filePath}/raw`,
        `${filePath}/embed`,
        "999",
        "999/raw",
        "999/embed",
      ]) {
        const { status, html, location } = await reader.show(`${path}/${end}`);
        expect(html, end).not.toMatch(/vault|guarded|secret_word/i);
        if (end.endsWith("/embed")) expect(status, end).toBe(403);
        else expect([status, location], end).toEqual([302, path]);
      }
      expect(
        (await reader.send("GET", `${path}/zip`, undefined, { Accept: "application/json" })).status,
      ).toBe(403);

      const wrong = await reader.press(path, { intent: "open", password: "wrong one" });
      expect([wrong.status, wrong.html]).toEqual([403, expect.stringContaining("Wrong password.")]);
      expect((await reader.press(path, { intent: "open", password })).location).toBe(path);
      const { html, headers } = await reader.show(path);
      expect(headers.get("Cache-Control")).toBe("private, no-store");
      expect(html).toContain("vault.py");
      expect(html).toContain("Vault readme");
      expect(await reader.read(`${path}/${filePath}/raw`)).toMatch(/secret_word|Vault readme/);
      expect((await reader.show(`${path}/zip`)).status).toBe(200);
      expect(await reader.read(await share(folder, { follow, password }))).not.toContain("vault.py");
    }
  });

  it("is made by the form, which refuses a short one, and is listed with the credentials", async () => {
    await web.db.shares.deleteMany({ user_id: dana.id });
    const folder = await create("listed");
    await upload("a.py", folder);
    await act({ intent: `folder-share:${folder}`, mode: "follow", lifetime: "7", password: "short" });
    expect(await read("/files")).toContain("6 to 200 characters");
    expect(await web.db.shares.countDocuments({ user_id: dana.id })).toBe(0);
    await act({ intent: `folder-share:${folder}`, mode: "follow", lifetime: "7", password: "open sesame" });
    const share = required(await web.db.shares.findOne({ user_id: dana.id }));
    expect(share.password).not.toContain("open sesame");
    expect(await read("/settings/sessions")).toContain("listed");
  });
});

it("the refused form of a link to a folder keeps every field but the password, and focuses the refused field", async () => {
  const folder = await create("kept-link");
  await upload("a.py", folder);
  await upload(".env", folder, "KEY=hidden\n");
  const choices = { mode: "follow", lifetime: "date", expires_on: "2037-12-01", with_secrets: "1" };
  const refuse = async (fields: Record<string, string>) => {
    await act({ intent: `folder-share:${folder}`, ...choices, ...fields });
    return read(`/files?folder=${folder}`);
  };
  const focused = (html: string) =>
    [...html.matchAll(/<input[^>]*id="([^"]*)"[^>]*autofocus/g)].map(([, id]) => id);

  const page = await refuse({ password: "weak!" });
  expect(page).toMatch(/<details class="menu" open="">.{0,600}share-folder-mode/s);
  for (const html of ['value="follow" selected', 'value="date" selected', 'value="2037-12-01"'])
    expect(page).toContain(html);
  expect(page).toMatch(/<input[^>]*name="with_secrets"[^>]*checked/);
  expect(page).not.toContain("weak!");
  expect(focused(page)).toEqual(["share-folder-password"]);
  expect(page).not.toContain("no password");

  expect(focused(await refuse({ expires_on: "2030-01-01" }))).toEqual(["share-folder-expires-on"]);
  expect(await refuse({ password: "x".repeat(1500) })).toContain("6 to 200 characters");
  expect(await read(`/files?folder=${folder}`)).not.toContain('value="2037-12-01"');
});

it("the last day of a link is chosen in the form of a file or a folder, and ends at 23:59 in the person's zone", async () => {
  await web.db.users.updateOne({ _id: dana.id }, { $set: { timezone: "Asia/Jerusalem" } });
  const folder = await create("until");
  const id = await upload("until.py", folder);
  const lastDay = (days: number) =>
    new Date(web.clock().getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const day = lastDay(9);
  const readEnd = async () => (await web.db.shares.findOne({ user_id: dana.id }))?.expires_at?.toISOString();
  const clear = () => web.db.shares.deleteMany({ user_id: dana.id });

  await clear();
  await act({ intent: `folder-share:${folder}`, lifetime: "date", expires_on: day });
  expect(await readEnd()).toBe(`${day}T21:59:00.000Z`);
  await clear();
  const typed = { content: "full", lifetime: "date", expires_on: day };
  expect((await dana.submit(`/file/${id}/share`, typed)).status).toBe(303);
  expect(await readEnd()).toBe(`${day}T21:59:00.000Z`);

  for (const expires_on of ["", lastDay(367)]) {
    const { status, html } = await dana.press(`/file/${id}/share`, { ...typed, expires_on });
    expect(status, expires_on).toBe(400);
    expect(html).toContain("Choose a date within the next 365 days.");
    expect(html).toContain('<option value="date" selected="">');
    await act({ intent: `folder-share:${folder}`, lifetime: "date", expires_on });
    expect(await read("/files")).toContain("Choose a date within the next 365 days.");
  }
  expect(await web.db.shares.countDocuments({ user_id: dana.id })).toBe(1);
});

describe("a file that may hold secrets", () => {
  it("is named before its folder is shared, and public only if that is ticked", async () => {
    const folder = await create("deploy");
    await upload("main.py", folder);
    const clean = await read(`/files?folder=${folder}`);
    expect(clean).toContain("main.py");
    expect(clean).not.toContain("with_secrets");
    await upload(".env", await create("config", folder), "KEY=hidden\n");
    const page = await read(`/files?folder=${folder}`);
    expect(page).toMatch(/may hold secrets and are left out:.*config\/\.env.*name="with_secrets"/s);

    const shareByForm = async (fields: FormValues) => {
      await act({ intent: `folder-share:${folder}`, lifetime: "7", ...fields });
      return /\/shared\/[\w-]{32}/.exec(await read("/files"))?.[0] ?? "";
    };
    for (const mode of ["now", "follow"]) {
      const without = await stranger.read(await shareByForm({ mode }));
      expect(without).toContain("main.py");
      expect(without).not.toContain(".env");
      expect(await stranger.read(await shareByForm({ mode, with_secrets: "1" }))).toContain(".env");
    }
  });

  it("is omitted from a link that follows a folder, even if saved later, and from a link of the API", async () => {
    const folder = await create("later");
    await upload("main.py", folder);
    const address = await share(folder, { follow: true });
    await upload("id_rsa", folder, "key\n");
    const html = await stranger.read(address);
    expect(html).toContain("main.py");
    expect(html).not.toContain("id_rsa");
  });
});

it("a link from a run's error to a neighbouring file leads to it, and is 404 for anyone else or without that file", async () => {
  const app = await create("beside");
  const lib = await create("within", app);
  const program = await upload("main.py", app);
  const util = await upload("util.py", lib);
  const address = `/file/${program}?beside=within%2Futil.py`;

  expect(await dana.show(address)).toMatchObject({ status: 303, location: `/file/${util}` });
  expect((await dana.show(`/file/${program}?beside=util.py`)).status).toBe(404);
  expect((await noam.page(address)).status).toBe(404);
});
