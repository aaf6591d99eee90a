import { afterAll, describe, expect, it } from "vitest";
import { BLOCK_LINES, numberLines, numberPlainLines, toLineQuery } from "#app/viewers/code/code-lines.ts";
import type { CodePlace } from "#app/viewers/code/code-part.ts";
import { highlight } from "#app/viewers/code/highlight.server.ts";
import type { CodeMarks } from "#app/viewers/code/large-code.ts";
import { itemAt, required } from "#domain/required.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import { createThreadPool } from "#platform/threads/thread-pool.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";
import { parseMetrics } from "#tests/support/measures/prometheus.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";

const metrics = createMetrics();
const threads = createThreadPool({ metrics });
afterAll(() => threads.close());

/** How often the threads ran this job, or any; a run for which they were too busy is none. */
async function countRuns(job?: string): Promise<number> {
  return required(parseMetrics(await metrics.text()).get("codeshelf_thread_job_seconds"))
    .series.filter(({ name, labels }) => name.endsWith("_count") && labels.outcome !== "busy")
    .filter(({ labels }) => !job || labels.job === job)
    .reduce((sum, { value }) => sum + value, 0);
}

/** Code with its HTML, sent with the page or separately. */
async function shown(body: string, language: string, marks?: CodeMarks, place: CodePlace = {}) {
  const largeHtml = new Map<string, readonly Uint8Array[]>();
  const code = await highlight(
    { services: { threads }, largeHtml },
    { owner: "owner", body, language, marks, ...place },
  );
  const pieces = code.large ? required(largeHtml.get(code.large.digest)) : [];
  return { ...code, html: code.html + pieces.map((piece) => Buffer.from(piece).toString()).join(""), pieces };
}

