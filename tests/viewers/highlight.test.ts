import { afterAll, describe, expect, it } from "vitest";
import { NUMBERED_LINES_MAX, numberLines, numberPlainLines } from "#app/viewers/code-lines.ts";
import { highlight } from "#app/viewers/highlight.server.ts";
import { createMetrics } from "#platform/metrics.ts";
import { createThreadPool } from "#platform/thread-pool.ts";
import { ownProcessorMs } from "#tests/support/processor-time.ts";
import { parseMetrics } from "#tests/support/prometheus.ts";

const metrics = createMetrics();
const threads = createThreadPool({ metrics });
afterAll(() => threads.close());
const shown = (body: string, language: string) => highlight(threads, "owner", body, language);

/** Texts that take the highlighter seconds to minutes, or make it answer many times their length. */
const HOSTILE: [name: string, language: string, body: string][] = [
  ["links within links", "markdown", "[a](".repeat(2_000)],
  ["one letter, many times", "java", "a".repeat(20_000)],
  ["letters that could be a type", "typescript", "a".repeat(60_000)],
  ["templates within templates over many lines", "javascript", `${"`${".repeat(500)}${"\n".repeat(2_000)}`],
  ["as above, many more", "javascript", `${"`${".repeat(2_000)}${"\n".repeat(150_000)}`],
];

describe("a hostile text", () => {
  it.each(HOSTILE)(
    "costs the event loop next to nothing and is shown plain: %s",
    async (_, language, body) => {
      await shown("let ready;", language);
      let code = { html: "", plainBecause: null as string | null };
      const ms = await ownProcessorMs(async () => {
        code = await shown(body, language);
      });
      expect(code.plainBecause).toMatch(/^too_(slow|nested)$/);
      expect(code.html.length).toBeLessThan(80 * (body.split("\n").length + 1) + 2 * body.length);
      // It held the event loop for 4 to 36 seconds, or the process died.
      expect(ms).toBeLessThan(1_000);
    },
  );

  it("is not tried again by the next who looks at it", async () => {
    const runs = async () =>
      parseMetrics(await metrics.text())
        .get("codeshelf_thread_job_seconds")!
        .series.filter(({ name }) => name.endsWith("_count"))
        .reduce((sum, { value }) => sum + value, 0);
    await shown(HOSTILE[0][2], "markdown");
    const before = await runs();
    expect(before).toBeGreaterThan(0);
    for (const _ of [1, 2, 3]) await shown(HOSTILE[0][2], "markdown");
    expect(await runs()).toBe(before);
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

  it("says why it has no colours, and nothing where there is nothing to colour", async () => {
    expect((await shown("a;\n".repeat(80_000), "javascript")).plainBecause).toBe("too_long");
    expect((await shown("a\n".repeat(80_000), "text")).plainBecause).toBeNull();
    const full = createThreadPool({ maxWaiting: 0 });
    const { html, plainBecause } = await highlight(full, "owner", "let a;", "javascript");
    expect({ html, plainBecause }).toEqual({ html: numberPlainLines("let a;"), plainBecause: "busy" });
    await full.close();
  });

  it("of very many lines has numbers on the first of them, and all of its text", () => {
    const html = numberPlainLines("x\n".repeat(NUMBERED_LINES_MAX + 10));
    expect(html.match(/class="line-number"/g)).toHaveLength(NUMBERED_LINES_MAX);
    expect(html.match(/x/g)).toHaveLength(NUMBERED_LINES_MAX + 10);
  });

  it("whose marks run over line ends has each opened anew, within a bound", () => {
    expect(numberLines('<span class="a">x\ny</span>')).toMatch(/<span class="a">y<\/span><\/span>$/);
    const deep = '<span class="a">'.repeat(2_000);
    expect(numberLines(`${deep}x${"</span>".repeat(2_000)}`)).not.toBeNull();
    expect(numberLines(`${deep}${"\n".repeat(1_000)}${"</span>".repeat(2_000)}`)).toBeNull();
  });
});
