import { afterAll, describe, expect, it } from "vitest";
import type { RenderTask } from "#app/viewers/render-task.ts";
import { render } from "#app/viewers/renderer.server.ts";
import { itemAt, required } from "#domain/required.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import { createThreadPool } from "#platform/threads/thread-pool.ts";
import { parseMetrics } from "#tests/support/measures/prometheus.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { MARKDOWN_WORDS } from "#tests/viewers/markdown-words.ts";

const markdown = (body: string) => ({ kind: "markdown" as const, body, words: MARKDOWN_WORDS, files: FILES });
const FILES = {
  "other.md": { href: "/md/1" },
  "../img/a b.svg": { href: "/file/2", image: "/raw_svg/2" },
  "p.png": { href: "/file/3" },
};
const metrics = createMetrics();
const threads = createThreadPool({ metrics });
const renderer = { render: (task: RenderTask) => render(threads, "owner", task) };
afterAll(() => threads.close());
const runs = async () =>
  required(parseMetrics(await metrics.text()).get("codeshelf_thread_job_seconds"))
    .series.filter(({ name }) => name.endsWith("_count"))
    .reduce((sum, { value }) => sum + value, 0);

const PATHOLOGICAL: [name: string, body: string][] = [
  ["a list 500 deep", Array.from({ length: 500 }, (_, i) => `${"  ".repeat(i)}- x`).join("\n")],
  ["a quotation 5,000 deep", `${">".repeat(5_000)}x`],
  ["a long run of stars", `${"*".repeat(60_000)}a${"*".repeat(60_000)}`],
  ["emphasis that never ends", "*a **b ".repeat(60_000)],
  ["brackets that never end", "[".repeat(100_000)],
  ["links within links", "[a](".repeat(50_000)],
  ["elements that never end", "<div>".repeat(50_000)],
  ["backticks of every length", Array.from({ length: 800 }, (_, i) => "`".repeat(i + 1)).join(" ")],
  ["900 KB of it all", "# a\n\n**b** `c` [d](e)\n\n".repeat(40_000)],
];

/** Markdown as people write it, and parts of the resulting HTML. */
const WRITTEN: [name: string, body: string, parts: string[]][] = [
  [
    "a footnote behind an exclamation mark",
    "Wow![^1]\n\n[^1]: Note.",
    ['Wow!<a href="#footnote-1" id="footnote-call-1"><sup>1</sup></a>', "Note."],
  ],
  [
    "a footnote of two paragraphs and a list",
    "A[^n].\n\n[^n]: One.\n\n    Two.\n\n    - three\n\nAfter.",
    ['<p dir="auto">One.</p><p dir="auto">Two.</p>', "<li>three</li>", "After.</p>"],
  ],
  ["a footnote that is nowhere, as text", "A[^none].", ["A[^none]."]],
  ["a rule at the head", "---\n\nFirst.\n\n---\n", ['<hr><p dir="auto">First.</p><hr>']],
  ["a rule at the head before words with a colon", "---\nNo facts here\n: x\n---\n", ["<hr>"]],
  [
    "YAML at the head",
    "---\ntitle: x\ntags:\n- a\n---\n# H",
    ['<span class="hljs-attr">title:</span>', ">H</h1>"],
  ],
  [
    "TOML at the head",
    '+++\ntitle = "x"\n[a]\n+++\n# H',
    ['<span class="hljs-attr">title</span>', ">H</h1>"],
  ],
  [
    "a formula within a line, as code",
    String.raw`A $a_1 \, b_2 * c*$ and $$\frac{1}{2}$$, <b> too.`,
    [String.raw`A <code dir="ltr">$a_1 \, b_2 * c*$</code> and <code dir="ltr">$$\frac{1}{2}$$</code>`],
  ],
  [
    "prices and variables, as text",
    "It costs $5 or $10-$20, US$3; $HOME/$USER and $A $B, \\$x\\$.",
    ["It costs $5 or $10-$20, US$3; $HOME/$USER and $A $B, $x$."],
  ],
  [
    "a formula of several lines, as code",
    "So:\n$$\n\\begin{matrix}\na & b \\\\\n*c* & d\n\\end{matrix}\n$$\nand more.\n\n$$ x < y $$\n",
    ["a &amp; b \\\\\n*c* &amp; d", ">and more.</p>", "$$ x &lt; y $$"],
  ],
  ["a formula without an end, as text", "$$\nx *y*\n\nmore", ["x <em>y</em>", ">more</p>"]],
  [
    "words struck by one tilde or two",
    "~a b~ ~~c~~ H~2~O ~/x ~/y",
    ["<del>a b</del> <del>c</del> H~2~O ~/x ~/y"],
  ],
  [
    "a Hebrew sentence that begins with code",
    "`retry` מנסה שוב.",
    ['<p dir="auto"><code dir="ltr">retry</code> מנסה שוב.</p>'],
  ],
  ["a list of definitions", "Term\n: What it means\n", ['<dt dir="auto">Term</dt>', "What it means</dd>"]],
  ["a telephone number", "[call](tel:+123)", ['<a href="tel:+123"']],
  ["a link to a file of the library", "[p](other.md#x)", ['<a href="/md/1#x">p</a>']],
  [
    "a relative link to nothing, as text whose title says so",
    "[x](constructor) [*y*](gone.md#a) [z](/from-the-root)",
    ['<p dir="auto"><span title="n">x</span> <span title="n"><em>y</em></span> z</p>'],
  ],
  [
    "an image that is not there, by its name",
    "![words](a/no%20such.png) ![](gone.svg) ![root](/x.png)",
    [
      '<span class="image-blocked sunk round soft small">m: <bdi>a/no such.png</bdi></span>',
      '<span class="image-blocked sunk round soft small">m: <bdi>gone.svg</bdi></span>',
      '<span class="image-blocked sunk round soft small">b: <bdi>root</bdi></span>',
    ],
  ],
  ["a drawing of the library", "![d](<../img/a b.svg>)", ['<img src="/raw_svg/2" alt="d">']],
  [
    "another file as an image",
    "![p](p.png)",
    ['<span class="image-blocked sunk round soft small">b: <bdi>p</bdi></span>'],
  ],
  ["type parameters", "Vec<T>, Map<K, Vec<u8>>", ["Vec&lt;T&gt;, Map&lt;K, Vec&lt;u8&gt;&gt;"]],
  [
    "placeholders",
    "<your name>\n\nUse <name> or <Form>.",
    ['<p dir="auto">&lt;your name&gt;</p>', "Use &lt;name&gt; or &lt;Form&gt;."],
  ],
  [
    "code as it is",
    "`Vec<T>` ``a`<b>`` \n\n```\n<T> [^1] ~x~\n```\n\n    <T>\n",
    [
      '<code dir="ltr">Vec&lt;T&gt;</code> <code dir="ltr">a`&lt;b&gt;</code>',
      "&lt;T&gt; [^1] ~x~",
      "<code>&lt;T&gt;</code>",
    ],
  ],
  [
    "footnotes by number, whatever they are called",
    "B[^b] A[^a] B[^b]\n\n[^a]: a\n[^b]: b, see[^c]\n[^c]: c",
    [
      '<sup>1</sup></a> A<a href="#footnote-2"',
      '<li id="footnote-1"><p dir="auto">b, see<a href="#footnote-3"',
    ],
  ],
  ["addresses between angle brackets", "<https://a.example/x>", ['<a href="https://a.example/x"']],
  ["elements of text", "<b>x</b> <kbd>y</kbd><br>z", ["<b>x</b> <kbd>y</kbd><br>z"]],
  [
    "an address in a text",
    "See https://a.example/b. Or main.rs",
    ['<a href="https://a.example/b"', "Or main.rs"],
  ],
];

