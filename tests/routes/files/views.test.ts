import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb();
const dana = await web.person();
const noam = await web.person();

const save = dana.saveFile.bind(dana);
const shown = dana.read.bind(dana);

const POLICY =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'";
const PAGE = "<h1>Hello</h1><script>alert(1)</script>";
const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="3" onclick="x()"/></svg>';
const HTML = "text/html; charset=utf-8";
const VIEWS: [view: string, name: string, text: string, type: string][] = [
  ["html", "page.html", PAGE, HTML],
  ["raw_svg", "drawing.svg", DRAWING, "image/svg+xml; charset=utf-8"],
  ["svg", "drawing.svg", DRAWING, HTML],
  ["md", "read.md", "# Hello\n\nworld\n", HTML],
];

describe.each(VIEWS)("/%s/<id>", (view, name, text, type) => {
  it("shows a file of its kind, and foreign documents under a policy with which nothing runs or is kept", async () => {
    const { status, headers } = await dana.show(`/${view}/${await save(name, text)}`);
    expect([status, headers.get("Content-Type")]).toEqual([200, type]);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    if (view !== "html" && view !== "raw_svg") return;
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-security-policy": POLICY,
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-frame-options": "SAMEORIGIN",
    });
  });

  it("sends a navigation for another kind to the source, refuses anyone else with 415, and has no file of a strange id", async () => {
    const id = await save("main.py", "print(1)\n");
    expect(await dana.show(`/${view}/${id}`)).toMatchObject({ status: 302, location: `/file/${id}` });
    const unsupported = { error: "unsupported_view", file_id: id };
    expect(await dana.send("GET", `/${view}/${id}`)).toMatchObject({ status: 415, body: unsupported });
    for (const file_id of [ABSENT_ID, "not-an-id"]) {
      const missing = { error: "File not found", file_id };
      expect(await dana.send("GET", `/${view}/${file_id}`)).toMatchObject({ status: 404, body: missing });
      expect((await dana.show(`/${view}/${file_id}`)).status).toBe(404);
    }
  });
});

describe("foreign documents", () => {
  it("are sanitised", async () => {
    expect(await shown(`/html/${await save("page.html", PAGE)}`)).toBe(
      "<!DOCTYPE html><html><head></head><body><h1>Hello</h1></body></html>",
    );
    const svg = await shown(`/raw_svg/${await save("drawing.svg", DRAWING)}`);
    expect(svg).toContain('<circle r="3"/>');
    expect(svg).not.toContain("onclick");
  });

  it("that are too large are shown as their source, with a notice", async () => {
    const html = await shown(
      `/html/${await save("large.html", `<p>${"x".repeat(900_000)}<script>1</script>`)}`,
    );
    expect(html).toContain("No preview: the file is too large.");
    expect(html).toContain("&lt;script&gt;1&lt;/script&gt;");
  });
});

it("an invalid drawing is shown as its source, with a notice", async () => {
  const id = await save("none.svg", "no drawing at all");
  expect(await shown(`/svg/${id}`)).toContain("No preview: there is nothing to draw.");
  expect(await shown(`/raw_svg/${id}`)).toContain("<svg");
});

const DOCUMENT = `---
title: Facts
---

# שלום עולם

## שלום עולם

## Install *it*

פסקה בעברית, [רחוק](https://example.org/), [קרוב](./other.md), [רע](javascript:alert(1)) and [down](#install-it).

- [ ] open
- [x] done

| a | b |
|---|---|
| 1 | 2 |

\`\`\`python
def f(): pass
\`\`\`

![near](pictures/a.png) ![far](https://example.org/a.png)

A note[^1].

<b onclick="x()">bold</b><img src=x onerror=alert(1)>

[^1]: What it says.
`;

