import { expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "1000" });
const dana = await web.visitor().logIn("50");

const text = (lines: number) =>
  Array.from({ length: lines }, (_, i) => `let line_${i + 1} = "שלום";\n`).join("");
const save = async (body: string) => {
  const answer = await dana.ask("/api/files/long.js", { method: "PUT", body });
  return (await answer.json()).file_id as string;
};

it("a long file's page has all of its lines once, what its address marks and its notes, and says its length", async () => {
  const id = await save(text(2_000));
  const headers = { "Content-Type": "application/json" };
  const note = { content: "here", line_start: 1_500 };
  const made = await dana.ask(`/api/sticky-notes/${id}`, {
    method: "POST",
    headers,
    body: JSON.stringify(note),
  });
  expect(made.status).toBe(201);

  const answer = await dana.page(`/file/${id}?L=10-11`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const html = bytes.toString();

  expect(html.match(/class="line( line-marked)?" id="L\d+"/g)).toHaveLength(2_000);
  expect(html.match(/class="line line-marked" id="L\d+"/g)).toHaveLength(2);
  expect(html).toMatch(/id="L1500"><a class="line-note" href="#note-\w+"[^>]*><\/a><a class="line-number"/);
  expect(html).toMatch(/<\/code><\/pre>[\s\S]*<\/html>$/);
  const length = answer.headers.get("Content-Length");
  if (length !== null && !answer.headers.has("Content-Encoding")) expect(Number(length)).toBe(bytes.length);
});

it("a long page that did not change is not sent again, and one that did is", async () => {
  const id = await save(text(1_000));
  const first = await dana.page(`/file/${id}`);
  const etag = required(first.headers.get("ETag"));
  await first.text();
  const again = await dana.page(`/file/${id}`, { headers: { "If-None-Match": etag } });
  expect(again.status).toBe(304);

  await save(text(1_001));
  const changed = await dana.page(`/file/${id}`, { headers: { "If-None-Match": etag } });
  expect(changed.status).toBe(200);
  expect(await changed.text()).toContain('id="L1001"');
});

it("asked for its head alone, a long page sends no body", async () => {
  const id = await save(text(1_000));
  const answer = await dana.page(`/file/${id}`, { method: "HEAD" });
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
});

it("a text of many lines is shown in parts, each with the way to the others", async () => {
  const short = await save("a\n".repeat(20_000));
  expect(await (await dana.page(`/file/${short}`)).text()).not.toContain("code-parts");

  const id = await save(text(50_000));
  const first = await (await dana.page(`/file/${id}`)).text();
  expect(first).toContain("Lines 1–20,000 of 50,000");
  expect(first).toContain('<a href="?from=20001" rel="next">Next</a>');
  expect(first).not.toContain('rel="prev"');
  expect(first).not.toContain("line_20001 ");

  const second = await (await dana.page(`/file/${id}?from=20001`)).text();
  expect(second).not.toContain('id="L20000"');
  const last = await (await dana.page(`/file/${id}?from=99999`)).text();
  expect(last).toContain("Lines 40,001–50,000 of 50,000");
  expect(last).toContain('<a href="?from=40000" rel="prev">Previous</a>');
});

it("a line that the address names is on the page, in whichever part it is, with the notes of that part", async () => {
  const put = await dana.ask("/api/files/noted.js", { method: "PUT", body: text(50_000) });
  const { file_id: id } = await put.json();
  const made = await dana.ask(`/api/sticky-notes/${id}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ content: "far down", line_start: 30_002 }),
  });
  expect(made.status).toBe(201);

  const html = await (await dana.page(`/file/${id}?L=30000-30001`)).text();

  expect(html.match(/class="line line-marked" id="L\d+"/g)).toHaveLength(2);
  expect(html).toContain(
    'class="line line-marked" id="L30000"><a class="line-number" href="?L=30000#L30000">',
  );
  expect(html).toMatch(/id="L30002"><a class="line-note"/);
  expect(html).toContain("far down");
  const first = await (await dana.page(`/file/${id}`)).text();
  expect(first).toMatch(/<details class="[^"]*note-fold"><summary>1 note on other lines<\/summary>/);
});

it("a text of the greatest size is shown, and a line of a megabyte up to a bound, with the way to all of it", async () => {
  const large = await save("a long line with some words in it\n".repeat(60_000).slice(0, 2 * 1024 * 1024));
  const page = await (await dana.page(`/file/${large}`)).text();
  expect(page).toContain('id="L20000"');
  expect(page).not.toContain("Long lines");

  const line = await save(`${"x".repeat(1_500_000)}\nend\n`);
  const html = await (await dana.page(`/file/${line}`)).text();
  expect(html).toContain(`>${"x".repeat(20_000)}…</span>`);
  expect(html).toContain('id="L2"');
  expect(html).toContain("Long lines are cut at 20,000 characters.");
  expect(html).toMatch(new RegExp(`plain-reason[^/]*<a href="/api/file/${line}/content">Raw</a>`));
});

it("a typed line leads to its place, one beyond the end to the last, and what is no line to the page", async () => {
  const id = await save(text(40));
  const page = await (await dana.page(`/file/${id}`)).text();
  expect(page).toMatch(/<form class="go-to-line" method="get"/);
  for (const [typed, place] of [
    ["line=12", "?L=12#L12"],
    ["line=+7+&v=1", "?v=1&L=7#L7"],
    ["line=999", "?L=40#L40"],
    ["line=0", "?L=1#L1"],
    ["line=x", ""],
  ]) {
    const answer = await dana.page(`/file/${id}?${typed}`);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/file/${id}${place}`]);
  }
});

