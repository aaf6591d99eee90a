import { describe, expect, it, vi } from "vitest";
import { listFilePage } from "#app/files/list/file-listing.server.ts";
import {
  countListedFiles,
  createFacetReader,
  listOfferedFacets,
} from "#app/files/list/list-counts.server.ts";
import { required } from "#domain/required.ts";
import { manyFiles } from "#tests/support/files/many-files.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb();
const { db, given } = web;
const dana = await web.person();
const noon = web.clock();

const save = async ({ id }: Visitor, file_name: string, body: string, seconds = 0, tags: string[] = []) =>
  (await given.saved(id, { file_name, body, tags }, new Date(noon.getTime() + seconds * 1000))).id;

const pythonId = await save(dana, "mail.py", "import smtplib\nsend('<b>שלום</b> & Hello')\n");
await save(dana, "mail.go", "package mail // hello\n", 1, ["net"]);
await save(dana, "notes.md", "nothing to see\n", 2);
await db.files.updateOne({ file_name: "mail.py" }, { $set: { is_favorite: true, repo: "o/mail" } });
await db.files.updateOne({ file_name: "mail.go" }, { $set: { size_bytes: 200_000 } });
await db.files.updateOne({ file_name: "notes.md" }, { $set: { is_pinned: true } });

type Listed = { file_name: string }[];
const listNames = (files: Listed) => files.map(({ file_name }) => file_name);
const api = (query: string) => dana.readJson(`/api/files?${query}`);
const html = dana.read.bind(dana);

describe("the list as JSON", () => {
  it.each([
    ["q=HELLO", ["mail.go", "mail.py"]],
    ["q=%D7%A9%D7%9C%D7%95%D7%9D", ["mail.py"]],
    ["q=.*", []],
    ["q=hello&lang=Go", ["mail.go"]],
    ["q=hello&category=favorites&repo=o/mail&sort=created_at_asc", ["mail.py"]],
    ["q=&lang=&category=&repo=", ["notes.md", "mail.go", "mail.py"]],
  ])("answers %s with its files and their number", async (query, wanted) => {
    const answer = await api(query);
    expect(listNames(answer.files)).toEqual(wanted);
    expect(answer).toMatchObject({ ok: true, total: wanted.length, next_cursor: null });
  });

  it("gives each hit with the line that has it", async () => {
    expect(await api("q=mail&limit=1")).toMatchObject({ total: 2, total_exact: true });
    const { files } = await api("q=HELLO&lang=python");
    expect(files[0].match).toEqual({
      number: 2,
      parts: [
        { text: "send('<b>שלום</b> & ", hit: false },
        { text: "Hello", hit: true },
        { text: "')", hit: false },
      ],
    });
  });

  const ORDERS =
    "created_at_desc, created_at_asc, updated_at_desc, updated_at_asc, name_asc, name_desc, size_desc, size_asc";

  it.each([
    ["/api/search?q=a&in=zzz", "The parameter “in” must be one of: files, notes, repos."],
    ["/api/search?q=a&limit=x", "The parameter “limit” must be a whole number from 1 to 50."],
    ["/api/files?sort=zzz", `The parameter “sort” must be one of: ${ORDERS}.`],
  ])("says which parameter of %s is wrong and what it may be", async (path, message) => {
    expect(await dana.send("GET", path)).toMatchObject({ status: 400, body: { message } });
  });

  it.each([
    ["q[$ne]=", "q[$ne]"],
    ["category[$gt]=a", "category[$gt]"],
    ["$where=1", "$where"],
    [`q=${"x".repeat(201)}`, "q"],
  ])("refuses %s", async (query, field) => {
    const body = { error: "invalid_query", field };
    expect(await dana.send("GET", `/api/files?${query}`)).toMatchObject({ status: 400, body });
    expect((await dana.show(`/files?${query}`)).status).toBe(400);
  });
});