it.each(WRITTEN)("Markdown is rendered: %s", async (_, body, parts) => {
  const rendered = await renderer.render(markdown(body));
  for (const fragment of parts) expect(rendered.ok && rendered.html).toContain(fragment);
});

describe("a notebook", () => {
  const show = (body: unknown) =>
    renderer.render({
      kind: "notebook",
      body: typeof body === "string" ? body : JSON.stringify(body),
      words: MARKDOWN_WORDS,
    });
  const code = (source: string, ...outputs: object[]) => ({ cell_type: "code", source: [source], outputs });

  it("shows words, code in its colours, and what the code brought", async () => {
    const shown = await show({
      metadata: { language_info: { name: "python" } },
      cells: [
        { cell_type: "markdown", source: ["# Sums\n", "of *numbers*"] },
        code("def f(): pass", { output_type: "stream", text: ["one\n", "two\n"] }),
        code("g()", { data: { "image/png": ["iVBO\n", "Rw=="], "text/plain": "<Figure>" } }),
        code("h()", {
          ename: "ValueError",
          evalue: "no",
          traceback: ["Traceback:", "\u001b[31mValueError\u001b[0m: no"],
        }),
        code("i()", { data: { "text/html": "<b>x</b>", "text/plain": ["x\u0060\u0060\u0060"] } }),
      ],
    });
    for (const part of [
      '<h1 id="sums" dir="auto">Sums</h1>',
      "<em>numbers</em>",
      '<span class="hljs-keyword">def</span>',
      "one\ntwo</code>",
      '<img src="data:image/png;base64,iVBORw==" alt="">',
      "Traceback:\nValueError: no</code>",
      "x\u0060\u0060\u0060</code>",
    ])
      expect(shown.ok && shown.html).toContain(part);
  });

  it("runs nothing and fetches nothing", async () => {
    const shown = await show({
      cells: [
        { cell_type: "markdown", source: "<img src=x onerror=alert(1)> ![](https://a.example/x.png)" },
        code("x", { data: { "image/png": "a') onerror='x", "text/html": "<script>alert(1)</script>" } }),
        code("y", {
          data: { "image/svg+xml": "<svg onload=alert(1)>", "application/javascript": "alert(1)" },
        }),
      ],
    });
    expect(shown.ok && shown.html).toContain(">x</code>");
    expect(shown.ok && shown.html).not.toMatch(/onerror=|<script|<svg|src="http/);
  });

  it.each(["", "[]", '{"cells": 1}', "{", "[".repeat(200_000)])("is not %.20j", async (body) => {
    expect(await show(body)).toEqual({ ok: false, reason: "not_notebook" });
  });

  it("numbers its cells and their results, a cell that never ran without one", async () => {
    const shown = await show({
      cells: [
        {
          ...code("f()", { execution_count: 7, data: { "text/plain": "49" } }, { text: "said" }),
          execution_count: 7,
        },
        { ...code("g()"), execution_count: null },
        { cell_type: "raw", source: "as it is", outputs: [] },
        { ...code("h()"), execution_count: "<b>" },
      ],
    });
    const html = shown.ok ? shown.html : "";
    const numbers = [...html.matchAll(/(?:In|Out) \[[^\]]*\]:/g)].map(([each]) => each);
    expect(numbers).toEqual(["In [7]:", "Out [7]:", "In [ ]:", "In [ ]:"]);
    expect(html).toContain('<p dir="auto"><code dir="ltr">In [7]:</code></p>');
    expect(html.indexOf("Out [7]:")).toBeLessThan(html.indexOf("49"));
  });

  it("with cells of any shape is shown as far as it is understood", async () => {
    const shown = await show({
      cells: [null, 1, {}, { cell_type: "code", source: 5, outputs: [7, { text: {} }] }],
    });
    expect(shown).toMatchObject({ ok: true });
  });
});

