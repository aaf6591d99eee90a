import { describe, expect, it } from "vitest";
import { keyedTags } from "#db/files/tags.server.ts";
import { required } from "#domain/required.ts";
import { manyFiles } from "#tests/support/files/many-files.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "1000" });
const dana = await web.visitor().logIn("70");

async function put(visitor: Visitor, name: string, body: string, set: object = {}): Promise<string> {
  const answer = await visitor.ask(`/api/files/${encodeURIComponent(name)}`, { method: "PUT", body });
  const { file_id } = await answer.json();
  if (Object.keys(set).length > 0) await web.db.files.updateOne({ file_name: name }, { $set: set });
  return file_id;
}

const noon = web.clock();
const later = (seconds: number) => web.clock.set(new Date(noon.getTime() + seconds * 1000));

const pythonId = await put(dana, "mail.py", "import smtplib\nsend('<b>שלום</b> & Hello')\n", {
  is_favorite: true,
  repo: "o/mail",
});
later(1);
await put(dana, "mail.go", "package mail // hello\n", { ...keyedTags(["net"]), size_bytes: 200_000 });
later(2);
await put(dana, "notes.md", "nothing to see\n", { is_pinned: true });
later(0);

const api = async (query: string) => (await dana.ask(`/api/files?${query}`)).json();
const names = async (query: string) =>
  (await api(query)).files.map(({ file_name }: { file_name: string }) => file_name);
const html = async (path: string) => (await dana.page(path)).text();

