import { describe, expect, it } from "vitest";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const { given } = web;
const dana = await web.person();

const put = dana.saveFile.bind(dana);
const html = dana.read.bind(dana);
const search = (q: string, more = "") => html(`/search?q=${encodeURIComponent(q)}${more}`);

const body = "import time\n\ndef retry(<b>):\n    retry(1)\n    retry(2)\n";
const fileId = (await given.saved(dana.id, { file_name: "retry.py", body, tags: ["http"] })).id;
await put("other.go", "package other // retry\n");
for (let i = 0; i < 25; i += 1) await put(`many-${i}.txt`, "needle\n");
const board_id = (await given.board(dana.id, "board")).id;
const again = { title: "Try again", content: "retry with a pause" };
await given.note(dana.id, again, { kind: "board", board_id });

describe("the page of the search", () => {
  it("shows files and notes together with their counts, the hit marked and everything escaped", async () => {
    const page = await search("retry");
    expect(page).toMatch(/>Files(<!-- -->)? <span[^>]*>\(2\)</);
    expect(page).toMatch(/>Notes(<!-- -->)? <span[^>]*>\(1\)</);
    expect(page).toMatch(/>Repositories(<!-- -->)? <span[^>]*>\(0\)</);
    expect(page).toMatch(/<mark>retry<\/mark>[^/]*<span>\.py<\/span>/);
    expect(page).toContain("Try again");
    expect(page).toContain("(&lt;b&gt;):");
    expect(page).not.toContain("(<b>)");
  });

  it("shows the folders of that name on its first page, and not among notes", async () => {
    const link = `href="/files?folder=${(await given.folder(dana.id, "Pluribus")).id}"`;
    expect(await search("plurib lang:text")).toContain(link);
    expect(await search("plurib", "&in=notes")).not.toContain(link);
    expect(await search("nothing is called so")).not.toContain(link);
  });

  it("distinguishes files of one name by their folders, and so do the suggestions", async () => {
    for (const path of ["left/twin.py", "right/twin.py"]) await put(path);
    for (const page of [await search("twin"), await html("/go?q=twin")])
      for (const folder of ["left/", "right/"])
        expect(page).toMatch(new RegExp(`<bdi[^>]*>${folder}(twin.py)?<`));
  });

  it("leads to the best line, and folds the others", async () => {
    const page = await search("retry lang:python");
    expect(page).toMatch(new RegExp(`class="match [^"]*" href="/file/${fileId}\\?L=3#L3"`));
    expect(page).toContain("2 more lines");
    expect(page).toContain(`/file/${fileId}?L=5#L5`);
  });

  it("shows one kind if a tab or the search says so", async () => {
    for (const page of [await search("retry", "&in=notes"), await search("retry in:notes")]) {
      expect(page).toContain("Try again");
      expect(page).not.toContain("other.go");
      expect(page).toMatch(/href="\/search\?q=retry&amp;in=notes" aria-current="page"/);
    }
  });

  it("shows each filter as a link that removes only it", async () => {
    const page = await search("retry lang:py -pause");
    expect(page).toContain('href="/search?q=retry+-pause"');
    expect(page).toContain('href="/search?q=retry+lang%3Apy"');
    expect(page).not.toContain("other.go");
  });

  it("omits what a filter with a dash names, and so do the API and the suggestions", async () => {
    const q = encodeURIComponent("retry -lang:py -in:notes");
    const page = await search("retry -lang:py -in:notes");
    expect(page).toContain("other.go");
    expect(page).not.toContain("retry.py");
    expect(page).not.toContain("Try again");
    expect(page).toMatch(/href="\/search\?q=retry\+-in%3Anotes"[^>]*aria-label="[^"]*Without/);
    expect(page).toContain('href="/search?q=retry+-lang%3Apy&amp;in=notes"');
    const { hits } = await dana.readJson(`/api/search?q=${q}`);
    expect(hits.map(({ title }: { title: string }) => title)).toEqual(["other.go"]);
    const offered = await html(`/go?q=${q}`);
    expect(offered).toContain("other.go");
    expect(offered).not.toContain("retry.py");
  });

  it("offers the languages and tags of its results as filters", async () => {
    const page = await search("retry");
    expect(page).toContain('href="/search?q=retry+lang%3Apython"');
    expect(page).toContain('href="/search?q=retry+tag%3Ahttp"');
    expect(await search("retry tag:http")).not.toContain("other.go");
  });

  it("has pages forward and back, without duplicates or gaps", async () => {
    const shown = (page: string) => new Set(page.match(/many-\d+/g));
    const first = await html("/search?q=needle");
    const linked = (page: string, rel: string) =>
      new RegExp(`href="([^"]*)" rel="${rel}"`).exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(linked(first, "next")).toBe("/search?q=needle&cursor=20");
    const second = await html(linked(first, "next"));
    expect(new Set([...shown(first), ...shown(second)]).size).toBe(25);
    expect(linked(second, "prev")).toBe("/search?q=needle");
    expect(linked(second, "next")).toBe("");
  });

  it("keeps the typed text and has one box", async () => {
    const page = await search('a"b');
    expect(page.match(/name="q"/g)).toHaveLength(1);
    expect(page).toMatch(/<input[^>]*name="q"[^>]*value="a&quot;b"/);
  });

  it.each([
    ["", 200, "Find anything in your library"],
    ["zzzz", 200, "No results for"],
    ["zzzz lang:py", 200, "Search without filters"],
    ["in:zzzz retry", 200, "in: takes files, notes or repos, not"],
    ["lang:", 400, "Add a value after the colon, such as lang:python."],
    ["x".repeat(201), 400, "The search is too long"],
    ["a b c d e f g h i", 400, "Search for up to 8 words"],
  ])("answers %j with %i and says what to do", async (q, status, advice) => {
    const shown = await dana.show(`/search?q=${encodeURIComponent(q)}`);
    expect(shown).toMatchObject({ status, html: expect.stringContaining(advice) });
  });

  it.each([
    ["in:zzzz retry", "in: takes files, notes, repos, not zzzz. For a folder, use path:zzzz/."],
    ["retry lang:zzzz", "No language is called zzzz."],
    ["retry", undefined],
    ["zzzz", undefined],
  ])("gets the fault of a filter from the API: %j", async (q, hint) => {
    const answer = await dana.readJson(`/api/search?q=${encodeURIComponent(q)}`);
    expect(answer).toMatchObject({ ok: true });
    expect(answer.hint).toBe(hint);
  });

  it("offers the correction of a misspelt search if that finds something", async () => {
    const page = await search("rerty lang:python");
    expect(page).toMatch(/Did you mean:.*?href="\/search\?q=retry\+lang%3Apython"/s);
    expect(await search("rerty lang:css")).not.toContain("Did you mean");
    expect(await search("zzzz")).not.toContain("Did you mean");
    await put("talk.py", "def shout(words):\n    return words\n");
    expect(await search("shuot")).toMatch(/Did you mean:.*?href="\/search\?q=shout"/s);
    await put("fruit.txt", "There is marmalade in the kitchen.\n");
    expect(await search("marmelade")).toMatch(/Did you mean:.*?href="\/search\?q=marmalade"/s);
  });

  it("answers like the API if JSON is requested", async () => {
    const [page, api] = [
      await dana.readJson(`/search?q=retry&in=files`),
      await dana.readJson(`/api/search?q=retry&in=files`),
    ];
    expect(api).toMatchObject({ ok: true, counts: { files: 2, notes: 1, repos: 0 } });
    expect(page).toEqual(api);
  });
});