describe("rendering", () => {
  it.each(drawCases("pathological texts", PATHOLOGICAL, PATHOLOGICAL.length / 2))(
    "%s ends, rendered or refused",
    async (_, body) => {
      const rendered = await renderer.render(markdown(body));
      expect(rendered.ok || rendered.reason).toEqual(expect.anything());
    },
  );

  it("says why it does not render", async () => {
    expect(await renderer.render(markdown(itemAt(PATHOLOGICAL, 0)[1]))).toEqual({
      ok: false,
      reason: "too_deep",
    });
    expect(await renderer.render(markdown(itemAt(PATHOLOGICAL, 8)[1]))).toEqual({
      ok: false,
      reason: "too_large",
    });
    expect(await renderer.render({ kind: "svg", body: "<p>x</p>" })).toEqual({
      ok: false,
      reason: "nothing_to_draw",
    });
    const full = createThreadPool({ maxWaiting: 0 });
    const turnedAway = await render(full, "owner", markdown("# a"));
    await full.close();
    expect(turnedAway).toEqual({ ok: false, reason: "busy" });
  });

  itInFullRun("continues after a text that ended its thread, with a new window at intervals", async () => {
    const slow = markdown("# a\n\n**b** `c`\n\n".repeat(28_000));
    let result = await renderer.render(slow);
    // A busy machine may give no thread its time.
    while (!result.ok && result.reason === "busy") result = await renderer.render(slow);
    // Either its time or its memory runs out first.
    expect(result).toEqual({ ok: false, reason: expect.stringMatching(/^(too_slow|failed)$/) });
    const before = await runs();
    expect(await renderer.render(slow)).toEqual(result);
    expect(await runs()).toBe(before);
    const htmls = [];
    for (let i = 0; i < 120; i += 1) {
      const rendered = await renderer.render({ kind: "html", body: `<p>${i}<script>x</script>` });
      htmls.push(rendered.ok && rendered.html.includes(`<p>${i}</p>`) && !rendered.html.includes("script"));
    }
    expect(htmls).toEqual(Array(120).fill(true));
  });

  it("gives the same answer again without rendering it again", async () => {
    const first = await renderer.render(markdown("# once"));
    expect(await renderer.render(markdown("# once"))).toBe(first);
    expect(await renderer.render(markdown("# twice"))).not.toBe(first);
  });

  it("numbers headings of one name, and avoids existing names and the page's own", async () => {
    const rendered = await renderer.render(markdown("# a\n\n# a\n\n# a-1\n\n# a\n\n# content\n\n# !!!\n"));
    expect(rendered.ok && rendered.headings.map(({ id }) => id)).toEqual([
      "a",
      "a-1",
      "a-1-1",
      "a-2",
      "content-1",
      "section",
    ]);
  });

  it("shows an element as text that would take the body of the document away", async () => {
    const rendered = await renderer.render(markdown("<frameset>\n\n# a heading\n"));
    expect(rendered).toMatchObject({ ok: true, html: expect.stringContaining("a heading") });
  });

  it("draws elements that a drawing uses once, and not nested uses", async () => {
    const uses =
      '<g id="a"><rect/></g><g id="b"><use href="#a"/></g><use id="once" href="#a"/><use id="twice" href="#b"/>';
    const rendered = await renderer.render({
      kind: "svg",
      body: `<svg xmlns="http://www.w3.org/2000/svg">${uses}</svg>`,
    });
    expect(rendered.ok && rendered.html).toContain('id="once"');
    expect(rendered.ok && rendered.html).not.toContain('id="twice"');
  });
});