describe("the list as a page", () => {
  it("names every order and marks the one in use", async () => {
    const page = await html("/files");
    expect(page.match(/name="file_sort"/g)).toHaveLength(8);
    expect(page).toMatch(/value="created_at_desc" aria-current="true">Created, newest first/);
    expect(await html("/files?sort=size_asc")).toMatch(/value="size_asc" aria-current="true">Smallest first/);
  });

  it("remembers an order in this browser, for the page alone", async () => {
    const reader = await web.person(dana.id);
    const order = async (path: string) => [
      ...new Set((await reader.read(path)).match(/(mail|notes)\.(py|go|md)(?=<)/g)),
    ];
    expect(await order("/files")).toEqual(["notes.md", "mail.go", "mail.py"]);

    const chosen = await reader.press("/preferences", { file_sort: "name_asc", next: "/files?lang=" });
    expect(chosen.location).toBe("/files?lang=");

    expect(await order("/files")).toEqual(["mail.go", "mail.py", "notes.md"]);
    expect(await order("/files?sort=created_at_desc")).toEqual(["notes.md", "mail.go", "mail.py"]);
    expect(await order("/files?sort=nonsense")).toEqual(["mail.go", "mail.py", "notes.md"]);
    expect((await reader.readJson("/files")).files[0].file_name).toBe("notes.md");
  });

  it("shows cards with the first lines of each file if chosen, escaped and cut", async () => {
    const reader = await web.person();
    await save(reader, "long.txt", `<i>${"x".repeat(300)}\nsecond\n`);
    expect(await reader.read("/files")).not.toContain("second");
    await reader.submit("/preferences", { file_view: "cards", next: "/files" });
    expect(await reader.read("/files")).toContain(`&lt;i&gt;${"x".repeat(97)}\nsecond</pre>`);
  });

  it("shows the matching line with the hit marked and everything escaped, and marks the name", async () => {
    const page = await html("/files?q=hello&lang=python");
    for (const html of ["<mark>Hello</mark>", "&lt;b&gt;שלום&lt;/b&gt; &amp; ", `/file/${pythonId}?L=2#L2`])
      expect(page).toContain(html);
    expect(page).not.toContain("<b>שלום");
    expect(await html("/files?q=MAIL")).toContain("<mark>mail</mark>");
  });

  it("counts the languages and tags, as links that keep the query", async () => {
    const page = await html("/files?repo=o%2Fmail");
    expect(page).toMatch(
      /href="\/files\?lang=python&amp;repo=o%2Fmail"[^>]*><bdi>Python<\/bdi> <span[^>]*>1</,
    );
    expect(await html("/files?q=hello")).toMatch(/href="\/files\?q=hello&amp;category=net"[^>]*><bdi>#net</);
  });

  it("keeps the words in the search box, and has the box on every page", async () => {
    expect(await html("/files?q=a%22b")).toMatch(/<input[^>]*name="q"[^>]*value="a&quot;b"/);
    expect(await html("/dashboard")).toContain('name="q"');
    expect(await web.visitor().read("/")).not.toContain('name="q"');
  });

  it.each([
    ["/files?q=zzzz", "No results for", "Try fewer letters"],
    ["/files?q=hello&lang=css", "No results for", "Search all files"],
    ["/files?lang=css", "No matching files", "Show all files"],
    ["/files?category=recent", "Nothing here yet", "Show all files"],
    ["/files?category=recent&lang=css", "No matching files", "Show all files"],
  ])("says at %s what to do next", async (path, title, advice) => {
    const page = await html(path);
    expect(page).toContain(title);
    expect(page).toContain(advice);
  });
});

it("choosing all pages acts on the filtered files, 100 of them, and on no other", async () => {
  const omer = await web.person();
  const user_id = omer.id;
  await db.files.insertMany(manyFiles(user_id, 300));
  const page = await omer.read("/files?lang=python");
  const every = required(/name="every" value="([^"]*)"/.exec(page)?.[1]).replaceAll("&amp;", "&");
  expect(page).toContain("The whole list instead (first 100 files)");

  const before = await db.files.countDocuments({ user_id, is_favorite: true });
  await omer.submit("/files/actions", { intent: "favorite", every, next: "/files" });

  const favored = await db.files.find({ user_id, is_favorite: true }).toArray();
  const python = favored.filter(({ language, deleted_at }) => language === "python" && !deleted_at);
  const living = { user_id, language: "python", deleted_at: null };
  expect(python).toHaveLength(await db.files.countDocuments(living));
  expect(favored.length).toBeGreaterThan(before);
  await omer.submit("/files/actions", { intent: "delete", every: "?sort=name_asc", next: "/files" });
  expect(await db.files.countDocuments({ user_id, deleted_at: { $gte: noon } })).toBe(100);
});

it("opening a file adds it to the recent ones, last opened first", async () => {
  const noam = await web.person();
  const [one, two] = [await noam.saveFile("one.txt"), await noam.saveFile("two.txt")];
  await noam.saveFile("three.txt");
  for (const [i, id] of [two, one].entries()) {
    web.clock.set(new Date(noon.getTime() + i * 1000));
    await noam.show(`/file/${id}`);
  }
  web.clock.set(noon);
  const { files, total } = await noam.readJson("/api/files?category=recent");
  expect([listNames(files), total]).toEqual([["one.txt", "two.txt"], 2]);
});

describe("a search", () => {
  it("is announced by its count and never by its words", async () => {
    await api("q=smtplib");
    const searches = (await web.events("business_metric")).filter(({ metric }) => metric === "search");
    expect(searches.at(-1)).toMatchObject({ metric: "search", value: 1 });
    expect(JSON.stringify(searches)).not.toContain("smtplib");
  });

  it("finds words about a file as soon as they were changed, and never another person's files", async () => {
    await dana.send("POST", "/api/files/bulk-tag", { file_ids: [pythonId], tags: ["fresh-tag"] });
    expect(listNames((await api("q=resh-t")).files)).toEqual(["mail.py"]);
    expect((await (await web.person()).readJson("/api/files?q=mail")).files).toEqual([]);
  });
});

it("a page of the list reads the library's facets once, for its filters and for the number of files", async () => {
  const { id: owner } = await web.person();
  for (const name of ["a.py", "b.py", "c.go"]) await given.file(owner, name);
  const findOne = vi.spyOn(db.search_numbers, "findOne");
  const readFacets = createFacetReader(db, owner);
  const page = orThrow(await listFilePage(db, owner, { sort: "name_asc", limit: 2 }));

  const { languages } = await listOfferedFacets(db, owner, {}, readFacets);

  expect(languages).toEqual([
    { value: "python", count: 2 },
    { value: "go", count: 1 },
  ]);
  expect(await countListedFiles(db, owner, {}, page, readFacets)).toBe(3);
  expect(await countListedFiles(db, owner, { lang: "python" }, page, readFacets)).toBe(2);
  expect(findOne).toHaveBeenCalledOnce();
  findOne.mockRestore();
});