describe("the list of suggestions", () => {
  const suggest = (q: string) => html(`/go?q=${encodeURIComponent(q)}`);
  const rows = (page: string) =>
    [...page.matchAll(/class="suggestion"[^>]*>(.*?)<\/(?:a|button)>/g)].map(([, row]) =>
      (row ?? "").replace(/<[^>]*>/g, "").replace(/[\u2066-\u2069]/g, ""),
    );

  it("is ranked like the search, opens a file of that name at the top and others at the best line, and ends with the search itself", async () => {
    const page = await suggest("retry");
    expect(rows(page)[0]).toBe("retry.pydef retry(&lt;b&gt;):");
    expect(page).toContain(`href="/file/${fileId}"`);
    expect(await suggest("def retry")).toContain(`href="/file/${fileId}?L=3#L3"`);
    expect(rows(page).at(-1)).toBe("Search everything for “retry”");
    expect(page).toContain('href="/search?q=retry"');
  });

  it("has pages and commands by name, those called so before the hits", async () => {
    await put("trash.txt", "trash\n");
    expect(rows(await suggest("TRASH"))[0]).toBe("Trash");
    expect(rows(await suggest("tras"))[0]).toBe("trash.txttrash");
    expect(rows(await suggest("dark"))[0]).toBe("Dark theme");
    expect(await suggest("dark")).toMatch(/action="\/preferences".*name="theme" value="dark"/);
    expect(await suggest("log out")).toContain('action="/logout"');
  });

  it("completes the filters of this library", async () => {
    expect(rows(await suggest("retry lang:p"))[0]).toBe("lang:python");
    expect(await suggest("retry lang:p")).toContain('data-fill="retry lang:python"');
    expect(rows(await suggest("tag:h"))[0]).toBe("tag:http");
    expect(rows(await suggest("#h"))).toContain("tag:http");
    expect(rows(await suggest("#http"))[0]).toContain("retry.py");
    expect(rows(await suggest("la"))).toContain("lang:files in a language");
  });

  it("offers the correction of a misspelt word if nothing is found", async () => {
    expect(rows(await suggest("rerty"))[0]).toMatch(/^Did you mean:.*retry$/);
    expect(await suggest("rerty")).toContain('data-fill="retry"');
    expect(await suggest("retry")).not.toContain("Did you mean");
  });

  it("begins with files if nothing is typed, and refuses no text", async () => {
    expect(rows(await suggest(""))).toContain("Dashboard");
    expect((await dana.show(`/go?q=${"a ".repeat(150)}`)).status).toBe(200);
  });
});