/** Texts that take the highlighter seconds to minutes, or make its output many times their length. */
const HOSTILE: [name: string, language: string, body: string][] = [
  ["links within links", "markdown", "[a](".repeat(2_000)],
  ["one letter, many times", "java", "a".repeat(20_000)],
  ["letters that could be a type", "typescript", "a".repeat(60_000)],
  ["templates within templates over many lines", "javascript", `${"`${".repeat(500)}${"\n".repeat(2_000)}`],
  ["as above, many more", "javascript", `${"`${".repeat(2_000)}${"\n".repeat(150_000)}`],
];

/** Repeats a run that a busy machine gave no time. */
async function shownInTime(body: string, language: string, place?: CodePlace) {
  let code = await shown(body, language, undefined, place);
  while (code.plainBecause === "busy") code = await shown(body, language, undefined, place);
  return code;
}

describe("a hostile text", () => {
  it.each(drawCases("hostile code", HOSTILE, 1))(
    "costs the event loop next to nothing and is shown plain: %s",
    async (_, language, body) => {
      await shown("let ready;", language);
      let code = { html: "", plainBecause: null as string | null };
      const ms = await ownProcessorMs(async () => {
        code = await shownInTime(body, language);
      });
      expect(code.plainBecause).toMatch(/^too_(slow|nested)$/);
      expect(code.html.length).toBeLessThan(80 * (body.split("\n").length + 1) + 2 * body.length);
      // It once held the event loop for 4 to 36 seconds, or killed the process.
      expect(ms).toBeLessThan(1_000);
    },
  );

  it("is not tried again for the next reader", async () => {
    const [, language, body] = itemAt(HOSTILE, 3);
    expect((await shownInTime(body, language)).plainBecause).toBe("too_nested");
    const before = await countRuns();
    for (const _ of [1, 2, 3]) await shown(body, language);
    expect(await countRuns()).toBe(before);
  });
});

describe("code", () => {
  it("is coloured, line by line", async () => {
    const { html, plainBecause } = await shown("/* a\nb */\nlet c = '<';\n", "javascript");
    expect(plainBecause).toBeNull();
    const lines = html.split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toBe(
      '<span class="line" id="L2"><a class="line-number" href="#L2">2</a><span class="hljs-comment">b */</span></span>',
    );
    expect(lines[2]).toContain("&lt;");
  });

  it("has lines whose addresses keep a short query, and are places alone without one", async () => {
    const query = toLineQuery({ path: 'a "b"&c.py' });
    expect(numberPlainLines("x", { query })).toContain('href="?path=a%20%22b%22%26c.py&amp;L=1#L1"');
    expect(numberPlainLines("x", { query: toLineQuery({}) })).toContain('href="?L=1#L1"');
    expect(toLineQuery({ path: "é".repeat(100) })).toBeNull();
    expect(numberPlainLines("x")).toContain('href="#L1"');
  });

  it("runs in the direction of its words in prose, and from left to right in code", async () => {
    const line = "2. סוכר (חצי כוס)";
    expect((await shown(line, "text")).html).toContain(`<bdi>${line}</bdi>`);
    expect((await shown(`${line}\nEnglish (one)`, "markdown")).html.match(/<bdi>/g)).toHaveLength(1);
    expect((await shown(`# ${line}`, "python")).html).not.toContain("<bdi>");
  });

  it("keeps the cells of a table in their order, whichever way they run", async () => {
    const { html } = await shown('C3,מחק,4\n"עט, <כחול>",5', "csv");
    expect(html).toContain("</a>C3,<bdi>מחק</bdi>,4</span>");
    expect(html).toContain("<bdi>&quot;עט, &lt;כחול&gt;&quot;</bdi>,5</span>");
  });

  it("says why it has no colours, and nothing if there is nothing to colour", async () => {
    expect((await shown("a;\n".repeat(80_000), "javascript")).plainBecause).toBe("too_long");
    expect((await shown("a\n".repeat(80_000), "text")).plainBecause).toBeNull();
    const full = createThreadPool({ maxWaiting: 0 });
    const { html, plainBecause } = await highlight(
      { services: { threads: full }, largeHtml: new Map() },
      { owner: "owner", body: "let a;", language: "javascript" },
    );
    expect({ html, plainBecause }).toEqual({ html: numberPlainLines("let a;"), plainBecause: "busy" });
    await full.close();
  });

  it("of many lines is in blocks of equal length, the last lines by themselves", () => {
    const html = numberPlainLines("x\n".repeat(2 * BLOCK_LINES + 10));
    const blocks = html.split('<span class="lines">').slice(1);
    expect(blocks).toHaveLength(2);
    expect(itemAt(blocks, 0).match(/class="line"/g)).toHaveLength(BLOCK_LINES);
    expect(html.replace(/<a .*?<\/a>|<[^>]*>/g, "")).toBe("x\n".repeat(2 * BLOCK_LINES + 10).trimEnd());
    expect(numberPlainLines("x\n".repeat(BLOCK_LINES))).not.toContain('class="lines"');
  });

  it("of a long text is the part that has a line, with the numbers of that part", async () => {
    const { html, shown: lines } = await shown("x\n".repeat(50_000), "text", undefined, { line: 30_000 });
    expect(lines).toEqual({ first: 20_001, last: 40_000, start: 1, total: 50_000, hasCutLines: false });
    expect(html.match(/id="L\d+"/g)).toHaveLength(20_000);
    expect(html).toContain('<span class="line" id="L20001"><a class="line-number" href="#L20001">20001</a>x');

    const piece = await shown("x\n".repeat(50_000), "text", undefined, { first: 101, line: 20_101 });
    expect(piece.shown).toMatchObject({ first: 20_101, last: 40_100, start: 101, total: 50_100 });
  });

  it("of a part is made once for all lines of that part", async () => {
    const body = "let b;\n".repeat(20_100);
    await shownInTime(body, "javascript", { line: 20_001 });
    const before = await countRuns("highlight");
    for (const line of [20_002, 20_050, 99_999]) await shownInTime(body, "javascript", { line });
    expect(await countRuns("highlight")).toBe(before);

    for (const line of [undefined, 1, 2, 20_000]) await shownInTime(body, "javascript", { line });
    expect(await countRuns("highlight")).toBe(before + 1);
  });

  it("with marks over line ends has each reopened, up to a limit", () => {
    expect(numberLines('<span class="a">x\ny</span>')).toMatch(/<span class="a">y<\/span><\/span>$/);
    expect(numberLines('<span class="a">x\ny\n</span>')?.match(/class="line"/g)).toHaveLength(2);
    const deep = '<span class="a">'.repeat(2_000);
    expect(numberLines(`${deep}x${"</span>".repeat(2_000)}`)).not.toBeNull();
    expect(numberLines(`${deep}${"\n".repeat(1_000)}${"</span>".repeat(2_000)}`)).toBeNull();
  });
});

describe("long code", () => {
  const lines = Array.from({ length: 1_000 }, (_, i) => `let line_${i + 1} = "a";`);
  const body = lines.join("\n");
  const unmarked: CodeMarks = { range: null, noteLines: [] };

  it("goes to the page by itself, as bytes, under a name that changes with them", async () => {
    const { large, pieces, html } = await shown(body, "javascript");
    expect(large).toMatchObject({ cuts: [], isReordered: false });
    expect(pieces).toHaveLength(1);
    expect(html.match(/class="line"/g)).toHaveLength(1_000);
    const other = await shown(`${body} `, "javascript");
    expect(required(other.large).digest).not.toBe(required(large).digest);
    expect((await shown(body, "javascript", unmarked)).large).toEqual(large);
  });

  it("is marked as short code is: its lines, its numbers, and cut where notes are", async () => {
    const range = { from: 3, to: 4 };
    const { html, large, pieces } = await shown(body, "javascript", { range, noteLines: [700, 5] });
    expect(html.match(/<span class="line line-marked" id="L\d+">/g)).toEqual([
      '<span class="line line-marked" id="L3">',
      '<span class="line line-marked" id="L4">',
    ]);
    expect(required(large).cuts).toEqual([5, 700]);
    expect(pieces).toHaveLength(3);
    expect(Buffer.from(itemAt(pieces, 0)).toString()).toMatch(/<span class="line" id="L5">$/);
    expect(Buffer.from(itemAt(pieces, 1)).toString()).toMatch(/<span class="line" id="L700">$/);

    const window = await shown(body, "javascript", unmarked, { first: 101 });
    expect(required(window.html.match(/id="L\d+"/g)).slice(0, 1)).toEqual(['id="L101"']);
    expect(window.html).toContain('<a class="line-number" href="#L1100">1100</a>');
  });

  it("shows characters that turn the reading order by their names", async () => {
    const { html, large } = await shown(`${body}// \u202E evil`, "javascript");
    expect(required(large).isReordered).toBe(true);
    expect(html).not.toContain("\u202E");
    expect(html).toContain('<span class="bidi-control">RLO</span>');
  });
});