it("an outline links the parts of a file, of a long one too, and is left out where there are few", async () => {
  const functions = (count: number) =>
    Array.from({ length: count }, (_, i) => `function f${i}() {\n}\n`).join("");
  const links = async (body: string) => {
    const html = await (await dana.page(`/file/${await save(body)}`)).text();
    return [...html.matchAll(/<a href="\/file\/\w+(\?L=\d+#L\d+)" data-line="\d+"><bdi>(\w+)<\/bdi>/g)].map(
      ([, to, name]) => `${name} ${to}`,
    );
  };

  expect(await links(functions(3))).toEqual(["f0 ?L=1#L1", "f1 ?L=3#L3", "f2 ?L=5#L5"]);
  expect(await links(functions(2))).toEqual([]);
  const long = await links(functions(400));
  expect([long.length, long.at(-1)]).toEqual([400, "f399 ?L=799#L799"]);
  expect(await links(functions(501))).toHaveLength(500);
});

it("an outline that is cut says of how many parts, and where it ends", async () => {
  const read = async (count: number) => {
    const body = Array.from({ length: count }, (_, i) => `function f${i}() {\n}\n`).join("");
    return (await dana.page(`/file/${await save(body)}`)).text();
  };

  const [whole, cut] = [await read(500), await read(4_000)];
  expect(whole).toContain("data-outline");
  expect(whole).not.toContain("The first 500 of");
  expect(cut).toContain("The first 500 of 4,000");
  expect(cut).toContain('data-end-line="1001"');
});

it("where a view cannot be made of a large file, its page says so and shows the first part of its source", async () => {
  for (const [name, view] of [
    ["large.svg", "svg"],
    ["large.md", "md"],
  ]) {
    const body = `<svg>${"a b c\n".repeat(200_000)}</svg>`;
    const { file_id } = await (await dana.ask(`/api/files/${name}`, { method: "PUT", body })).json();
    const html = await (await dana.page(`/${view}/${file_id}`)).text();
    expect(html).toContain("No preview: the file is too large.");
    expect(html).toContain("Lines 1–20,000 of 200,001");
    expect(html).toContain('id="L20000"');
  }
});

it("a JSON file that is one line is shown written out, in parts where it is long", async () => {
  const body = JSON.stringify(Array.from({ length: 30_000 }, (_, i) => i));
  const { file_id } = await (await dana.ask("/api/files/numbers.json", { method: "PUT", body })).json();
  const html = await (await dana.page(`/file/${file_id}?view=preview&from=20001`)).text();
  expect(html).toContain("Lines 20,001–30,002 of 30,002");
  expect(html).toContain('<a href="?view=preview&amp;from=20000" rel="prev">');
});

it("a name is shown without characters that turn it around, and kept with them", async () => {
  const name = "gpj.\u202Eexe.py";
  const made = await dana.ask(`/api/files/${encodeURIComponent(name)}`, { method: "PUT", body: "1" });
  const { file_id } = await made.json();
  for (const path of ["/files", `/file/${file_id}`]) {
    const html = await (await dana.page(path)).text();
    const shown = html.replace(/<title>[\s\S]*?<\/title>|<[^>]*>/g, "");
    expect(shown).toContain("gpj.exe.py");
    expect(shown).not.toContain("\u202E");
  }
  const { files } = await (await dana.ask("/api/files")).json();
  expect(files.map(({ file_name }: { file_name: string }) => file_name)).toContain(name);
});
