import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "1000" });
const dana = await web.visitor().logIn("50");
const noam = await web.visitor().logIn("51");

const saved = async (visitor: Visitor, name: string, body: string) => {
  const answer = await visitor.ask(`/api/files/${encodeURIComponent(name)}`, { method: "PUT", body });
  return (await answer.json()).file_id as string;
};
const shown = async (path: string) => (await dana.page(path)).text();

const POLICY =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'";
const MISSING = "0123456789abcdef01234567";
const VIEWS: [view: string, name: string, type: string][] = [
  ["html", "page.html", "text/html; charset=utf-8"],
  ["raw_svg", "drawing.svg", "image/svg+xml; charset=utf-8"],
  ["svg", "drawing.svg", "text/html; charset=utf-8"],
  ["md", "read.md", "text/html; charset=utf-8"],
];
const BODIES: Record<string, string> = {
  "page.html": "<h1>Hello</h1><script>alert(1)</script>",
  "drawing.svg":
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="3" onclick="x()"/></svg>',
  "read.md": "# Hello\n\nworld\n",
};

describe.each(VIEWS)("/%s/<id>", (view, name, type) => {
  it("shows a file of its kind", async () => {
    const id = await saved(dana, name, required(BODIES[name]));
    const answer = await dana.page(`/${view}/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe(type);
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  });

  it("sends a navigation for another kind to the source, and refuses anyone else with 415", async () => {
    const id = await saved(dana, "main.py", "print(1)\n");
    const page = await dana.page(`/${view}/${id}`);
    expect([page.status, page.headers.get("Location")]).toEqual([302, `/file/${id}`]);
    const answer = await dana.ask(`/${view}/${id}`);
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ error: "unsupported_view", file_id: id });
  });

  it.each([MISSING, "not-an-id"])(
    "answers 404 for the missing file %s, and for one of another person",
    async (id) => {
      const foreign = await saved(noam, name, required(BODIES[name]));
      expect((await noam.page(`/${view}/${foreign}`)).status).toBe(200);
      for (const file_id of [id, foreign]) {
        const answer = await dana.ask(`/${view}/${file_id}`);
        expect(answer.status).toBe(404);
        expect(await answer.json()).toMatchObject({ error: "File not found", file_id });
        expect((await dana.page(`/${view}/${file_id}`)).status).toBe(404);
      }
    },
  );
});

describe("foreign documents", () => {
  it.each(["html", "raw_svg"])(
    "of /%s carry a policy under which nothing runs, leaves or is kept",
    async (view) => {
      const name = view === "html" ? "page.html" : "drawing.svg";
      const id = await saved(dana, name, required(BODIES[name]));
      const { headers } = await dana.ask(`/${view}/${id}`);
      expect(headers.get("Content-Security-Policy")).toBe(POLICY);
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
    },
  );

  it("are sanitised", async () => {
    const page = await saved(dana, "page.html", required(BODIES["page.html"]));
    expect(await shown(`/html/${page}`)).toBe(
      "<!DOCTYPE html><html><head></head><body><h1>Hello</h1></body></html>",
    );
    const drawing = await saved(dana, "drawing.svg", required(BODIES["drawing.svg"]));
    const svg = await (await dana.ask(`/raw_svg/${drawing}`)).text();
    expect(svg).toContain('<circle r="3"/>');
    expect(svg).not.toContain("onclick");
  });

  it("that are too large are shown as their source, with a notice", async () => {
    const id = await saved(dana, "large.html", `<p>${"x".repeat(900_000)}<script>1</script>`);
    const html = await shown(`/html/${id}`);
    expect(html).toContain("No preview: the file is too large.");
    expect(html).toContain("&lt;script&gt;1&lt;/script&gt;");
  });
});

describe("a drawing", () => {
  it("lies on a background that links choose", async () => {
    const id = await saved(dana, "drawing.svg", required(BODIES["drawing.svg"]));
    const page = await shown(`/svg/${id}`);
    expect(page).toContain("drawing-checkered");
    expect(page).toContain(`src="/raw_svg/${id}"`);
    for (const name of ["light", "dark", "checkered"]) {
      expect(page).toContain(`href="/svg/${id}?background=${name}"`);
      expect(await shown(`/svg/${id}?background=${name}`)).toContain(`drawing-${name}"`);
    }
    expect(await shown(`/svg/${id}?background=%22%3E`)).toContain("drawing-checkered");
  });

  it("that is none is shown as its source, with a notice", async () => {
    const id = await saved(dana, "none.svg", "no drawing at all");
    expect(await shown(`/svg/${id}`)).toContain("No preview: there is nothing to draw.");
    expect(await (await dana.ask(`/raw_svg/${id}`)).text()).toContain("<svg");
  });
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
    const id = await saved(dana, "toolbar.md", DOCUMENT);
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
    const html = await shown(`/md/${await saved(dana, "read.md", DOCUMENT)}`);
    for (const part of [
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
    ])
      expect(html).toContain(part);
  });

  it("loads no image, follows no relative or scripted link, and has no markup but that of text", async () => {
    const html = await shown(`/md/${await saved(dana, "read.md", DOCUMENT)}`);
    expect(html).toContain('<span class="image-blocked">Image not found: <bdi>pictures/a.png</bdi></span>');
    expect(html).toContain("External image, not loaded: <bdi>far</bdi>");
    expect(html).toContain('href="https://example.org/" rel="noopener noreferrer nofollow"');
    expect(html).toContain("<b>bold</b>");
    expect(html).not.toMatch(/javascript:|onclick|onerror|(?:src|href)="[^"]*(?:other\.md|a\.png)/);
  });

  it("leads to the owner's files that it names by their paths, and shows their drawings", async () => {
    const drawing = await saved(dana, "near.svg", required(BODIES["drawing.svg"]));
    const other = await saved(dana, "near.md", "# Near\n");
    const names = "[near](near.md#near) ![drawn](./near.svg) [gone](gone.md)";
    const page = await shown(`/md/${await saved(dana, "names.md", names)}`);
    expect(page).toContain(`<a href="/md/${other}#near">near</a>`);
    expect(page).toContain(
      `<img src="/raw_svg/${drawing}" alt="drawn"> <span title="File not found">gone</span>`,
    );
  });

  it("is not sent again while it stays the same", async () => {
    const id = await saved(dana, "same.md", "# Same\n");
    const etag = (await dana.page(`/md/${id}`)).headers.get("ETag");
    expect(etag).not.toBeNull();
    expect((await dana.page(`/md/${id}`, { headers: { "If-None-Match": required(etag) } })).status).toBe(304);
  });

  it("has tasks that are ticked in place, each in a version of its own, and set back", async () => {
    const text = "# To do\n\n```\n- [ ] code\n```\n\n- [x] one\n- [ ] two\n";
    const id = await saved(dana, "tasks.md", text);
    const ticks = async () =>
      [...(await shown(`/md/${id}`)).matchAll(/name="task" value="(\d:\w+)" role="checkbox"/g)].map(
        ([, v]) => v,
      );
    const body = async () => (await dana.ask(`/download/${id}`)).text();
    expect(await ticks()).toEqual(["1:off", "2:on"]);

    const ticked = await dana.submit(`/md/${id}`, { version: "1", task: "2:on" });
    expect([ticked.status, ticked.headers.get("Location")]).toEqual([303, `/md/${id}`]);
    expect(await body()).toBe(text.replace("[ ] two", "[x] two"));
    const page = await shown(`/md/${id}`);
    expect(page).toMatch(/Task done \(version 2\).*name="version" value="2".*value="2:off"/s);

    await dana.submit(`/md/${id}`, { version: "1", task: "1:off" });
    expect(await body()).toContain("[x] one");
    await dana.submit(`/md/${id}`, { version: "2", task: "2:off" });
    expect(await body()).toBe(text);
  });

  it("has tasks in numbered lists, quotations and footnotes that are ticked, too", async () => {
    const text = "1. [ ] ordered[^1]\r\n\r\n> - [ ] quoted\r\n\r\n[^1]: - [ ] noted\r\n";
    const id = await saved(dana, "numbered.md", text);
    const page = await shown(`/md/${id}`);
    const ticks = [...page.matchAll(/class="task-tick"[^>]*value="(\d):on"[^>]*aria-label="([^"]*)"/g)];
    expect(ticks.map(([, index, label]) => [index, label])).toEqual([
      ["0", "ordered[^1]"],
      ["1", "quoted"],
    ]);
    await dana.submit(`/md/${id}`, { version: "1", task: "1:on" });
    expect(await (await dana.ask(`/download/${id}`)).text()).toBe(text.replace("[ ] quoted", "[x] quoted"));
  });

  it("has boxes that only show where nobody can tell which line one is", async () => {
    const id = await saved(dana, "boxes.md", "<ul><li><input type='checkbox'> plain</li></ul>\n");
    const page = await shown(`/md/${id}`);
    expect(page.match(/<input[^>]*type="checkbox"/g)).toHaveLength(1);
    expect(page).not.toContain("task-tick");
  });

  it("speaks Hebrew to whoever reads Hebrew", async () => {
    const id = await saved(dana, "words.md", "![x](a.png)");
    const page = await dana.page(`/md/${id}`, { headers: { "Accept-Language": "he" } });
    expect(await page.text()).toContain("התמונה לא נמצאה");
  });
});

