import { describe, expect, it } from "vitest";
import { openTestStore } from "#tests/support/store.ts";
import { type Ask, expectHoldsNobodyUp, openMeteredWeb } from "./metered-web.ts";

const store = await openTestStore();
const meteredWeb = openMeteredWeb(store.uri);

const MEGABYTE = 1024 * 1024;

async function send(ask: Ask, method: string, path: string, body: unknown): Promise<Record<string, string>> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await ask(path, { method, body: text, headers: { "Content-Type": "application/json" } });
  expect(answer.ok, `${method} ${path} ${answer.status}`).toBe(true);
  return answer.json();
}

describe("notes on many long files whose lines have changed", () => {
  const FILES = 3;
  const write = (word: string) => {
    let text = "";
    for (let n = 0; text.length < 2 * MEGABYTE - 100; n += 1) text += `${word} ${n} ${n * 7}\n`;
    return text;
  };

  it("hold up nobody else where a page or its JSON shows them", { timeout: 240_000 }, async () => {
    const ask = meteredWeb().people.owner;
    const [old, ...newer] = ["old", "new", "newer"].map(write);
    const names = Array.from({ length: FILES }, (_, n) => `long-${n}.txt`);
    for (const name of names) {
      const { file_id } = await send(ask, "PUT", `/api/files/${name}`, old);
      await send(ask, "POST", `/api/sticky-notes/${file_id}`, { content: "note", line_start: 500 });
    }
    for (const html of [true, false]) {
      for (const name of names) await send(ask, "PUT", `/api/files/${name}`, html ? newer[0] : newer[1]);
      await expectHoldsNobodyUp(meteredWeb(), "/notes", () => ask("/notes", { html }));
    }
    const { notes } = await (await ask("/notes")).json();
    const states = notes.map(({ anchor }: { anchor: { state: string } }) => anchor.state);
    expect(states).toEqual(names.map(() => "changed"));
  });
});

describe("a search that finds many long files of Markdown", () => {
  const FILES = 25;
  it.each([
    ["short headings", (n: number) => `# word${n}\n`],
    ["headings of brackets", () => `# word ${"[".repeat(480)}\n`],
    ["headings of asterisks", () => `# word ${"*a ".repeat(160)}\n`],
    ["empty headings", (n: number) => (n % 10_000 === 0 ? "# word\n" : "#\n")],
  ])("of %s holds up nobody else", { timeout: 240_000 }, async (name, line) => {
    const ask = meteredWeb().people.owner;
    let text = "";
    for (let n = 0; text.length < MEGABYTE / 4 - 600; n += 1) text += line(n);
    const word = name.replaceAll(" ", "-");
    const body = text.replaceAll("word", word);
    for (let n = 0; n < FILES; n += 1)
      await send(ask, "PUT", `/api/files/${Math.random().toString(36).slice(2)}.md`, `${n}\n${body}`);
    await expectHoldsNobodyUp(meteredWeb(), "/search", () => ask(`/search?q=${word}`, { html: true }));
  });
});