describe("a Markdown page", () => {
  it("offers what the source offers, in the same order", async () => {
    const id = await save("toolbar.md", DOCUMENT);
    const actions = async (path: string) => {
      const [toolbar] = required(
        /class="actions surface button-strip.*?Delete<\/button>/s.exec(await shown(path)),
      );
      return toolbar.match(/(?<=<\/svg>)[^<]+/g);
    };
    const inSource = await actions(`/file/${id}`);
    expect(inSource).toContain("Add note");
    expect(await actions(`/md/${id}`)).toEqual(inSource);
    expect(await shown(`/md/${id}`)).toMatch(/Save details.*Explain/s);
  });

  it("has anchors in any script, contents, tables, tasks, footnotes and coloured code", async () => {
    const html = await shown(`/md/${await save("read.md", DOCUMENT)}`);
    for (const fragment of [
      '<h1 id="שלום-עולם" dir="auto">',
      '<h2 id="שלום-עולם-1" dir="auto">',
      '<h2 id="install-it" dir="auto">Install <em>it</em></h2>',
      'href="#install-it"',
      `href="#${encodeURIComponent("שלום-עולם-1")}"`,
      '<p dir="auto">פסקה',
      '<table class="table"',
      '<li class="task"><button class="task-tick" type="submit" form="tasks"',
      '<span class="hljs-keyword">def</span>',
      '<a href="#footnote-1" id="footnote-call-1">',
      '<li id="footnote-1"',
      '<span class="hljs-attr">title:</span>',
      "External image, not loaded: <bdi>far</bdi>",
      "<b>bold</b>",
    ])
      expect(html).toContain(fragment);
    expect(html).not.toMatch(/javascript:|onclick|onerror|(?:src|href)="[^"]*(?:other\.md|a\.png)/);
  });

  it("leads to the owner's files that it names by their paths, and shows their drawings", async () => {
    const drawing = await save("near.svg", DRAWING);
    const other = await save("near.md", "# Near\n");
    const names = "[near](near.md#near) ![drawn](./near.svg) [gone](gone.md)";
    const page = await shown(`/md/${await save("names.md", names)}`);
    expect(page).toContain(`<a href="/md/${other}#near">near</a>`);
    expect(page).toContain(
      `<img src="/raw_svg/${drawing}" alt="drawn"> <span title="File not found">gone</span>`,
    );
  });

  it("has tasks that are ticked in place, each in a version of its own, and set back", async () => {
    const text = "# To do\n\n```\n- [ ] code\n```\n\n- [x] one\n- [ ] two\n";
    const id = await save("tasks.md", text);
    const tick = (version: string, task: string) => dana.press(`/md/${id}`, { version, task });
    const body = () => shown(`/download/${id}`);
    const tasks = (await shown(`/md/${id}`)).matchAll(/name="task" value="(\d:\w+)" role="checkbox"/g);
    expect([...tasks].map(([, task]) => task)).toEqual(["1:off", "2:on"]);

    expect(await tick("1", "2:on")).toMatchObject({ status: 303, location: `/md/${id}` });
    expect(await body()).toBe(text.replace("[ ] two", "[x] two"));
    const page = await shown(`/md/${id}`);
    expect(page).toMatch(/Task done \(version 2\).*name="version" value="2".*value="2:off"/s);

    await tick("1", "1:off");
    expect(await body()).toContain("[x] one");
    await tick("2", "2:off");
    expect(await body()).toBe(text);
  });

  it("is in Hebrew for a Hebrew reader", async () => {
    const id = await save("words.md", "![x](a.png)");
    const { html } = await dana.show(`/md/${id}`, { "Accept-Language": "he" });
    expect(html).toContain("התמונה לא נמצאה");
  });
});

describe("the Preview tab", () => {
  it("runs the scripts of HTML on request alone, in an origin of their own without network", async () => {
    const id = await save("run.html", "<script>document.title = 1</script>");
    const still = await shown(`/file/${id}`);
    expect(still).toContain(`href="/file/${id}?view=preview&amp;scripts=on"`);
    for (const page of [still, await shown(`/file/${id}?view=preview`)])
      expect(page).not.toMatch(/allow-scripts|\/run"/);
    const running = await shown(`/file/${id}?view=preview&scripts=on`);
    expect(running).toMatch(new RegExp(`<iframe[^>]* sandbox="allow-scripts" src="/html/${id}/run"`));

    const { html, headers } = await dana.show(`/html/${id}/run`);
    expect(html).toBe("<script>document.title = 1</script>");
    expect(headers.get("Content-Security-Policy")?.split("; ")).toEqual(
      expect.arrayContaining([
        "sandbox allow-scripts",
        "default-src 'none'",
        "connect-src 'none'",
        "frame-ancestors 'self'",
      ]),
    );
    const alone = await dana.show(`/html/${id}/run?v=1`, { "Sec-Fetch-Dest": "document" });
    expect(alone.location).toBe(`/file/${id}?view=preview&scripts=on`);
  });

  it("shows CSV as a table, its first 500 rows", async () => {
    const rows = Array.from({ length: 600 }, (_, i) => `${i},"a, ""b"" <i>"`);
    const id = await save("t.csv", `n,text\n${rows.join("\n")}\n`);
    const html = await shown(`/file/${id}?view=preview`);
    expect(html).toContain('<th scope="col"><bdi>n</bdi></th>');
    expect(html).toContain("a, &quot;b&quot; &lt;i&gt;");
    expect(html).toContain(">499</bdi></td>");
    expect(html).not.toContain(">500</bdi></td>");
    expect(html).toContain("Showing 500 of 600 rows.");
  });
});

it("the preview of a Markdown text that is edited is what the page of the saved file shows, with the links of its folder", async () => {
  const preview = (visitor: Visitor, content: string, folder = "root") =>
    visitor.press("/notes/preview", { content, mode: "file", folder });
  const proseIn = (html: string) =>
    /<div (?:class="prose"|data-markdown-body)[^>]*>(.*?)<\/div>/s.exec(html)?.[1];
  const linked = await save("beside.md", "# Beside\n");
  const text = "# שלום\n\n**Bold** [beside](beside.md) <img src=x onerror=alert(1)>\n\n```js\nlet a\n```\n";
  const page = await shown(`/md/${await save("previewed.md", text)}`);

  const { html, headers } = await preview(dana, text);

  expect(proseIn(html)).toContain(`href="/md/${linked}"`);
  expect(proseIn(html)).toBe(proseIn(page));
  expect(headers.get("Content-Security-Policy")).toBe(POLICY);
  expect((await preview(noam, text)).html).not.toContain(linked);
  expect((await preview(dana, text, ABSENT_ID)).html).toContain("Bold");
  expect((await preview(dana, "x".repeat(512 * 1024 + 1))).html).toContain("the file is too large");
});
