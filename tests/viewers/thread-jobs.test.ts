import { afterAll, describe, expect, it } from "vitest";
import { THREAD_JOBS } from "#app/main/thread-jobs.ts";
import { ANCHOR_JOBS } from "#db/notes/anchor-work.server.ts";
import { PAGE_MS } from "#platform/threads/page-time.ts";
import type { ThreadJob } from "#platform/threads/thread-job.ts";
import { createThreadPool } from "#platform/threads/thread-pool.ts";

const threads = createThreadPool();
afterAll(() => threads.close());
const ALL = Object.values({ ...THREAD_JOBS, ...ANCHOR_JOBS }) as unknown as ThreadJob<unknown, unknown>[];

describe("the work for threads", () => {
  it.each(ALL.map((job) => [job.name, job] as const))("%s names an existing function", async (_, job) => {
    const module = await import(job.module);
    expect(module[job.run]).toBeInstanceOf(Function);
    expect(job.processorMs).toBeLessThanOrEqual(PAGE_MS);
  });

  it("has a name of its own each", () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  });

  it("is done there: what notes say, with everything in it escaped", async () => {
    const content =
      '# <b>&"\n- [x] done\n- [ ] `a<b` [x](https://example.com/?a="b&c)\n\n1. *one*\n\n> said\n\n---';
    const rendered = await threads.run(
      THREAD_JOBS.renderNotes,
      { notes: [{ content, form: "form-1" }], locale: "en" },
      { owner: "owner" },
    );
    expect(rendered.ok && new TextDecoder().decode(rendered.value.pieces[0])).toBe(
      '<h4 dir="auto">&lt;b&gt;&amp;&quot;</h4><ul>' +
        '<li dir="auto" class="note-task"><span class="flex top gap-1"><button class="note-tick bare middle rigid round" type="submit" form="form-1" name="intent" value="tick:0:off" role="checkbox" aria-checked="true" aria-label="done"></button><span><span>done</span></span></span></li>' +
        '<li dir="auto" class="note-task"><span class="flex top gap-1"><button class="note-tick bare middle rigid round" type="submit" form="form-1" name="intent" value="tick:1:on" role="checkbox" aria-checked="false" aria-label="a&lt;b x"></button><span><span><code dir="ltr">a&lt;b</code> <a href="https://example.com/?a=&quot;b&amp;c" rel="noopener noreferrer nofollow">x</a></span></span></span></li></ul>' +
        '<ol start="1"><li dir="auto"><span><em>one</em></span></li></ol><blockquote><p dir="auto"><span>said</span></p></blockquote><hr>',
    );
  });
});