describe("the list as JSON", () => {
  it.each([
    ["q=HELLO", ["mail.go", "mail.py"]],
    ["q=mail", ["mail.go", "mail.py"]],
    ["q=%D7%A9%D7%9C%D7%95%D7%9D", ["mail.py"]],
    ["q=.*", []],
    ["q=hello&lang=Go", ["mail.go"]],
    ["q=hello&category=favorites&repo=o/mail&sort=created_at_asc", ["mail.py"]],
    ["q=mail&sort=created_at_asc", ["mail.py", "mail.go"]],
    ["lang=PYTHON", ["mail.py"]],
    ["category=favorites", ["mail.py"]],
    ["category=pinned", ["notes.md"]],
    ["category=repo", ["mail.py"]],
    ["category=large", ["mail.go"]],
    ["category=other", ["notes.md", "mail.go"]],
    ["category=net", ["mail.go"]],
    ["repo=o%2Fmail", ["mail.py"]],
    ["q=&lang=&category=&repo=", ["notes.md", "mail.go", "mail.py"]],
  ])("answers %s with its files and their number", async (query, wanted) => {
    const answer = await api(query);
    expect(answer.files.map(({ file_name }: { file_name: string }) => file_name)).toEqual(wanted);
    expect(answer).toMatchObject({ ok: true, total: wanted.length, next_cursor: null });
  });

  it.each([
    ["sort=updated_at_desc", ["notes.md", "mail.go", "mail.py"]],
    ["sort=updated_at_asc", ["mail.py", "mail.go", "notes.md"]],
    ["sort=name_asc", ["mail.go", "mail.py", "notes.md"]],
    ["sort=name_desc&q=mail", ["mail.py", "mail.go"]],
    ["sort=size_desc", ["mail.go", "mail.py", "notes.md"]],
    ["sort=size_asc", ["notes.md", "mail.py", "mail.go"]],
  ])("answers %s in that order, page by page", async (query, wanted) => {
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: { files: { file_name: string }[]; next_cursor: string | null } = await api(
        `${query}&limit=1&cursor=${cursor}`,
      );
      seen.push(...page.files.map(({ file_name }) => file_name));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(wanted);
  });

  it("gives each hit with the line that has it", async () => {
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

  it("pages through hits by cursor", async () => {
    const first = await api("q=mail&limit=1");
    expect(first).toMatchObject({ files: [{ file_name: "mail.go" }], total: 2, total_exact: true });
    expect(await names(`q=mail&limit=1&cursor=${first.next_cursor}`)).toEqual(["mail.py"]);
  });

  it.each([
    ["/api/search?q=a&in=zzz", "The parameter “in” must be one of: files, notes, repos."],
    ["/api/search?q=a&limit=x", "The parameter “limit” must be a whole number from 1 to 50."],
    [
      "/api/files?sort=zzz",
      "The parameter “sort” must be one of: created_at_desc, created_at_asc, updated_at_desc, updated_at_asc, name_asc, name_desc, size_desc, size_asc.",
    ],
  ])("says which parameter of %s is wrong and what it may be", async (path, message) => {
    const answer = await dana.ask(path);
    expect(answer.status).toBe(400);
    expect((await answer.json()).message).toBe(message);
  });

  it.each([
    ["q[$ne]=", "q[$ne]"],
    ["category[$gt]=a", "category[$gt]"],
    ["$where=1", "$where"],
    [`q=${"x".repeat(201)}`, "q"],
  ])("refuses %s", async (query, field) => {
    const answer = await dana.ask(`/api/files?${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: "invalid_query", field });
    expect((await dana.page(`/files?${query}`)).status).toBe(400);
  });

  it("refuses a damaged cursor of a search", async () => {
    const answer = await dana.ask("/api/files?q=mail&cursor=bad");
    expect([answer.status, (await answer.json()).error]).toEqual([400, "invalid_cursor"]);
    expect(await html("/files?q=mail&cursor=bad")).toContain("That page link is broken");
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
    const reader = await web.visitor().logIn("70");
    const order = async (path: string) => [
      ...new Set((await (await reader.page(path)).text()).match(/(mail|notes)\.(py|go|md)(?=<)/g)),
    ];
    expect(await order("/files")).toEqual(["notes.md", "mail.go", "mail.py"]);

    const answer = await reader.submit("/preferences", { file_sort: "name_asc", next: "/files?lang=" });
    expect(answer.headers.get("Location")).toBe("/files?lang=");

    expect(await order("/files")).toEqual(["mail.go", "mail.py", "notes.md"]);
    expect(await order("/files?sort=created_at_desc")).toEqual(["notes.md", "mail.go", "mail.py"]);
    expect(await order("/files?sort=nonsense")).toEqual(["mail.go", "mail.py", "notes.md"]);
    const json = await (await reader.ask("/files", { headers: { Accept: "application/json" } })).json();
    expect(json.files[0].file_name).toBe("notes.md");
  });

  it("shows cards with the first lines of each file where that was chosen, escaped and cut", async () => {
    const reader = await web.visitor().logIn("74");
    const long = `<i>${"x".repeat(300)}\nsecond\n`;
    await put(reader, "long.txt", long);
    expect(await (await reader.page("/files")).text()).not.toContain("second");
    await reader.submit("/preferences", { file_view: "cards", next: "/files" });
    const page = await (await reader.page("/files")).text();
    expect(page).toContain(`&lt;i&gt;${"x".repeat(97)}\nsecond</pre>`);
  });

  it("shows the matching line with the hit marked and everything escaped", async () => {
    const page = await html("/files?q=hello&lang=python");
    expect(page).toContain("<mark>Hello</mark>");
    expect(page).toContain("&lt;b&gt;שלום&lt;/b&gt; &amp; ");
    expect(page).not.toContain("<b>שלום");
    expect(page).toContain(`/file/${pythonId}?L=2#L2`);
  });

  it("marks the name and the description", async () => {
    expect(await html("/files?q=MAIL")).toContain("<mark>mail</mark>");
  });

  it("shows each filter as a link that takes only it away", async () => {
    const page = await html("/files?q=hello&lang=go&category=net");
    for (const href of [
      "/files?lang=go&amp;category=net",
      "/files?q=hello&amp;category=net",
      "/files?q=hello&amp;lang=go",
    ])
      expect(page).toContain(`href="${href}"`);
  });

  it("counts the languages and tags, as links that keep what was asked", async () => {
    const page = await html("/files?repo=o%2Fmail");
    expect(page).toMatch(
      /href="\/files\?lang=python&amp;repo=o%2Fmail"[^>]*><bdi>Python<\/bdi> <span[^>]*>1</,
    );
    expect(await html("/files?q=hello")).toMatch(/href="\/files\?q=hello&amp;category=net"[^>]*><bdi>#net</);
  });

  it("keeps the words in the search box, and has the box on every page", async () => {
    expect(await html("/files?q=a%22b")).toMatch(/<input[^>]*name="q"[^>]*value="a&quot;b"/);
    expect(await html("/dashboard")).toContain('name="q"');
    expect(await (await web.visitor().page("/")).text()).not.toContain('name="q"');
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

  it("goes to the next page and back to the same one", async () => {
    const tamar = await web.visitor().logIn("71");
    for (let i = 0; i < 45; i += 1) {
      later(i);
      await put(tamar, `t${i}.txt`, "needle");
    }
    later(0);
    const linked = (page: string, rel: string) => {
      const link = page.match(new RegExp(`<a[^>]*rel="${rel}"[^>]*>`))?.[0];
      return link && required(required(/href="([^"]*)"/.exec(link))[1]).replaceAll("&amp;", "&");
    };
    const shown = (page: string) => [...new Set(page.match(/t\d+\.txt/g))];
    for (const start of ["/files", "/files?q=needle"]) {
      const open = async (path: string) => (await tamar.page(path)).text();
      const first = await open(start);
      const second = await open(required(linked(first, "next")));
      const third = await open(required(linked(second, "next")));
      expect([first, second, third].map((page) => shown(page).length)).toEqual([20, 20, 5]);
      expect([linked(first, "prev"), linked(third, "next")]).toEqual([undefined, undefined]);
      const back = await open(required(linked(third, "prev")));
      expect(shown(back)).toEqual(shown(second));
      const begin = await open(required(linked(back, "prev")));
      expect(shown(begin)).toEqual(shown(first));
      expect(linked(begin, "prev")).toBeUndefined();
    }
  });
});

describe("choosing all pages", () => {
  it("does what was asked with the files that the list is narrowed to, 100 of them, and with no other", async () => {
    const omer = await web.visitor().logIn("75");
    const user_id = "75";
    await web.db.files.insertMany(manyFiles(user_id, 300));
    const page = await (await omer.page("/files?lang=python")).text();
    const every = required(/name="every" value="([^"]*)"/.exec(page)?.[1]).replaceAll("&amp;", "&");
    expect(page).toContain("The whole list instead (first 100 files)");

    const before = await web.db.files.countDocuments({ user_id, is_favorite: true });
    await omer.submit("/files/actions", { intent: "favorite", every, next: "/files" });

    const favored = await web.db.files.find({ user_id, is_favorite: true }).toArray();
    const python = favored.filter(({ language, deleted_at }) => language === "python" && !deleted_at);
    const living = { user_id, language: "python", deleted_at: null };
    expect(python).toHaveLength(await web.db.files.countDocuments(living));
    expect(favored.length).toBeGreaterThan(before);
    await omer.submit("/files/actions", { intent: "delete", every: "?sort=name_asc", next: "/files" });
    expect(await web.db.files.countDocuments({ user_id, deleted_at: { $gte: web.clock() } })).toBe(100);
  });
});

describe("opening a file", () => {
  it("puts it among the recent ones, last opened first", async () => {
    const noam = await web.visitor().logIn("72");
    const [one, two] = [await put(noam, "one.txt", "1"), await put(noam, "two.txt", "2")];
    await put(noam, "three.txt", "3");
    for (const [i, id] of [two, one].entries()) {
      later(i);
      await noam.page(`/file/${id}`);
    }
    later(0);
    const { files, total } = await (await noam.ask("/api/files?category=recent")).json();
    expect(files.map(({ file_name }: { file_name: string }) => file_name)).toEqual(["one.txt", "two.txt"]);
    expect(total).toBe(2);
  });
});

describe("a search", () => {
  it("is announced by its count and never by its words", async () => {
    await api("q=smtplib");
    const searches = (await web.events("business_metric")).filter(({ metric }) => metric === "search");
    expect(searches.at(-1)).toMatchObject({ metric: "search", value: 1 });
    expect(JSON.stringify(searches)).not.toContain("smtplib");
  });

  it("finds words about a file as soon as they were changed, and never another person's files", async () => {
    await dana.ask(`/api/files/bulk-tag`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ file_ids: [pythonId], tags: ["fresh-tag"] }),
    });
    expect(await names("q=resh-t")).toEqual(["mail.py"]);
    const stranger = await web.visitor().logIn("73");
    expect((await (await stranger.ask("/api/files?q=mail")).json()).files).toEqual([]);
  });
});
