import { expect, it } from "vitest";
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
  const etag = first.headers.get("ETag")!;
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
