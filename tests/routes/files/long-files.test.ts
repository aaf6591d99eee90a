import { expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const dana = await web.person();

const text = (lines: number) =>
  Array.from({ length: lines }, (_, i) => `let line_${i + 1} = "שלום";\n`).join("");
const functions = (count: number) =>
  Array.from({ length: count }, (_, i) => `function f${i}() {\n}\n`).join("");
const save = (body: string) => dana.saveFile("long.js", body);
const readPage = async (body: string) => dana.read(`/file/${await save(body)}`);

it("a long file's page has each line once, its selection and its notes, and states its length", async () => {
  const id = await save(text(2_000));
  await dana.addNote(id, { content: "here", line_start: 1_500 });

  const answer = await dana.page(`/file/${id}?L=10-11`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const html = bytes.toString();

  expect(html.match(/class="line( line-marked)?" id="L\d+"/g)).toHaveLength(2_000);
  expect(html.match(/class="line line-marked" id="L\d+"/g)).toHaveLength(2);
  expect(html).toMatch(
    /id="L1500"><a class="line-note middle" href="#note-\w+"[^>]*><\/a><a class="line-number"/,
  );
  expect(html).toMatch(/<\/code><\/pre>[\s\S]*<\/html>$/);
  const length = answer.headers.get("Content-Length");
  if (length !== null && !answer.headers.has("Content-Encoding")) expect(Number(length)).toBe(bytes.length);
});

it("a long page is sent again only if it changed, and not for a HEAD request", async () => {
  const id = await save(text(1_000));
  const headers = { "If-None-Match": required((await dana.show(`/file/${id}`)).headers.get("ETag")) };
  expect((await dana.show(`/file/${id}`, headers)).status).toBe(304);
  const head = await dana.page(`/file/${id}`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);

  await save(text(1_001));
  const { status, html } = await dana.show(`/file/${id}`, headers);
  expect([status, html]).toEqual([200, expect.stringContaining('id="L1001"')]);
});

it("a text of many lines is shown plain and in parts, each with links to the others", async () => {
  const short = await readPage("let a = 1;\n".repeat(20_000));
  expect(short).toContain("let a = 1;");
  expect(short).not.toMatch(/hljs-|code-parts/);

  const id = await save(text(50_000));
  const first = await dana.read(`/file/${id}`);
  expect(first).toContain("Lines 1–20,000 of 50,000");
  expect(first).toContain('<a href="?from=20001" rel="next">Next</a>');
  expect(first).not.toMatch(/rel="prev"|line_20001 /);

  expect(await dana.read(`/file/${id}?from=20001`)).not.toContain('id="L20000"');
  const last = await dana.read(`/file/${id}?from=99999`);
  expect(last).toContain("Lines 40,001–50,000 of 50,000");
  expect(last).toContain('<a href="?from=40000" rel="prev">Previous</a>');
});

it("the line in the address is on the page, in whichever part it is, with the notes of that part", async () => {
  const id = await dana.saveFile("noted.js", text(50_000));
  await dana.addNote(id, { content: "far down", line_start: 30_002 });

  const html = await dana.read(`/file/${id}?L=30000-30001`);

  expect(html.match(/class="line line-marked" id="L\d+"/g)).toHaveLength(2);
  expect(html).toContain(
    'class="line line-marked" id="L30000"><a class="line-number" href="?L=30000#L30000">',
  );
  expect(html).toMatch(/id="L30002"><a class="line-note middle"/);
  expect(html).toContain("far down");
  const first = await dana.read(`/file/${id}`);
  expect(first).toMatch(/<details class="[^"]*note-fold"><summary>1 note on other lines<\/summary>/);
});

itInFullRun(
  "a text of the greatest size is shown, and a line of a megabyte up to a bound, with the way to all of it",
  async () => {
    const page = await readPage(
      "a long line with some words in it\n".repeat(60_000).slice(0, 2 * 1024 * 1024),
    );
    expect(page).toContain('id="L20000"');
    expect(page).not.toContain("Long lines");

    const line = await save(`${"x".repeat(1_500_000)}\nend\n`);
    const html = await dana.read(`/file/${line}`);
    expect(html).toContain(`>${"x".repeat(20_000)}…</span>`);
    expect(html).toContain('id="L2"');
    expect(html).toContain("Long lines are cut at 20,000 characters.");
    expect(html).toMatch(new RegExp(`plain-reason[^/]*<a href="/api/file/${line}/content">Raw</a>`));
  },
);

it("a typed line number leads to its line, one beyond the end to the last, and an invalid one to the page", async () => {
  const id = await save(text(40));
  expect(await dana.read(`/file/${id}`)).toMatch(/<form class="go-to-line [^"]*" method="get"/);
  for (const [typed, place] of [
    ["line=12", "?L=12#L12"],
    ["line=+7+&v=1", "?v=1&L=7#L7"],
    ["line=999", "?L=40#L40"],
    ["line=0", "?L=1#L1"],
    ["line=x", ""],
  ])
    expect(await dana.show(`/file/${id}?${typed}`)).toMatchObject({
      status: 303,
      location: `/file/${id}${place}`,
    });
});

it("an outline links the parts of a file, even of a long one, is omitted for few, and says where it is cut", async () => {
  const linksIn = (html: string) =>
    [...html.matchAll(/<a href="\/file\/\w+(\?L=\d+#L\d+)" data-line="\d+"><bdi>(\w+)<\/bdi>/g)].map(
      ([, to, name]) => `${name} ${to}`,
    );

  expect(linksIn(await readPage(functions(3)))).toEqual(["f0 ?L=1#L1", "f1 ?L=3#L3", "f2 ?L=5#L5"]);
  expect(linksIn(await readPage(functions(2)))).toEqual([]);
  const page = await readPage(functions(500));
  expect([linksIn(page).length, linksIn(page).at(-1)]).toEqual([500, "f499 ?L=999#L999"]);
  expect(page).not.toContain("The first 500 of");
  const cut = await readPage(functions(4_000));
  expect(linksIn(cut)).toHaveLength(500);
  expect(cut).toContain("The first 500 of 4,000");
  expect(cut).toContain('data-end-line="1001"');
});

it.each(["svg", "md"])(
  "the page of a large %s file without a view says so and shows the first part of its source",
  async (view) => {
    const id = await dana.saveFile(`large.${view}`, `<svg>${"a b c\n".repeat(200_000)}</svg>`);
    const html = await dana.read(`/${view}/${id}`);
    for (const fragment of ["No preview: the file is too large.", "Lines 1–20,000 of 200,001", 'id="L20000"'])
      expect(html).toContain(fragment);
  },
);

it("a JSON file of one line is shown formatted, in parts if it is long", async () => {
  const id = await dana.saveFile("numbers.json", JSON.stringify(Array.from({ length: 30_000 }, (_, i) => i)));
  const html = await dana.read(`/file/${id}?view=preview&from=20001`);
  expect(html).toContain("Lines 20,001–30,002 of 30,002");
  expect(html).toContain('<a href="?view=preview&amp;from=20000" rel="prev">');
});

it("a name is shown without characters that turn it around, and stored with them", async () => {
  const name = "gpj.\u202Eexe.py";
  const id = await dana.saveFile(name);
  for (const path of ["/files", `/file/${id}`]) {
    const shown = (await dana.read(path)).replace(/<title>[\s\S]*?<\/title>|<[^>]*>/g, "");
    expect(shown).toContain("gpj.exe.py");
    expect(shown).not.toContain("\u202E");
  }
  expect((await dana.readJson(`/api/file/${id}`)).file.file_name).toBe(name);
});