describe("the Preview tab", () => {
  it("is a link beside the source, for the kinds that have one", async () => {
    const html = await saved(dana, "page.html", "<p>x</p>");
    expect(await shown(`/file/${html}`)).toContain(`href="/file/${html}?view=preview"`);
    const python = await saved(dana, "main.py", "print(1)\n");
    expect(await shown(`/file/${python}`)).not.toContain("view=preview");
    const markdown = await saved(dana, "read.md", "# x\n");
    expect(await shown(`/file/${markdown}`)).toContain(`href="/md/${markdown}"`);
    const page = await dana.page(`/file/${markdown}?view=preview`);
    expect([page.status, page.headers.get("Location")]).toEqual([302, `/md/${markdown}`]);
  });

  it("frames HTML without any permission", async () => {
    const id = await saved(dana, "page.html", "<p>x</p>");
    expect(await shown(`/file/${id}?view=preview`)).toMatch(
      new RegExp(`<iframe[^>]* sandbox="" src="/html/${id}"`),
    );
  });

  it("runs the scripts of HTML on request alone, in an origin of their own without network", async () => {
    const id = await saved(dana, "run.html", "<script>document.title = 1</script>");
    const still = await shown(`/file/${id}`);
    expect(still).toContain(`href="/file/${id}?view=preview&amp;scripts=on"`);
    for (const page of [still, await shown(`/file/${id}?view=preview`)])
      expect(page).not.toMatch(/allow-scripts|\/run"/);
    const running = await shown(`/file/${id}?view=preview&scripts=on`);
    expect(running).toMatch(new RegExp(`<iframe[^>]* sandbox="allow-scripts" src="/html/${id}/run"`));

    const answer = await dana.ask(`/html/${id}/run`, { headers: { Accept: "text/html" } });
    expect(await answer.text()).toBe("<script>document.title = 1</script>");
    const policy = answer.headers.get("Content-Security-Policy")?.split("; ") ?? [];
    expect(policy).toEqual(
      expect.arrayContaining([
        "sandbox allow-scripts",
        "default-src 'none'",
        "connect-src 'none'",
        "frame-ancestors 'self'",
      ]),
    );
    const headers = { Accept: "text/html", "Sec-Fetch-Dest": "document" };
    const alone = await dana.ask(`/html/${id}/run?v=1`, { headers, redirect: "manual" });
    expect(alone.headers.get("Location")).toBe(`/file/${id}?view=preview&scripts=on`);
  });

  it("writes JSON out over lines, digits and order kept", async () => {
    const id = await saved(dana, "a.json", '{"b":[1.10,9007199254740993],"a":{}}');
    const html = await shown(`/file/${id}?view=preview`);
    expect(html).toContain('id="L6"');
    expect(html).toContain("9007199254740993");
    expect(html).toContain("hljs-attr");
    const broken = await saved(dana, "broken.json", "{oops");
    expect(await shown(`/file/${broken}?view=preview`)).toContain("not valid JSON");
  });

  it("shows CSV as a table, its first 500 rows", async () => {
    const rows = Array.from({ length: 600 }, (_, i) => `${i},"a, ""b"" <i>"`);
    const id = await saved(dana, "t.csv", `n,text\n${rows.join("\n")}\n`);
    const html = await shown(`/file/${id}?view=preview`);
    expect(html).toContain('<th scope="col"><bdi>n</bdi></th>');
    expect(html).toContain("a, &quot;b&quot; &lt;i&gt;");
    expect(html).toContain(">499</bdi></td>");
    expect(html).not.toContain(">500</bdi></td>");
    expect(html).toContain("Showing 500 of 600 rows.");
  });
});

describe("the preview of a Markdown text that is edited", () => {
  const preview = (visitor: Visitor, content: string, folder = "root") =>
    visitor.submit("/notes/preview", { content, mode: "file", folder });
  const proseIn = (html: string) =>
    /<div (?:class="prose"|data-markdown-body)[^>]*>(.*?)<\/div>/s.exec(html)?.[1];

  it("is what the page of the saved file shows, with the links of its folder", async () => {
    const linked = await saved(dana, "beside.md", "# Beside\n");
    const text = "# שלום\n\n**Bold** [beside](beside.md) <img src=x onerror=alert(1)>\n\n```js\nlet a\n```\n";
    const page = await shown(`/md/${await saved(dana, "previewed.md", text)}`);

    const answer = await preview(dana, text);

    const html = await answer.text();
    expect(proseIn(html)).toContain(`href="/md/${linked}"`);
    expect(proseIn(html)).toBe(proseIn(page));
    expect(answer.headers.get("Content-Security-Policy")).toBe(POLICY);
    expect(await (await preview(noam, text)).text()).not.toContain(linked);
    expect(await (await preview(dana, text, MISSING)).text()).toContain("Bold");
  });

  it("says why there is none", async () => {
    expect(await (await preview(dana, "x".repeat(512 * 1024 + 1))).text()).toContain("the file is too large");
  });
});
